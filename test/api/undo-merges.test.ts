/** `POST /undo` of change sets that are merges. [decisions: Writing] */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { setOf, together, undo } from './change-sets.ts';
import { create, expectError } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
});
afterAll(() => kith.stop());

async function merged() {
  const master = await create(admin, 'companies', { name: 'Acme' });
  const twin = await create(admin, 'companies', { name: 'Acme Inc', industry: 'software' });
  const contact = await create(admin, 'contacts', { first_name: 'Anna', company_id: twin.id });
  const reply = await admin.post('/duplicates', {
    action: 'merge',
    object_name: 'companies',
    master_id: master.id,
    duplicate_ids: [twin.id],
    merge_strategy: 'fill_blanks',
  });
  expect(reply.status, reply.text).toBe(200);
  return { master: master.id, twin: twin.id, contact: contact.id, set: setOf(reply) };
}

const read = async (object: string, id: string) => (await admin.get(`/records/${object}/${id}`)).json.record;
const companyOf = async (contact: string) => (await read('contacts', contact)).company_id;

it('gives the duplicates back, with what led to them and what the master got of them', async () => {
  const { master, twin, contact, set } = await merged();
  expect([await companyOf(contact), (await read('companies', master)).industry]).toEqual([master, 'software']);

  const tried = await admin.post('/undo?dry_run=true', { change_set: set });
  expect(tried.json).toMatchObject({ undone: 1, left: [] });
  expect(await companyOf(contact)).toBe(master);

  const done = await undo(admin, set);
  expect(done).toMatchObject({ undone: 1, left_count: 0, left: [] });
  expect([await companyOf(contact), (await read('companies', master)).industry]).toEqual([twin, null]);
  expect((await read('companies', twin)).name).toBe('Acme Inc');

  expect(await undo(admin, set)).toMatchObject({
    undone: 0,
    left: [{ object: 'companies', id: twin, reason: 'changed_since' }],
  });
  expectError(await admin.post('/undo', { change_set: done.change_set }), 'INVALID_OPERATION');
});

it('keeps what was changed since', async () => {
  const { master, twin, contact, set } = await merged();
  const other = await create(admin, 'companies', { name: 'Other' });
  await admin.put(`/records/contacts/${contact}`, { company_id: other.id });
  await admin.put(`/records/companies/${master}`, { industry: 'finance' });
  expect((await undo(admin, set)).undone).toBe(1);
  expect([await companyOf(contact), (await read('companies', master)).industry]).toEqual([other.id, 'finance']);
  expect((await read('companies', twin)).industry).toBe('software');
});

it('is for admins, and for merges alone', async () => {
  const { set } = await merged();
  const member = await organization.user('Member');
  expect((await member.post('/undo', { change_set: set })).status).toBe(400);
  const master = await create(admin, 'companies', { name: 'One' });
  const twin = await create(admin, 'companies', { name: 'Two' });
  const change = together(admin);
  await change.put(`/records/companies/${master.id}`, { name: 'A' });
  await change.post('/duplicates', {
    action: 'merge',
    object_name: 'companies',
    master_id: master.id,
    duplicate_ids: [twin.id],
  });
  const other = await create(admin, 'companies', { name: 'Beside' });
  await change.put(`/records/companies/${other.id}`, { name: 'B' });
  expectError(await admin.post('/undo', { change_set: change.id }), 'INVALID_OPERATION');
  expect((await read('companies', other.id)).name).toBe('B');
});
