/** [spec: Other resources, crm_manage_lists] Lists themselves. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create, createAll, expectError, timestamp, uuid } from './records.ts';

const nobody = '01890000-0000-7000-8000-000000000000';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
});
afterAll(() => kith.stop());

// oxlint-disable-next-line typescript/no-explicit-any -- as the interface shows it
async function newList(values: object, client = admin): Promise<any> {
  const reply = await client.post('/lists', { object_types: ['companies'], ...values });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}
const get = async (id: string, client = admin) => (await client.get(`/lists/${id}`)).json;
const put = (id: string, body: object) => admin.put(`/lists/${id}`, body);
const add = (id: string, body: object, client = admin) => client.post(`/lists/${id}/entries`, body);
const namesIn = async (client: Client, query = {}) =>
  (await client.get('/lists', { limit: 100, ...query })).json.data.map(({ name }: { name: string }) => name);

describe('POST /lists', () => {
  it('OR-01, OR-03, CML-09: makes a list with all that is said of it', async () => {
    const list = await newList({
      name: ' Key accounts ',
      description: 'Those that we call each month',
      icon_name: 'star',
      color: '#94a3b8',
      object_types: ['companies', 'contacts'],
      fields: [
        { name: 'stage', type: 'SELECT', options: [{ value: 'hot' }, { value: 'cold', label: 'Cold', color: 'blue' }] },
        { name: 'next_call', label: 'Next', type: 'DATE', isRequired: true, defaultValue: '2026-01-31' },
      ],
    });
    expect(list).toEqual({
      id: expect.stringMatching(uuid),
      name: 'Key accounts',
      description: 'Those that we call each month',
      icon_name: 'star',
      color: '#94a3b8',
      object_types: ['companies', 'contacts'],
      fields: [
        {
          id: expect.stringMatching(uuid),
          name: 'stage',
          label: 'Stage',
          type: 'SELECT',
          isRequired: false,
          options: [
            { value: 'hot', label: 'Hot' },
            { value: 'cold', label: 'Cold', color: 'blue' },
          ],
          defaultValue: null,
        },
        {
          id: expect.stringMatching(uuid),
          name: 'next_call',
          label: 'Next',
          type: 'DATE',
          isRequired: true,
          options: null,
          defaultValue: '2026-01-31',
        },
      ],
      entry_count: 0,
      created_by: admin.workspaceUserId,
      created_by_display: 'Ada Admin',
      created_at: expect.stringMatching(timestamp),
      updated_at: expect.stringMatching(timestamp),
    });
    expect(await get(list.id)).toEqual(list);
  });

  it('puts records on it at once, of the object that is named where the list takes several', async () => {
    const [a, b] = await createAll(admin, 'companies', [{ name: 'a' }, { name: 'b' }]);
    expect(await newList({ name: 'With records', record_ids: [a.id, b.id, nobody] })).toMatchObject({
      entry_count: 2,
      added: 2,
      failed: 1,
      errors: [{ record_id: nobody, code: 'RECORD_NOT_FOUND' }],
    });
    const both = { name: 'Of both', object_types: ['companies', 'contacts'], record_ids: [a.id] };
    expectError(await admin.post('/lists', both), 'MISSING_REQUIRED_FIELD');
    expect(await newList({ ...both, object_type: 'companies' })).toMatchObject({ entry_count: 1 });
    expect(await namesIn(admin, { search: 'of both' })).toEqual(['Of both']);
  });

  it.each([
    ['without a name', { name: undefined }, 'MISSING_REQUIRED_FIELD'],
    ['with an empty name', { name: ' ' }, 'VALIDATION_ERROR'],
    ['with a name that nobody sees whole', { name: 'a​b' }, 'VALIDATION_ERROR'],
    ['of no object', { object_types: [] }, 'VALIDATION_ERROR'],
    ['with records, of which it names none', { record_ids: [] }, 'MISSING_REQUIRED_FIELD'],
    ['of an object that is not there', { object_types: ['company'] }, 'VALIDATION_ERROR'],
    ['of tasks', { object_types: ['tasks'] }, 'VALIDATION_ERROR'],
    ['with an unknown key', { icon: 'star' }, 'VALIDATION_ERROR'],
    ['with a field of a relation', { fields: [{ name: 'x', type: 'RELATION' }] }, 'VALIDATION_ERROR'],
    ['with a computed field', { fields: [{ name: 'x', type: 'ROLLUP' }] }, 'VALIDATION_ERROR'],
    ['with a SELECT without options', { fields: [{ name: 'x', type: 'SELECT' }] }, 'VALIDATION_ERROR'],
    [
      'with options of a TEXT',
      { fields: [{ name: 'x', type: 'TEXT', options: [{ value: 'a' }] }] },
      'VALIDATION_ERROR',
    ],
    ['with a field twice', { fields: ['x', 'x'].map((name) => ({ name, type: 'TEXT' })) }, 'VALIDATION_ERROR'],
    ['with a field that has no name', { fields: [{ name: 'No name', type: 'TEXT' }] }, 'VALIDATION_ERROR'],
    ['with an id of no field', { fields: [{ id: nobody, name: 'x', type: 'TEXT' }] }, 'VALIDATION_ERROR'],
    ['with a wrong default', { fields: [{ name: 'x', type: 'RATING', defaultValue: 9 }] }, 'VALIDATION_ERROR'],
    ['with a user by default', { fields: [{ name: 'x', type: 'USERS', defaultValue: nobody }] }, 'VALIDATION_ERROR'],
    [
      'with a long default',
      { fields: [{ name: 'x', type: 'TEXT', defaultValue: 'x'.repeat(2_000) }] },
      'VALIDATION_ERROR',
    ],
  ])('refuses a list %s, and makes none', async (_name, values, code) => {
    const before = (await admin.get('/lists')).json.total;
    expectError(await admin.post('/lists', { name: 'Never', object_types: ['companies'], ...values }), code);
    expect((await admin.get('/lists')).json.total).toBe(before);
  });

  it('tells in words of what there must be some', async () => {
    const { json } = await admin.post('/lists', { name: 'Never', object_types: [] });
    expect(json.message).toBe('object_types must have at least 1');
    expect(json.field_errors).toEqual([{ field: 'object_types', message: json.message }]);
  });

  it('CML-06: making, changing and deleting a list need an admin', async () => {
    const member = await organization.user('Member');
    const { id } = await newList({ name: 'Of the admin' });
    expectError(await member.post('/lists', { name: 'x', object_types: ['companies'] }), 'PERMISSION_DENIED');
    expectError(await member.put(`/lists/${id}`, { name: 'x' }), 'PERMISSION_DENIED');
    expectError(await member.delete(`/lists/${id}`), 'PERMISSION_DENIED');
    expect(await get(id, member)).toMatchObject({ name: 'Of the admin' });
  });
});

describe('GET /lists', () => {
  it('CML-02, PSL-15: pages by name, 50 and at most 100, filtered by object and name', async () => {
    const { admin: other } = await kith.organization();
    const names = Array.from({ length: 60 }, (_, at) => `List ${String(at).padStart(2, '0')}`);
    for (const name of names.toReversed()) await newList({ name }, other);
    await newList({ name: 'a list of contacts', object_types: ['contacts'] }, other);
    const first = (await other.get('/lists')).json;
    expect([first.data.length, first.total]).toEqual([50, 61]);
    const second = (await other.get('/lists', { cursor: first.nextCursor })).json;
    expect(second).not.toHaveProperty('nextCursor');
    const all = [...first.data, ...second.data].map(({ name }: { name: string }) => name);
    expect(all).toEqual(['a list of contacts', ...names]);
    expect((await other.get('/lists', { limit: 500 })).headers.get('warning')).toContain('100');
    expect(await namesIn(other, { object_type: 'contacts' })).toEqual(['a list of contacts']);
    expect(await namesIn(other, { object_type: 'nothing' })).toEqual([]);
    expect(await namesIn(other, { search: 'LIST 07' })).toEqual(['List 07']);
    expect(await namesIn(other, { search: '%' })).toEqual([]);
    await newList({ name: 'Große Äpfel' }, other);
    expect(await namesIn(other, { search: 'APFEL' })).toEqual(['Große Äpfel']);
    expectError(await other.get('/lists', { search: 'list', cursor: first.nextCursor }), 'VALIDATION_ERROR');
  });

  it('answers 404s of lists as RECORD_NOT_FOUND, whatever is asked', async () => {
    for (const id of [nobody, 'x']) {
      expectError(await admin.get(`/lists/${id}`), 'RECORD_NOT_FOUND');
      expectError(await put(id, { name: 'x' }), 'RECORD_NOT_FOUND');
      expectError(await admin.delete(`/lists/${id}`), 'RECORD_NOT_FOUND');
      expectError(await admin.get(`/lists/${id}/entries`), 'RECORD_NOT_FOUND');
      expectError(await add(id, { object_type: 'companies', record_id: nobody }), 'RECORD_NOT_FOUND');
      expectError(await admin.put(`/lists/${id}/entries/${nobody}`, { entry_fields: {} }), 'RECORD_NOT_FOUND');
    }
  });
});

describe('PUT /lists/{id}', () => {
  it('OR-01: changes what is given and nothing else; null empties', async () => {
    const list = await newList({ name: 'Before', description: 'text', color: 'red' });
    const { json } = await put(list.id, { name: 'After', description: null, icon_name: 'flag' });
    const { updated_at, ...rest } = json;
    expect(rest).toEqual({ ...list, name: 'After', description: null, icon_name: 'flag', updated_at: undefined });
    expect(updated_at >= list.updated_at).toBe(true);
    expect((await put(list.id, {})).json).toEqual(json);
    expect((await put(list.id, { name: 'After' })).json.updated_at).toBe(updated_at);
  });

  it('takes further objects; one of which records are on the list stays', async () => {
    const company = await create(admin, 'companies', { name: 'Stays' });
    const { id } = await newList({ name: 'Objects', record_ids: [company.id] });
    expect((await put(id, { object_types: ['companies', 'contacts'] })).json.object_types).toEqual([
      'companies',
      'contacts',
    ]);
    const refused = await put(id, { object_types: ['contacts'], name: 'Changed' });
    expectError(refused, 'DESTRUCTIVE_CHANGE');
    expect(refused.json.field_errors).toEqual([
      { field: 'object_types', message: expect.stringContaining('companies') },
    ]);
    expect(await get(id)).toMatchObject({ name: 'Objects', object_types: ['companies', 'contacts'] });
    // Also while the record is in the trash: it may come back.
    await admin.delete(`/records/companies/${company.id}`);
    expectError(await put(id, { object_types: ['contacts'] }), 'DESTRUCTIVE_CHANGE');
    await admin.delete(`/trash/companies/${company.id}`);
    expect((await put(id, { object_types: ['contacts'] })).json.object_types).toEqual(['contacts']);
  });

  it('renames a field by its id and keeps its values; refuses what would lose one', async () => {
    const company = await create(admin, 'companies', { name: 'Valued' });
    const list = await newList({
      name: 'Fields',
      fields: [
        { name: 'stage', type: 'SELECT', options: [{ value: 'hot' }, { value: 'cold' }] },
        { name: 'note', type: 'TEXT' },
      ],
    });
    const [stage] = list.fields;
    await add(list.id, { object_type: 'companies', record_id: company.id, entry_fields: { stage: 'hot' } });
    const fields = [
      { id: stage.id, name: 'heat', type: 'SELECT' },
      { name: 'since', type: 'DATE' },
    ];
    const changed = (await put(list.id, { fields })).json.fields;
    expect(changed.map(({ name, label }: { name: string; label: string }) => [name, label])).toEqual([
      ['heat', 'Stage'],
      ['since', 'Since'],
    ]);
    expect(changed[0]).toEqual({ ...stage, name: 'heat' });
    const entries = (await admin.get(`/lists/${list.id}/entries`)).json.data;
    expect(entries[0].entry_fields).toEqual({ heat: 'hot', since: null });
    expect((await admin.get(`/records/companies/${company.id}`)).json.lists[0].entry_fields).toEqual({
      heat: 'hot',
      since: null,
    });
    for (const lossy of [
      [],
      [{ name: 'heat', type: 'TEXT' }],
      [{ name: 'heat', type: 'SELECT', options: [{ value: 'cold' }] }],
    ])
      expectError(await put(list.id, { fields: lossy }), 'DESTRUCTIVE_CHANGE');
    const options = [{ value: 'hot', label: 'Very hot' }];
    expect((await put(list.id, { fields: [{ name: 'heat', type: 'SELECT', options }] })).json.fields).toHaveLength(1);
  });
});

describe('DELETE /lists/{id}', () => {
  it('CML-06: deletes the list and its entries; the records stay', async () => {
    const company = await create(admin, 'companies', { name: 'Remains' });
    const { id } = await newList({ name: 'Goes', record_ids: [company.id] });
    expect((await admin.delete(`/lists/${id}`)).json).toEqual({ deleted: true });
    expectError(await admin.get(`/lists/${id}`), 'RECORD_NOT_FOUND');
    expectError(await admin.delete(`/lists/${id}`), 'RECORD_NOT_FOUND');
    const { json } = await admin.get(`/records/companies/${company.id}`);
    expect(json.record.name).toBe('Remains');
    expect(json).not.toHaveProperty('lists');
  });
});

describe('objects of lists', () => {
  it('follow a manifest: renamed with it, and gone with it, when a list of nothing else takes nothing', async () => {
    const { admin: other } = await kith.organization();
    const field = [{ name: 'name', type: 'TEXT' }];
    await apply(other, { objects: [{ name: 'projects', displayField: 'name', fields: field }] });
    const project = await create(other, 'projects', { name: 'P' });
    const { id } = await newList({ name: 'Projects', object_types: ['projects'], record_ids: [project.id] }, other);
    await apply(other, { objects: [{ name: 'works', renamedFrom: 'projects' }] });
    expect(await get(id, other)).toMatchObject({ object_types: ['works'], entry_count: 1 });
    const [entry] = (await other.get(`/lists/${id}/entries`)).json.data;
    expect(entry).toMatchObject({ object_type: 'works', record: { display: 'P' } });
    const gone = { objects: [{ name: 'works', absent: true }] };
    expect((await other.post('/manifest?allow_destroy=true', gone)).status).toBe(200);
    expect(await get(id, other)).toMatchObject({ object_types: [], entry_count: 0 });
    const company = await create(other, 'companies', { name: 'C' });
    expectError(await add(id, { object_type: 'companies', record_id: company.id }, other), 'VALIDATION_ERROR');
  });
});

describe('history', () => {
  it('holds what was before each change of a list, and the entries that went with their values', async () => {
    const company = await create(admin, 'companies', { name: 'Past' });
    const list = await newList({ name: 'Past', fields: [{ name: 'n', type: 'NUMBER' }] });
    const [{ id: field }] = list.fields;
    await add(list.id, { object_type: 'companies', record_id: company.id, entry_fields: { n: 1.5 } });
    const [{ entry_id: entry }] = (await admin.get(`/lists/${list.id}/entries`)).json.data;
    await admin.put(`/lists/${list.id}/entries/${entry}`, { entry_fields: { n: 2 } });
    await put(list.id, { name: 'Later' });
    await admin.delete(`/lists/${list.id}`);
    const { rows } = await kith.database.database.run(organization.id, {
      text: `select action, before::text, links::text, actor_id from "${organization.schema}"._history where record_id = $1::uuid order by id`,
      values: [list.id],
    });
    const past = rows.map(([action, before, links]) => [
      action,
      JSON.parse(before ?? 'null'),
      JSON.parse(links ?? 'null'),
    ]);
    const was = (n: number) => ({
      [company.id]: expect.objectContaining({
        id: entry,
        entry_fields: { [field]: n },
        created_by: admin.workspaceUserId,
      }),
    });
    expect(past).toEqual([
      ['create', null, null],
      ['update', {}, { entries: { added: [company.id], removed: [] } }],
      ['update', {}, { entries: { added: [], removed: [], was: was(1.5) } }],
      ['update', { name: 'Past' }, null],
      ['update', {}, { entries: { added: [], removed: [company.id], was: was(2) } }],
      [
        'delete',
        expect.objectContaining({ name: 'Later', description: null, object_types: [expect.stringMatching(uuid)] }),
        null,
      ],
    ]);
    expect(rows.every(([, , , actor]) => actor === admin.workspaceUserId)).toBe(true);
  });
});
