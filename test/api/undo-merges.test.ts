/** `POST /undo` of change sets that are merges. [decisions: Writing] */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { updateUser } from '../../src/provision/users.ts';
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

it('is for admins', async () => {
  const { set } = await merged();
  const member = await organization.user('Member');
  expect((await member.post('/undo', { change_set: set })).status).toBe(400);
});

const mergeInto = (master: string, twin: string) => ({
  action: 'merge',
  object_name: 'companies',
  master_id: master,
  duplicate_ids: [twin],
  merge_strategy: 'fill_blanks',
});

/** One change set: records that are made, merged one into the other twice, changed before, between and after, and others beside them. */
async function mixed() {
  const a = await create(admin, 'companies', { name: 'A' });
  const b = await create(admin, 'companies', { name: 'B', industry: 'software' });
  const c = await create(admin, 'companies', { name: 'C', domain: 'https://c.example' });
  const contact = await create(admin, 'contacts', { first_name: 'Anna', company_id: c.id });
  const beside = await create(admin, 'companies', { name: 'Beside' });
  const ids = { a: a.id, b: b.id, c: c.id, contact: contact.id, beside: beside.id };
  const before = await all(ids);
  const change = together(admin);
  await change.put(`/records/companies/${b.id}`, { name: 'B 1' });
  await change.put(`/records/companies/${a.id}`, { name: 'A 1' });
  await change.post('/duplicates', mergeInto(b.id, c.id));
  await change.put(`/records/contacts/${contact.id}`, { first_name: 'Ben' });
  await change.post('/duplicates', mergeInto(a.id, b.id));
  await change.put(`/records/companies/${a.id}`, { industry: 'finance' });
  await change.put(`/records/companies/${beside.id}`, { name: 'Beside 1' });
  const made = await change.post('/records/companies', { name: 'Made' });
  return { ids, before, set: change.id, made: String(made.id) };
}

/** What tests look at of the records, by their names; undefined where one is not there. */
async function all(ids: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const shown = Object.entries(ids).map(async ([name, id]) => {
    const record = await read(name === 'contact' ? 'contacts' : 'companies', id);
    if (!record) return [name, undefined] as const;
    const { name: called, first_name: first, industry, domain, company_id: company } = record;
    return [name, { called, first, industry, domain, company }] as const;
  });
  return Object.fromEntries(await Promise.all(shown));
}

it('beside other writes goes with them: all is as it was before, whatever came first', async () => {
  const { ids, before, set, made } = await mixed();
  expect(await all(ids)).toMatchObject({
    a: { called: 'A 1', industry: 'finance', domain: 'https://c.example' },
    contact: { first: 'Ben', company: ids.a },
    b: undefined,
    c: undefined,
  });
  expect((await admin.post('/undo?dry_run=true', { change_set: set })).json).toMatchObject({ undone: 6, left: [] });
  expect(await undo(admin, set)).toMatchObject({ undone: 6, left_count: 0, left: [] });
  expect(await all({ ...ids, made })).toEqual({ ...before, made: undefined });
  const again = await undo(admin, set);
  expect(again.undone).toBe(0);
  expect(await all({ ...ids, made })).toEqual({ ...before, made: undefined });
});

it('beside other writes leaves what somebody has changed since, and what does not come back, and says so', async () => {
  const changed = await mixed();
  await admin.put(`/records/companies/${changed.ids.a}`, { industry: 'legal' });
  await admin.put(`/records/companies/${changed.ids.beside}`, { name: 'Beside 2' });
  const { left } = await undo(admin, changed.set);
  expect(left.map(({ id, reason }: { id: string; reason: string }) => [id, reason])).toEqual(
    expect.arrayContaining([
      [changed.ids.a, 'changed_since'],
      [changed.ids.beside, 'changed_since'],
    ]),
  );
  const { a, beside, ...others } = changed.before;
  expect(await all(changed.ids)).toEqual({
    ...others,
    a: { ...(a as object), industry: 'legal' },
    beside: { ...(beside as object), called: 'Beside 2' },
  });
  // What was merged is gone for good, and what was written beside it is not.
  const gone = await mixed();
  await admin.delete(`/trash/companies/${gone.ids.b}`);
  const done = await undo(admin, gone.set);
  expect(done.left).toContainEqual(expect.objectContaining({ id: gone.ids.b, reason: 'does_not_fit' }));
  expect(await all(gone.ids)).toMatchObject({
    a: { called: 'A', domain: 'https://c.example' },
    contact: { first: 'Anna', company: gone.ids.a },
    beside: { called: 'Beside' },
  });
});

it('beside other writes stays where whoever has merged is no admin any more', async () => {
  const former = await organization.user('Admin');
  const [one, two] = [
    await create(admin, 'companies', { name: 'One' }),
    await create(admin, 'companies', { name: 'Two' }),
  ];
  const change = together(former);
  await change.put(`/records/companies/${two.id}`, { name: 'Two 1' });
  await change.post('/duplicates', mergeInto(one.id, two.id));
  await change.put(`/records/companies/${one.id}`, { name: 'One 1' });
  const users = identifier(organization.schema, '_users');
  const query = sql`select email from ${users} where id = ${former.workspaceUserId}::uuid`;
  const { rows } = await kith.database.database.run(organization.id, statement(query));
  await updateUser(kith.deps, organization.id, String(rows[0]?.[0]), { role: 'Member' });
  // A Member may delete nothing, and sees no trash: what is in it is not named.
  expect(await undo(former, change.id)).toMatchObject({ undone: 1, left: [] });
  expect((await read('companies', one.id)).name).toBe('One');
  expect(await undo(admin, change.id)).toMatchObject({ undone: 1 });
  expect((await read('companies', two.id)).name).toBe('Two');
});

it('leaves an unmerge, whatever was written beside it', async () => {
  const { master, twin } = await merged();
  const change = together(admin);
  await change.post('/duplicates', { action: 'unmerge', object_name: 'companies', duplicate_ids: [twin] });
  await change.put(`/records/companies/${master}`, { name: 'Renamed' });
  const { undone, left } = await undo(admin, change.id);
  expect([undone, left]).toEqual([
    1,
    [
      {
        object: 'companies',
        id: twin,
        reason: 'does_not_fit',
        message: expect.stringMatching(/merge the records again/),
      },
    ],
  ]);
  expect((await read('companies', master)).name).toBe('Acme');
});
