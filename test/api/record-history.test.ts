/** [decisions: Writing] The history of a record, as whoever may see it reads it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, createAll, expectError, uuid } from './records.ts';
import { addObject, addRole, run } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await addRole(kith, organization, 'Half', {
    '*': { view: 'all', create: true, update: 'all', delete: 'none' },
    companies: { fields: { industry: 'none' } },
    opportunities: { fields: { contacts: 'none' } },
  });
});
afterAll(() => kith.stop());

const history = async (client: Client, object: string, id: string, query = {}): Promise<Reply['json']> => {
  const reply = await client.get(`/records/${object}/${id}/history`, query);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
};

const changesOf = async (client: Client, object: string, id: string) =>
  (await history(client, object, id)).data.map((entry: { changes: unknown }) => entry.changes);

describe('an entry', () => {
  it('says who, when, how and what, newest first', async () => {
    const began = new Date().toISOString();
    const { id } = await create(admin, 'companies', { name: 'First' });
    await admin.put(`/records/companies/${id}`, { name: 'Second', employees: 7 });
    await admin.delete(`/records/companies/${id}`);
    await admin.post(`/records/companies/${id}/restore`);
    const { data, total } = await history(admin, 'companies', id);
    expect(total).toBe(4);
    expect(data.map((entry: { action: string }) => entry.action)).toEqual(['restore', 'delete', 'update', 'create']);
    const [, , update, made] = data;
    expect(update).toEqual({
      id: expect.stringMatching(/^\d+$/),
      action: 'update',
      at: expect.stringMatching(/Z$/),
      actor: { id: admin.workspaceUserId, display: 'Ada Admin' },
      means: 'api',
      agent: null,
      token: expect.any(String),
      change_set: expect.stringMatching(uuid),
      changes: [
        { field: 'name', before: 'First', after: 'Second' },
        { field: 'employees', before: null, after: 7 },
      ],
    });
    expect(update.at > made.at && made.at > began).toBe(true);
    expect(made.changes).toEqual([
      { field: 'name', before: null, after: 'First' },
      { field: 'owner', before: null, after: admin.workspaceUserId },
      { field: 'created_by', before: null, after: admin.workspaceUserId },
    ]);
    expect(data[0].changes).toEqual([]);
  });

  it('tells the name of the token to admins alone', async () => {
    const member = await organization.user('Half');
    const { id } = await create(member, 'companies', { name: 'By a member' });
    expect((await history(admin, 'companies', id)).data[0]).toHaveProperty('token');
    expect((await history(member, 'companies', id)).data[0]).not.toHaveProperty('token');
  });

  it('shows values of every kind as a read does', async () => {
    const company = await create(admin, 'companies', { name: 'C' });
    await addObject(kith, organization, 'things', {
      name: 'TEXT',
      body: 'RICH_TEXT',
      amount: 'CURRENCY',
      number: 'NUMBER',
      whole: 'INTEGER',
      yes: 'BOOLEAN',
      day: 'DATE',
      time: 'DATETIME',
      span: 'DATE_RANGE',
      mails: 'EMAILS',
      where: 'ADDRESS',
      tags: { type: 'MULTI_SELECT', options: ['a', 'b, "c"'].map((value) => ({ value, label: value })) },
      company_id: {
        type: 'RELATION',
        relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: 'companies' },
      },
      about: {
        type: 'MORPH_RELATION',
        relationConfig: {
          relationType: 'MORPH_RELATION',
          targetObjectName: 'companies',
          targetObjectNames: ['companies'],
        },
      },
    });
    const values = {
      name: 'x "quoted" \n ü',
      body: '<p>Hi <b>there</b></p>',
      amount: { amount: 12.5, currency: 'EUR' },
      number: 0.1,
      whole: 9_007_199_254,
      yes: false,
      day: '2026-01-31',
      time: '2026-01-31T09:30:00.123Z',
      span: { start: '2026-01-01', end: '2026-02-01' },
      mails: [{ email: 'a@x.test', label: 'work', is_primary: true }],
      where: { city: 'Rome' },
      tags: ['b, "c"', 'a'],
      company_id: company.id,
      about: { object: 'companies', id: company.id },
    };
    const first = await create(admin, 'things', values);
    const cleared = Object.fromEntries(Object.keys(values).map((key) => [key, null]));
    const second = (await admin.put(`/records/things/${first.id}`, cleared)).json.record;
    const [[...update], made] = await changesOf(admin, 'things', first.id);
    expect(update.map(({ field }: { field: string }) => field)).toEqual(Object.keys(values));
    for (const { field, before, after } of update) {
      expect({ field, before, after }).toEqual({ field, before: first[field], after: second[field] });
      expect(made).toContainEqual({ field, before: null, after: first[field] });
    }
  });

  it('keeps every digit', async () => {
    const { id } = await create(admin, 'opportunities', { name: 'D' });
    const url = `/api/v1/records/opportunities/${id}`;
    const headers = { 'content-type': 'application/json' };
    await admin.send(url, { method: 'PUT', headers, body: '{"probability":0.12345678901234567890}' });
    const { text } = await admin.get(`/records/opportunities/${id}/history`);
    expect(text).toContain('"after":0.12345678901234567890');
  });

  it('has the places of a pipeline, by id', async () => {
    const { id, pipeline_step_id } = await create(admin, 'opportunities', { name: 'P' });
    const moved = (await admin.put(`/records/opportunities/${id}`, { pipeline_step_id: 'Won' })).json.record;
    const [change] = await changesOf(admin, 'opportunities', id);
    expect(change).toContainEqual({
      field: 'pipeline_step_id',
      before: pipeline_step_id,
      after: moved.pipeline_step_id,
    });
    expect(change.map(({ field }: { field: string }) => field)).toEqual([
      'pipeline_step_id',
      'pipeline_step_entered_at',
    ]);
  });

  it('has links as pairs added and removed, also those that an import began with', async () => {
    const people = await createAll(
      admin,
      'contacts',
      ['A', 'B', 'C'].map((first_name) => ({ first_name, last_name: newId() })),
    );
    const [a, b, c] = people.map((person) => person.id);
    const imported = await admin.post('/import/opportunities', { records: [{ name: 'L', contacts: [a, b] }] });
    const [id] = imported.json.created_ids;
    await admin.put(`/records/opportunities/${id}`, { contacts: [{ id: b, role: 'Buyer' }, c] });
    const [second, first] = await changesOf(admin, 'opportunities', id);
    expect(second).toEqual([{ field: 'contacts', added: [c], removed: [a], changed: [b] }]);
    expect(first).toContainEqual({ field: 'contacts', added: expect.arrayContaining([a, b]), removed: [] });
  });
});

describe('a field that is another now', () => {
  const change = (definition: string) =>
    run(
      kith,
      organization,
      sql`update ${identifier(organization.schema, '_fields')} f set ${sql`definition = f.definition || ${definition}::jsonb`}
    from ${identifier(organization.schema, '_objects')} o where o.id = f.object_id and o.name = 'papers' and f.name = 'size'`,
    );
  const raise = () =>
    run(
      kith,
      organization,
      sql`update ${identifier(organization.schema, '_organization')} set model_version = model_version + 1`,
    );

  it('lists what a record with many sets of links began with', async () => {
    const relationConfig = { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' };
    const sets = Array.from({ length: 60 }, (_, at) => ({
      name: `set_${at}`,
      label: 'Set',
      type: 'MANY_TO_MANY',
      relationConfig,
    }));
    const title = { name: 'title', label: 'Title', type: 'TEXT' };
    const hubs = { name: 'hubs', label: 'Hubs', labelSingular: 'Hub', fields: [title, ...sets] };
    expect((await admin.post('/manifest', { objects: [hubs] })).status).toBe(200);
    const person = await create(admin, 'contacts', { first_name: 'A' });
    const { id } = await create(admin, 'hubs', { title: 'H', set_59: [person.id] });
    const { json } = await admin.get(`/records/hubs/${id}/history`);
    expect(json.data[0].changes).toContainEqual({ field: 'set_59', added: [person.id], removed: [] });
  });

  it('goes by its present name and type; what does not fit is shown as it was stored; without the field it is gone', async () => {
    await addObject(kith, organization, 'papers', { name: 'TEXT', size: 'TEXT' });
    const { id } = await create(admin, 'papers', { name: 'x', size: 'large' });
    await admin.put(`/records/papers/${id}`, { size: '12' });
    await admin.put(`/records/papers/${id}`, { size: '13' });
    await run(
      kith,
      organization,
      sql`alter table ${identifier(organization.schema, 'papers')} alter size type numeric using size::numeric`,
    );
    await change('{"type":"NUMBER"}');
    await run(kith, organization, sql`alter table ${identifier(organization.schema, 'papers')} rename size to extent`);
    await run(
      kith,
      organization,
      sql`update ${identifier(organization.schema, '_fields')} set name = 'extent' where name = 'size'`,
    );
    await raise();
    const [third, second, first] = await changesOf(admin, 'papers', id);
    expect(third).toEqual([{ field: 'extent', before: 12, after: 13 }]);
    expect(second).toEqual([{ field: 'extent', before: 'large', after: 12 }]);
    expect(first).toContainEqual({ field: 'extent', before: null, after: 'large' });
    const then = (await history(admin, 'papers', id)).data[2].at;
    expect((await admin.get(`/records/papers/${id}`, { as_of: then })).json.record).toMatchObject({ extent: null });
    await run(kith, organization, sql`delete from ${identifier(organization.schema, '_fields')} where name = 'extent'`);
    await raise();
    const { data, total } = await history(admin, 'papers', id);
    expect([total, data[0].changes]).toEqual([
      1,
      [{ field: 'name', before: null, after: 'x' }, ...data[0].changes.slice(1)],
    ]);
  });
});

describe('who may see it', () => {
  it('leaves out hidden fields, and entries that are about nothing else, from the total, too', async () => {
    const half = await organization.user('Half');
    const { id } = await create(admin, 'companies', { name: 'H', industry: 'retail' });
    for (const values of [{ industry: 'energy' }, { name: 'I', industry: 'retail' }, { industry: null }]) {
      await admin.put(`/records/companies/${id}`, values);
    }
    const seen = await history(half, 'companies', id);
    expect(seen.total).toBe(2);
    expect(JSON.stringify(seen)).not.toMatch(/industry|retail|energy/);
    expect(seen.data[0].changes).toEqual([{ field: 'name', before: 'H', after: 'I' }]);
    const [contact] = await createAll(admin, 'contacts', [{ first_name: 'Z' }]);
    const deal = await create(admin, 'opportunities', { name: 'O' });
    await admin.put(`/records/opportunities/${deal.id}`, { contacts: [contact.id] });
    expect((await history(half, 'opportunities', deal.id)).total).toBe(1);
    expect((await history(admin, 'opportunities', deal.id)).total).toBe(2);
  });

  it('an update that changed nothing leaves no entry', async () => {
    const { id } = await create(admin, 'companies', { name: 'Same' });
    await admin.put(`/records/companies/${id}`, { name: 'Same' });
    expect((await history(admin, 'companies', id)).total).toBe(1);
  });

  it('is whoever may view the record; of one in the trash, who may delete it', async () => {
    const half = await organization.user('Half');
    await addRole(kith, organization, 'Own', { '*': { view: 'own', create: true, delete: 'own' } });
    const own = await organization.user('Own');
    const mine = await create(own, 'companies', { name: 'Mine' });
    const foreign = await create(admin, 'companies', { name: 'Foreign' });
    const path = (id: string) => `/records/companies/${id}/history`;
    expectError(await own.get(path(foreign.id)), 'RECORD_NOT_FOUND');
    expect((await own.get(path(mine.id))).json.total).toBe(1);
    for (const { id } of [mine, foreign]) await admin.delete(`/records/companies/${id}`);
    expect((await own.get(path(mine.id))).json.data[0]).toMatchObject({
      action: 'delete',
      actor: { display: 'Ada Admin' },
    });
    expectError(await own.get(path(foreign.id)), 'RECORD_NOT_FOUND');
    expectError(await half.get(path(mine.id)), 'RECORD_NOT_FOUND');
    expect((await admin.get(path(foreign.id))).json.total).toBe(2);
  });

  it.each([
    ['an unknown id', `/records/companies/${newId()}/history`, 'RECORD_NOT_FOUND'],
    ['what is no id', '/records/companies/x/history', 'RECORD_NOT_FOUND'],
    ['an unknown object', `/records/nothing/${newId()}/history`, 'INVALID_OBJECT'],
    ['an unknown parameter', `/records/companies/${newId()}/history?sort=x`, 'VALIDATION_ERROR'],
  ])('%s is %s', async (_name, path, code) => {
    expectError(await admin.get(path), code);
  });
});

describe('pages', () => {
  it('go on exactly where they ended, while entries come in front', async () => {
    const { id } = await create(admin, 'companies', { name: 'N0' });
    for (let at = 1; at <= 6; at++) await admin.put(`/records/companies/${id}`, { name: `N${at}` });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await history(admin, 'companies', id, { limit: 3, cursor });
      seen.push(...page.data.map((entry: Reply['json']) => entry.changes[0].after));
      cursor = page.nextCursor;
      if (seen.length === 3) await admin.put(`/records/companies/${id}`, { name: 'N7' });
    } while (cursor !== undefined);
    expect(seen).toEqual(['N6', 'N5', 'N4', 'N3', 'N2', 'N1', 'N0']);
  });

  it('refuse a cursor of another record, or of a list', async () => {
    const [a, b] = await createAll(admin, 'companies', [{ name: 'A' }, { name: 'B' }]);
    for (const { id } of [a, b]) await admin.put(`/records/companies/${id}`, { name: 'C' });
    const { nextCursor: cursor } = await history(admin, 'companies', a.id, { limit: 1 });
    expectError(await admin.get(`/records/companies/${b.id}/history`, { cursor }), 'VALIDATION_ERROR');
    expectError(await admin.get('/records/companies', { cursor }), 'VALIDATION_ERROR');
    const list = (await admin.get('/records/companies', { limit: 1 })).json.nextCursor;
    expectError(await admin.get(`/records/companies/${a.id}/history`, { cursor: list }), 'VALIDATION_ERROR');
    expectError(await admin.get(`/records/companies/${a.id}/history`, { cursor: `${cursor}A` }), 'VALIDATION_ERROR');
  });
});

it('a time is the same text in history as in the record, once its field is one of text', async () => {
  const typed = async (type: string) => {
    const reply = await admin.post('/manifest', {
      objects: [
        {
          name: 'calls',
          displayField: 'name',
          fields: [
            { name: 'name', type: 'TEXT' },
            { name: 'at', type },
          ],
        },
      ],
    });
    expect(reply.status, reply.text).toBe(200);
  };
  await typed('DATETIME');
  const times = ['2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.120Z', '2026-01-31T09:30:00.123456Z'];
  const { id } = await create(admin, 'calls', { name: 'First', at: times[0] });
  for (const at of [...times.slice(1), null, times[0]]) await admin.put(`/records/calls/${id}`, { at });
  const before = await changesOf(admin, 'calls', id);
  const [, , { at: asked }] = (await history(admin, 'calls', id)).data;
  await typed('LONG_TEXT');
  expect(await changesOf(admin, 'calls', id)).toEqual(before);
  expect(before.flat().map(({ after }: { after: unknown }) => after)).toEqual(expect.arrayContaining([...times, null]));
  expect((await admin.get(`/records/calls/${id}`)).json.record.at).toBe(times[0]);
  expect((await admin.get(`/records/calls/${id}`, { as_of: asked })).json.record.at).toBe(times[2]);
});

it('shows a time as ever that an entry holds as PostgreSQL writes it', async () => {
  await addObject(kith, organization, 'visits', { name: 'TEXT', at: 'DATETIME' });
  const visit = await create(admin, 'visits', { name: 'x', at: '2026-01-31T09:30:00Z' });
  await admin.put(`/records/visits/${visit.id}`, { at: null });
  await run(
    kith,
    organization,
    sql`update ${identifier(organization.schema, '_history')} h
    set before = (select jsonb_object_agg(e.key, '2026-01-31T09:30:00+00:00') from jsonb_each(h.before) e)
    where record_id = ${visit.id}::uuid and action = 'update'`,
  );
  expect((await changesOf(admin, 'visits', visit.id))[0]).toEqual([
    { field: 'at', before: '2026-01-31T09:30:00.000Z', after: null },
  ]);
});
