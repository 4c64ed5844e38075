/** [spec: Records, Import] `add_to_list_ids` and `create_list_name`, beside every way to write records. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, expectError, uuid } from './records.ts';

const nobody = '01890000-0000-7000-8000-000000000000';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  admin = organization.admin;
});
afterAll(() => kith.stop());

/** A new list that takes companies; its first entry is a record of its own. */
async function newList(name: string): Promise<string> {
  const reply = await admin.post('/records/companies', { name: `first of ${name}`, create_list_name: name });
  expect(reply.json.created_list).toEqual({ id: expect.stringMatching(uuid), name });
  return reply.json.created_list.id;
}

const listsOf = async (object: string, id: string) => (await admin.get(`/records/${object}/${id}`)).json.lists;
const outcome = (list_id: string, added: number, skipped_already_in_list = 0, failed = 0) => ({
  list_id,
  added,
  skipped_already_in_list,
  failed,
});

describe('create', () => {
  it('RECO2-04: create_list_name creates a list that allows the object and adds the record', async () => {
    const reply = await admin.post('/records/companies', { name: 'Listed', create_list_name: '  My list ' });
    expect(Object.keys(reply.json)).toEqual(['id', 'action', 'record', 'lists', 'created_list']);
    expect(reply.json.lists).toEqual([]);
    const list = reply.json.created_list;
    expect(list).toEqual({ id: expect.stringMatching(uuid), name: 'My list' });
    expect(await listsOf('companies', reply.json.id)).toEqual([
      { list_id: list.id, list_name: 'My list', entry_id: expect.stringMatching(uuid), entry_fields: {} },
    ]);
    const contact = await admin.post('/records/contacts', { add_to_list_ids: [list.id] });
    expect(contact.json.lists).toEqual([{ ...outcome(list.id, 0, 0, 1), error: expect.stringContaining('contacts') }]);
  });

  it('RECO2-03: add_to_list_ids adds to each list, once', async () => {
    const [a, b] = [await newList('A'), await newList('B')];
    const reply = await admin.post('/records/companies', { name: 'Twice', add_to_list_ids: [a, b, a] });
    expect(reply.json.lists).toEqual([outcome(a, 1), outcome(b, 1)]);
    expect(reply.json).not.toHaveProperty('created_list');
    expect(
      (await listsOf('companies', reply.json.id)).map((entry: { list_name: string }) => entry.list_name).toSorted(),
    ).toEqual(['A', 'B']);
  });

  it("RECO-11: entry_fields holds the list's values for the record; lists is of the get alone", async () => {
    const id = await newList('Valued');
    expect((await admin.put(`/lists/${id}`, { fields: [{ name: 'stage', type: 'TEXT' }] })).status).toBe(200);
    const record = await create(admin, 'companies', { name: 'V' });
    await admin.post(`/lists/${id}/entries`, {
      object_type: 'companies',
      record_id: record.id,
      entry_fields: { stage: 'hot' },
    });
    const [entry] = await listsOf('companies', record.id);
    expect(entry).toMatchObject({ list_id: id, entry_fields: { stage: 'hot' } });
    expect(record).not.toHaveProperty('lists');
    expect((await admin.get('/records/companies')).json.data[0]).not.toHaveProperty('lists');
  });

  it.each([
    ['that does not exist', nobody],
    ['whose id is none', 'x'],
  ])('RECO2-31: a list %s never rolls back the record', async (_name, listId) => {
    const good = await newList('Good');
    const reply = await admin.post('/records/companies', { name: 'Kept', add_to_list_ids: [listId, good] });
    expect(reply.status).toBe(200);
    expect(reply.json.lists).toEqual([{ ...outcome(listId, 0, 0, 1), error: expect.any(String) }, outcome(good, 1)]);
    expect((await admin.get(`/records/companies/${reply.json.id}`)).json.record.name).toBe('Kept');
  });

  it.each([
    ['add_to_list_ids that is a text', { add_to_list_ids: nobody }],
    ['add_to_list_ids of numbers', { add_to_list_ids: [1] }],
    ['an empty create_list_name', { create_list_name: ' ' }],
    ['create_list_name that is a number', { create_list_name: 5 }],
    ['a create_list_name of 201 characters', { create_list_name: 'x'.repeat(201) }],
  ])('%s is VALIDATION_ERROR, and nothing is written', async (_name, keys) => {
    const { total } = (await admin.get('/records/companies')).json;
    expectError(await admin.post('/records/companies', { name: 'Never', ...keys }), 'VALIDATION_ERROR');
    expect((await admin.get('/records/companies')).json.total).toBe(total);
  });
});

