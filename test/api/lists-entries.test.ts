/** [spec: crm_manage_lists, Other resources] What is on lists, and who sees and changes it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { monitorOf } from '../writes/monitor.ts';
import { apply, create, createAll, expectError, timestamp, uuid } from './records.ts';

const nobody = '01890000-0000-7000-8000-000000000000';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

const roles = [
  { name: 'Narrow', permissions: { '*': { view: 'own', create: true, update: 'own', delete: 'own' } } },
  {
    name: 'Clerk',
    permissions: {
      contacts: { view: 'all', create: true, update: 'all', delete: 'all', fields: { full_name: 'none' } },
    },
  },
  { name: 'Drop', permissions: { '*': { view: 'none', create: true } } },
  { name: 'Reader', permissions: { '*': { view: 'all' } } },
];

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await apply(admin, { roles });
});
afterAll(() => kith.stop());

let list: string;
beforeEach(async () => {
  list = await newList({ object_types: ['companies', 'contacts'] });
});

async function newList(values: object): Promise<string> {
  const reply = await admin.post('/lists', { name: 'A list', object_types: ['companies'], ...values });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.id;
}
const company = async (name: string, client = admin) => (await create(client, 'companies', { name })).id;
const add = (body: object, client = admin) =>
  client.post(`/lists/${list}/entries`, { object_type: 'companies', ...body });
const remove = (body: object, client = admin) =>
  client.post(`/lists/${list}/entries/remove`, { object_type: 'companies', ...body });
const page = async (client = admin, query = {}) => (await client.get(`/lists/${list}/entries`, query)).json;
const recordsOf = async (client = admin) =>
  (await page(client)).data.map(({ record_id }: { record_id: string }) => record_id).toSorted();
const count = async (client = admin) => (await client.get(`/lists/${list}`)).json.entry_count;

describe('add', () => {
  it('CML-02, CML-03: adds one record or several, each once, and tells what became of them', async () => {
    const [a, b] = [await company('a'), await company('b')];
    expect((await add({ record_id: a })).json).toEqual({
      list_id: list,
      added: 1,
      skipped_already_in_list: 0,
      failed: 0,
    });
    const reply = await add({ record_ids: [a, b.toUpperCase(), b, nobody, 'x'] });
    expect(reply.json).toEqual({
      list_id: list,
      added: 1,
      skipped_already_in_list: 2,
      failed: 2,
      errors: [
        { record_id: nobody, code: 'RECORD_NOT_FOUND', message: expect.stringContaining('companies') },
        { record_id: 'x', code: 'RECORD_NOT_FOUND', message: expect.any(String) },
      ],
    });
    expect(await recordsOf()).toEqual([a, b].toSorted((x, y) => (x < y ? -1 : 1)));
    expect(await count()).toBe(2);
  });

  it('CML-03: takes records of the objects of the list alone, and names them', async () => {
    list = await newList({ object_types: ['companies'] });
    const contact = await create(admin, 'contacts', { last_name: 'x' });
    for (const object_type of ['contacts', 'nothing', 'tasks']) {
      const reply = await add({ object_type, record_id: contact.id });
      expectError(reply, 'VALIDATION_ERROR');
      expect(reply.json.available_values).toEqual(['companies']);
    }
    // By its own object it is none of the other.
    expect((await add({ record_id: contact.id })).json).toMatchObject({ added: 0, failed: 1 });
  });

  it.each([
    ['no object_type', { object_type: undefined, record_id: nobody }, 'MISSING_REQUIRED_FIELD'],
    ['no record', {}, 'MISSING_REQUIRED_FIELD'],
    ['record_ids without any', { record_ids: [] }, 'MISSING_REQUIRED_FIELD'],
    ['both', { record_id: nobody, record_ids: [nobody] }, 'VALIDATION_ERROR'],
    ['more than 1,000 records', { record_ids: Array.from({ length: 1_001 }, () => nobody) }, 'VALIDATION_ERROR'],
    ['an unknown key', { record_id: nobody, records: [] }, 'VALIDATION_ERROR'],
    ['entry_fields that the list does not have', { record_id: nobody, entry_fields: { x: 1 } }, 'VALIDATION_ERROR'],
    ['entry_fields that are a list', { record_id: nobody, entry_fields: [1] }, 'VALIDATION_ERROR'],
  ])('CML-02: refuses %s', async (_name, body, code) => {
    expectError(await add(body), code);
    expectError(
      await admin.post('/lists/x/entries', { object_type: 'companies', record_id: nobody }),
      'RECORD_NOT_FOUND',
    );
  });

  it('takes 1,000 records at once, and tells of fifty that failed', async () => {
    const made = await createAll(
      admin,
      'companies',
      Array.from({ length: 900 }, (_, at) => ({ name: `c${at}` })),
    );
    const gone = Array.from({ length: 100 }, (_, at) => `01890000-0000-7000-8000-${String(at).padStart(12, '0')}`);
    const { json } = await add({ record_ids: [...made.map(({ id }) => id), ...gone] });
    expect(json).toMatchObject({ added: 900, skipped_already_in_list: 0, failed: 100 });
    expect(json.errors).toHaveLength(50);
    expect(await count()).toBe(900);
    expect((await remove({ record_ids: made.map(({ id }) => id) })).json).toEqual({
      list_id: list,
      removed: 900,
      not_in_list: 0,
    });
  });
});

describe('two at once', () => {
  it('with the same records in opposite orders, which both wait for a third: each is on the list once', async () => {
    const made = await createAll(
      admin,
      'companies',
      ['a', 'b', 'c'].map((name) => ({ name })),
    );
    const ids: string[] = made.map(({ id }) => id);
    const { database } = kith.database;
    const monitor = await monitorOf(kith.database);
    const blocked = { text: 'select count(distinct pid) from pg_locks where not granted', values: [] };
    // On Citus each waits on a worker, under a name of its own.
    const waiting = async () =>
      database.engine === 'citus'
        ? (await monitor.blocked()).length
        : Number((await database.run(nobody, blocked)).rows[0]?.[0]);
    let replies: Promise<Reply[]> | undefined;
    const third = database.transaction(organization.id, async (tx) => {
      await tx.run({
        text: `insert into "${organization.schema}"._list_entries (id, list_id, object_id, record_id, created_at)
          values ($1::uuid, $2::uuid, $1::uuid, $3::uuid, now())`,
        values: [nobody, list, ids[1] ?? ''],
      });
      replies = Promise.all([ids, ids.toReversed()].map((record_ids) => add({ record_ids })));
      while ((await waiting()) < 2);
      throw new Error('and goes back');
    });
    await expect(third).rejects.toThrow('and goes back');
    expect((await replies)?.map(({ status }) => status)).toEqual([200, 200]);
    expect((await replies)?.reduce((sum, { json }) => sum + json.added, 0)).toBe(3);
    await monitor.close();
  });
});

describe('entries', () => {
  it('OR-02, CML-05, PSL-15: come 50 a page, the latest first, with their records', async () => {
    const made = await createAll(
      admin,
      'companies',
      Array.from({ length: 60 }, (_, at) => ({ name: `c${at}` })),
    );
    await add({ record_ids: made.map(({ id }) => id) });
    const person = await create(admin, 'contacts', { first_name: 'Anna', last_name: 'Ahlers' });
    await add({ object_type: 'contacts', record_id: person.id });
    const first = await page();
    expect(first.data[0]).toEqual({
      entry_id: expect.stringMatching(uuid),
      record_id: person.id,
      object_type: 'contacts',
      record: { display: 'Anna Ahlers', image: null },
      entry_fields: {},
      created_at: expect.stringMatching(timestamp),
    });
    expect([first.data.length, first.total]).toEqual([50, 61]);
    const second = await page(admin, { cursor: first.nextCursor });
    expect(second).not.toHaveProperty('nextCursor');
    const displays = [...first.data, ...second.data].map(
      ({ record }: { record: { display: string } }) => record.display,
    );
    expect(displays).toEqual(['Anna Ahlers', ...made.map(({ name }) => name).toReversed()]);
    expect((await page(admin, { limit: 100 })).data).toHaveLength(61);
    const other = await newList({});
    expectError(await admin.get(`/lists/${other}/entries`, { cursor: first.nextCursor }), 'VALIDATION_ERROR');
  });

  it('hide with a record that goes into the trash, come back with it, and go with it for good', async () => {
    const id = await company('goes');
    await add({ record_id: id });
    await admin.delete(`/records/companies/${id}`);
    expect([await recordsOf(), await count(), (await page()).total]).toEqual([[], 0, 0]);
    expect((await add({ record_id: id })).json).toMatchObject({ added: 0, failed: 1 });
    expect((await remove({ record_id: id })).json).toMatchObject({ removed: 0, not_in_list: 1 });
    await admin.post(`/records/companies/${id}/restore`);
    expect([await recordsOf(), await count()]).toEqual([[id], 1]);
    await admin.delete(`/records/companies/${id}`);
    await admin.delete(`/trash/companies/${id}`);
    expect(await recordsOf()).toEqual([]);
  });
});

describe('remove', () => {
  it('CML-04: takes records off the list, and tells how many were not on it; the records stay', async () => {
    const [a, b, c] = [await company('a'), await company('b'), await company('c')];
    await add({ record_ids: [a, b] });
    expect((await remove({ record_ids: [a, c, nobody, 'x', a] })).json).toEqual({
      list_id: list,
      removed: 1,
      not_in_list: 4,
    });
    expect(await recordsOf()).toEqual([b]);
    const init = { method: 'DELETE', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify({ object_type: 'companies', record_id: b });
    expect((await admin.send(`/api/v1/lists/${list}/entries`, { ...init, body })).json).toEqual({
      list_id: list,
      removed: 1,
      not_in_list: 0,
    });
    expect((await admin.get(`/records/companies/${b}`)).json).not.toHaveProperty('lists');
    expectError(await remove({}), 'MISSING_REQUIRED_FIELD');
    expectError(await remove({ object_type: 'opportunities', record_id: a }), 'VALIDATION_ERROR');
  });
});

describe('roles', () => {
  it('a narrow role sees its own part of a list, in pages, totals and counts, and changes no other', async () => {
    const narrow = await organization.user('Narrow');
    const [mine, other] = [await company('mine', narrow), await company('of another')];
    await add({ record_ids: [mine, other] });
    expect([await recordsOf(narrow), (await page(narrow)).total, await count(narrow)]).toEqual([[mine], 1, 1]);
    expect(
      (await narrow.get('/lists', { limit: 100 })).json.data.find(({ id }: { id: string }) => id === list),
    ).toMatchObject({
      entry_count: 1,
    });
    // What it does not see is answered as what is not there.
    const hidden = await add({ record_id: other }, narrow);
    const absent = await add({ record_id: nobody }, narrow);
    expect(hidden.text.replaceAll(other, nobody)).toBe(absent.text);
    expect((await remove({ record_ids: [other, nobody] }, narrow)).json).toMatchObject({ removed: 0, not_in_list: 2 });
    const entries = (await page()).data;
    const entryOf = (id: string) => entries.find(({ record_id }: { record_id: string }) => record_id === id).entry_id;
    const change = (id: string) => narrow.put(`/lists/${list}/entries/${id}`, { entry_fields: {} });
    expectError(await change(entryOf(other)), 'RECORD_NOT_FOUND');
    expect((await change(entryOf(mine))).json).toMatchObject({ record_id: mine });
    expect((await remove({ record_id: mine }, narrow)).json).toMatchObject({ removed: 1 });
    expect(await recordsOf()).toEqual([other]);
  });

  it('of objects that a role may not know, and of lists of these alone, nothing is told', async () => {
    const clerk = await organization.user('Clerk');
    const person = await create(admin, 'contacts', { last_name: 'Shown' });
    await add({ record_id: await company('secret') });
    await add({ object_type: 'contacts', record_id: person.id });
    expect((await clerk.get(`/lists/${list}`)).json).toMatchObject({ object_types: ['contacts'], entry_count: 1 });
    expect((await page(clerk)).data).toMatchObject([{ record_id: person.id, record: { display: null } }]);
    const [hidden, absent] = [
      await add({ record_id: nobody }, clerk),
      await add({ object_type: 'x', record_id: nobody }, clerk),
    ];
    expectError(hidden, 'VALIDATION_ERROR');
    expect(hidden.text.replace('companies', 'x')).toBe(absent.text);
    const secret = await newList({ name: 'Secret', object_types: ['companies', 'opportunities'] });
    expect((await clerk.get('/lists', { search: 'Secret' })).json).toEqual({ data: [], total: 0 });
    expect((await clerk.get('/lists', { object_type: 'companies' })).json.total).toBe(0);
    for (const path of [`/lists/${secret}`, `/lists/${secret}/entries`])
      expect((await clerk.get(path)).text.replace(secret, nobody)).toBe(
        (await clerk.get(path.replace(secret, nobody))).text,
      );
    const reply = await create(clerk, 'contacts', { last_name: 'x' });
    const told = await clerk.put(`/records/contacts/${reply.id}`, { add_to_list_ids: [secret, nobody] });
    const [one, two] = told.json.lists;
    expect({ ...one, list_id: '', error: one.error.replace(secret, '') }).toEqual({
      ...two,
      list_id: '',
      error: two.error.replace(nobody, ''),
    });
  });

  it('who writes no record of an object neither adds nor removes; who may create only adds what it makes', async () => {
    const reader = await organization.user('Reader');
    const id = await company('read');
    await add({ record_id: id });
    const [{ entry_id: entry }] = (await page(reader)).data;
    expectError(await add({ record_id: id }, reader), 'PERMISSION_DENIED');
    expectError(await remove({ record_id: id }, reader), 'PERMISSION_DENIED');
    expectError(await reader.put(`/lists/${list}/entries/${entry}`, { entry_fields: {} }), 'PERMISSION_DENIED');
    const drop = await organization.user('Drop');
    const made = await drop.post('/records/companies', { name: 'dropped', add_to_list_ids: [list] });
    expect(made.json.lists).toMatchObject([{ added: 1 }]);
    expect((await add({ record_id: made.json.id }, drop)).json).toMatchObject({ added: 0, failed: 1 });
    expect([await count(drop), (await page(drop)).data]).toEqual([0, []]);
  });
});

describe('list keys of a record', () => {
  it('RECO2-31: a list that needs a value refuses them in words, and one with defaults fills them in', async () => {
    const needs = await newList({ fields: [{ name: 'reason', type: 'TEXT', isRequired: true }] });
    const fills = await newList({ fields: [{ name: 'stage', type: 'TEXT', defaultValue: 'new' }] });
    const reply = await admin.post('/records/companies', { name: 'k', add_to_list_ids: [needs, fills] });
    expect(reply.json.lists).toEqual([
      { list_id: needs, added: 0, skipped_already_in_list: 0, failed: 1, error: 'reason is required' },
      { list_id: fills, added: 1, skipped_already_in_list: 0, failed: 0 },
    ]);
    expect((await admin.get(`/records/companies/${reply.json.id}`)).json.lists).toMatchObject([
      { list_id: fills, entry_fields: { stage: 'new' } },
    ]);
  });
});

describe('lists of a record', () => {
  it('are told by their names, with the values of their fields in the order of the list', async () => {
    const fields = [
      { name: 'tags', type: 'MULTI_SELECT', options: [{ value: 'a', label: 'A' }] },
      { name: 'amount', type: 'NUMBER' },
      { name: 'note', type: 'TEXT' },
    ];
    const [late, early] = [await newList({ name: '😀' }), await newList({ name: 'Ärger' })];
    const middle = await newList({ name: '\uffe0', fields });
    const id = await company('listed');
    const enter = async (to: string, values: object) => {
      const body = { object_type: 'companies', record_id: id, entry_fields: values };
      expect((await admin.post(`/lists/${to}/entries`, body)).json.added).toBe(1);
    };
    await enter(late, {});
    await enter(early, {});
    await enter(middle, { note: 'a "b"', amount: 12.5 });
    const reply = await admin.get(`/records/companies/${id}`);
    expect(reply.json.lists).toMatchObject([
      { list_id: early, entry_fields: {} },
      { list_id: middle, entry_fields: { tags: [], amount: 12.5, note: 'a "b"' } },
      { list_id: late, entry_fields: {} },
    ]);
    expect(Object.keys(reply.json.lists[1].entry_fields)).toEqual(['tags', 'amount', 'note']);
  });

  it('a record that is on none has none', async () => {
    expect((await admin.get(`/records/companies/${await company('alone')}`)).json).not.toHaveProperty('lists');
  });
});

describe('trials and repeats', () => {
  it('a dry run adds nothing, and a repeated request adds once', async () => {
    const id = await company('tried');
    const body = { object_type: 'companies', record_id: id };
    const trial = await admin.post(`/lists/${list}/entries?dry_run=true`, body);
    expect([trial.json.added, await count()]).toEqual([1, 0]);
    const key = { 'idempotency-key': 'once' };
    const first = await admin.post(`/lists/${list}/entries`, body, key);
    expect((await admin.post(`/lists/${list}/entries`, body, key)).text).toBe(first.text);
    expect(first.json.added).toBe(1);
    const made = { name: 'Made once', object_types: ['companies'], record_ids: [id] };
    const [one, two] = [
      await admin.post('/lists', made, { 'idempotency-key': 'l' }),
      await admin.post('/lists', made, { 'idempotency-key': 'l' }),
    ];
    expect(two.text).toBe(one.text);
    expect((await admin.get('/lists', { search: 'made once' })).json.total).toBe(1);
  });
});