describe('update', () => {
  it('RECO2-06: takes both keys, also without a change', async () => {
    const id = await newList('Updates');
    const record = await create(admin, 'companies', { name: 'U' });
    const first = await admin.put(`/records/companies/${record.id}`, {
      add_to_list_ids: [id],
      create_list_name: 'Newer',
    });
    expect(first.json).toMatchObject({ action: 'updated', lists: [outcome(id, 1)], created_list: { name: 'Newer' } });
    const second = await admin.put(`/records/companies/${record.id}`, { name: 'U2', add_to_list_ids: [id] });
    expect(second.json.lists).toEqual([outcome(id, 0, 1)]);
    expect(await listsOf('companies', record.id)).toHaveLength(2);
  });
});

describe('batch and import', () => {
  it('RECO2-07: the keys at top level count for every created record of a batch', async () => {
    const id = await newList('Batch');
    const reply = await admin.post('/records/companies/batch/create', {
      records: [{ name: 'a' }, {}, { name: 'b' }],
      add_to_list_ids: [id],
      create_list_name: 'Both',
    });
    expect(reply.json).toMatchObject({
      created: 2,
      failed: 1,
      lists: [outcome(id, 2)],
      created_list: { name: 'Both' },
    });
    for (const record of reply.json.records) expect(await listsOf('companies', record.id)).toHaveLength(2);
  });

  it('IMPO-06, IMPO-08: an import adds what it created, and names the lists only when it created something', async () => {
    const id = await newList('Import');
    const reply = await admin.post('/import/companies', {
      records: [{ name: 'a' }, {}],
      add_to_list_ids: [id, nobody],
      create_list_name: 'Fresh',
    });
    expect(reply.json).toMatchObject({ created: 1, failed: 1, created_list: { name: 'Fresh' } });
    expect(reply.json.lists).toEqual([outcome(id, 1), { ...outcome(nobody, 0, 0, 1), error: expect.any(String) }]);
    expect(await listsOf('companies', reply.json.created_ids[0])).toHaveLength(2);
    const onlyNew = await admin.post('/import/companies', { records: [{ name: 'a' }], create_list_name: 'Alone' });
    expect(onlyNew.json).toMatchObject({ created: 1, lists: [], created_list: { name: 'Alone' } });
    const none = await admin.post('/import/companies', {
      records: [{}],
      add_to_list_ids: [id],
      create_list_name: 'Not made',
    });
    expect(none.json).toMatchObject({ created: 0, failed: 1 });
    for (const key of ['lists', 'created_list', 'create_list_error']) expect(none.json).not.toHaveProperty(key);
    const without = await admin.post('/import/companies', { records: [{ name: 'a' }] });
    for (const key of ['lists', 'created_list', 'create_list_error']) expect(without.json).not.toHaveProperty(key);
  });
});

describe('no admin', () => {
  it('RECO2-05: create_list_name is PERMISSION_DENIED before anything is written; add_to_list_ids is not', async () => {
    const member = await organization.user('Member');
    const id = await newList('Shared');
    const { id: recordId } = await create(member, 'companies', { name: 'Of a member' });
    const { total } = (await admin.get('/records/companies')).json;
    for (const reply of [
      await member.post('/records/companies', { name: 'x', create_list_name: 'Mine' }),
      await member.post('/records/companies/batch/create', { records: [{ name: 'x' }], create_list_name: 'Mine' }),
      await member.put(`/records/companies/${recordId}`, { name: 'Changed', create_list_name: 'Mine' }),
    ])
      expectError(reply, 'PERMISSION_DENIED');
    expect((await admin.get('/records/companies')).json.total).toBe(total);
    expect((await admin.get(`/records/companies/${recordId}`)).json.record.name).toBe('Of a member');
    expect((await member.put(`/records/companies/${recordId}`, { add_to_list_ids: [id] })).json.lists).toEqual([
      outcome(id, 1),
    ]);
  });
});
