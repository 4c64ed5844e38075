/** [decisions: Writing] What is in the trash, and its end. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { sweep } from '../../src/operations/background/sweep.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, createAll, expectError, sortedIds, timestamp } from './records.ts';
import { addRole, run } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());
beforeEach(async () => {
  organization = await kith.organization();
  admin = organization.admin;
});

const table = (name: string) => identifier(organization.schema, name);
const query = (text: ReturnType<typeof sql>) => run(kith, organization, text);
const deletedAgo = (object: string, days: number, ...ids: string[]) =>
  query(
    sql`update ${table(object)} set deleted_at = now() - ${days}::int * interval '1 day' where id = any(${ids}::uuid[])`,
  );
const sweepNow = () => sweep(kith.database.database, organization, systemClock.now(), new AbortController().signal);
const idsIn = async (object: string) =>
  (await query(sql`select id from ${table(object)} order by id`)).map(([id]) => id);
const historyOf = (id: string) =>
  query(
    sql`select action, before::text, links::text, means, actor_id from ${table('_history')} where record_id = ${id}::uuid order by id`,
  );

async function trashed(object: string, values: object): Promise<string> {
  const { id } = await create(admin, object, values);
  expect((await admin.delete(`/records/${object}/${id}`)).status).toBe(200);
  return id;
}

describe('GET /trash/{object}', () => {
  it('lists what was deleted, the latest first, with who did it', async () => {
    const member = await organization.user('Member');
    const first = await trashed('companies', { name: 'First' });
    const { id: second } = await create(member, 'companies', { name: 'Second' });
    await member.delete(`/records/companies/${second}`);
    await create(admin, 'companies', { name: 'Stays' });
    const { json } = await admin.get('/trash/companies');
    expect(json).toEqual({
      data: [
        {
          id: second,
          display: 'Second',
          deleted_at: expect.stringMatching(timestamp),
          deleted_by: { id: member.workspaceUserId, display: expect.stringMatching(/^Member/) },
        },
        {
          id: first,
          display: 'First',
          deleted_at: expect.stringMatching(timestamp),
          deleted_by: { id: admin.workspaceUserId, display: 'Ada Admin' },
        },
      ],
      total: 2,
    });
    expectError(await admin.get('/trash/nothing'), 'INVALID_OBJECT');
  });

  it('goes page by page, with records that were deleted at one moment too', async () => {
    const records = await createAll(
      admin,
      'companies',
      Array.from({ length: 7 }, (_, index) => ({ name: `C${index}` })),
    );
    const ids = records.map(({ id }) => id as string);
    await query(sql`update ${table('companies')} set deleted_at = '2026-01-02 03:04:05.678901+00'`);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { json } = await admin.get('/trash/companies', { limit: 3, cursor });
      expect(json.total).toBe(7);
      seen.push(...json.data.map(({ id }: { id: string }) => id));
      cursor = json.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(ids.toSorted().toReversed());
    const other = (await admin.get('/trash/companies', { limit: 1 })).json.nextCursor;
    expectError(await admin.get('/trash/contacts', { cursor: other }), 'VALIDATION_ERROR');
    expectError(await admin.get('/records/companies', { cursor: other }), 'VALIDATION_ERROR');
    expectError(await admin.get('/trash/companies', { cursor: `${other}x` }), 'VALIDATION_ERROR');
  });

  it('shows each what it may view and delete, and no hidden name', async () => {
    await addRole(kith, organization, 'Own', {
      companies: { view: 'all', create: true, delete: 'own', fields: { name: 'none' } },
    });
    await addRole(kith, organization, 'Blind', { companies: { view: 'none', delete: 'all' } });
    await addRole(kith, organization, 'Seller', { companies: { view: 'own', create: true, delete: 'all' } });
    const [own, blind, seller] = [
      await organization.user('Own'),
      await organization.user('Blind'),
      await organization.user('Seller'),
    ];
    await trashed('companies', { name: 'Of the admin' });
    const byOwn = await trashed('companies', { name: 'Of own', owner: own.workspaceUserId });
    const bySeller = await trashed('companies', { name: 'Of seller', owner: seller.workspaceUserId });
    const told = async (client: Client) =>
      (await client.get('/trash/companies')).json.data.map(({ id, display }: { id: string; display: string }) => [
        id,
        display,
      ]);
    expect(await told(own)).toEqual([[byOwn, null]]);
    expect(await told(seller)).toEqual([[bySeller, 'Of seller']]);
    expectError(await blind.get('/trash/companies'), 'PERMISSION_DENIED');
    expect((await own.get('/trash/companies')).json.total).toBe(1);
  });
});

describe('DELETE /trash/{object}/{id}', () => {
  it('removes one record for good: it, its links from both sides, its values, its places on lists', async () => {
    const [ada, bob] = await createAll(admin, 'contacts', [{ first_name: 'Ada' }, { first_name: 'Bob' }]);
    const listed = await create(admin, 'opportunities', {
      name: 'Deal',
      contacts: [{ id: ada.id, role: 'Buyer' }, bob.id],
    });
    await admin.post('/records/contacts', { create_list_name: 'Others' });
    const [list] = await query(sql`select id from ${table('_lists')}`);
    await admin.put(`/records/contacts/${ada.id}`, { last_name: 'Byron', add_to_list_ids: [list?.[0]] });
    await admin.delete(`/records/contacts/${ada.id}`);
    const reply = await admin.delete(`/trash/contacts/${ada.id}`);
    expect([reply.status, reply.json]).toEqual([200, { purged: true }]);

    expect(await idsIn('contacts')).not.toContain(ada.id);
    expectError(await admin.post(`/records/contacts/${ada.id}/restore`), 'RECORD_NOT_FOUND');
    expect((await admin.get('/trash/contacts')).json).toEqual({ data: [], total: 0 });
    const { record } = (await admin.get(`/records/opportunities/${listed.id}`)).json;
    expect(record.contacts.map(({ id }: { id: string }) => id)).toEqual([bob.id]);
    expect(await query(sql`select 1 from ${table('_list_entries')} where record_id = ${ada.id}::uuid`)).toEqual([]);

    expect(await historyOf(ada.id)).toEqual([
      ['create', null, null, 'api', admin.workspaceUserId],
      ['update', null, null, 'api', admin.workspaceUserId],
      ['delete', null, null, 'api', admin.workspaceUserId],
      ['purge', null, null, 'api', admin.workspaceUserId],
    ]);
    const [, unlinked] = await historyOf(listed.id);
    expect(unlinked?.[0]).toBe('unlink');
    expect(Object.values(JSON.parse(unlinked?.[2] ?? '{}'))).toMatchObject([
      { added: [], removed: [ada.id], was: { [ada.id]: expect.anything() }, stood: { [ada.id]: 0 } },
    ]);
  });

  it('removes the links that lead from it', async () => {
    const ada = await create(admin, 'contacts', { first_name: 'Ada' });
    const id = await trashed('opportunities', { name: 'Deal', contacts: [ada.id] });
    expect((await admin.delete(`/trash/opportunities/${id}`)).status).toBe(200);
    const [links] = await query(
      sql`select tablename from pg_tables where schemaname = ${organization.schema} and tablename like '\\_link\\_%'`,
    );
    expect(await query(sql`select 1 from ${table(links?.[0] ?? '')}`)).toEqual([]);
  });

  it('a relation to it keeps its id, without a display', async () => {
    const { id } = await create(admin, 'companies', { name: 'Gone' });
    const contact = await create(admin, 'contacts', { first_name: 'Stays', company_id: id });
    await admin.delete(`/records/companies/${id}`);
    await admin.delete(`/trash/companies/${id}`);
    const { record } = (await admin.get(`/records/contacts/${contact.id}`)).json;
    expect(record).toMatchObject({ company_id: id, company_id_display: null });
    expect((await admin.put(`/records/contacts/${contact.id}`, record)).status).toBe(200);
  });

  it('is told in the history of what was linked to it, to those who see the link', async () => {
    await addRole(kith, organization, 'Linkless', { '*': { view: 'all', fields: { contacts: 'none' } } });
    const linkless = await organization.user('Linkless');
    const contact = await create(admin, 'contacts', { first_name: 'Linked' });
    const deal = await create(admin, 'opportunities', { name: 'Deal', contacts: [contact.id] });
    await admin.delete(`/records/contacts/${contact.id}`);
    const before = new Date().toISOString();
    await admin.delete(`/trash/contacts/${contact.id}`);
    const entries = async (client: Client) => {
      const { data } = (await client.get(`/records/opportunities/${deal.id}/history`)).json;
      return data.map(({ action }: { action: string }) => action);
    };
    expect(await entries(admin)).toEqual(['unlink', 'create']);
    expect(await entries(linkless)).toEqual(['create']);
    const [{ changes }] = (await admin.get(`/records/opportunities/${deal.id}/history`)).json.data;
    expect(changes).toEqual([{ field: 'contacts', added: [], removed: [contact.id] }]);
    const then = await admin.get(`/records/opportunities/${deal.id}`, { as_of: before });
    expect(then.json.record.contacts).toMatchObject([{ id: contact.id, display: null }]);
    expectError(await admin.get(`/records/contacts/${contact.id}/history`), 'RECORD_NOT_FOUND');
  });

  it('counts anew what the links decided', async () => {
    const contact = await create(admin, 'contacts', { first_name: 'Linked' });
    await create(admin, 'opportunities', { name: 'Deal', contacts: [contact.id] });
    const linked = async () =>
      (await admin.get('/records/opportunities', { filter_field: 'contacts', filter_operator: 'is_not_empty' })).json
        .total;
    await admin.delete(`/records/contacts/${contact.id}`);
    expect(await linked()).toBe(1);
    await admin.delete(`/trash/contacts/${contact.id}`);
    expect(await linked()).toBe(0);
  });

  it('takes an admin, and a record that is in the trash', async () => {
    const member = await organization.user('Member');
    const id = await trashed('companies', { name: 'There' });
    expectError(await member.delete(`/trash/companies/${id}`), 'PERMISSION_DENIED');
    const { id: alive } = await create(admin, 'companies', { name: 'Alive' });
    expectError(await admin.delete(`/trash/companies/${alive}`), 'RECORD_NOT_FOUND');
    expectError(await admin.delete('/trash/companies/nonsense'), 'RECORD_NOT_FOUND');
    expectError(await admin.delete(`/trash/contacts/${id}`), 'RECORD_NOT_FOUND');
    expectError(await admin.delete(`/trash/nothing/${id}`), 'INVALID_OBJECT');
    expect(await idsIn('companies')).toEqual(sortedIds([{ id }, { id: alive }]));
  });
});

describe('the sweep', () => {
  it("removes what has been in the trash for thirty days, in nobody's name", async () => {
    const [old, recent] = [await trashed('companies', { name: 'Old' }), await trashed('companies', { name: 'Recent' })];
    const { id: alive } = await create(admin, 'companies', { name: 'Alive' });
    await deletedAgo('companies', 31, old);
    await deletedAgo('companies', 29, recent);
    expect(await sweepNow()).toEqual({ purged: 1, forgotten: 0 });
    expect(await idsIn('companies')).toEqual(sortedIds([{ id: recent }, { id: alive }]));
    expect((await historyOf(old)).at(-1)).toEqual(['purge', null, null, 'job', null]);
    expect(await sweepNow()).toEqual({ purged: 0, forgotten: 0 });
    expect((await admin.post(`/records/companies/${recent}/restore`)).status).toBe(200);
  });

  it('goes through more than one transaction takes, links among the removed included', async () => {
    const contacts = await createAll(
      admin,
      'contacts',
      Array.from({ length: 600 }, () => ({})),
    );
    const ids = contacts.map(({ id }) => id as string);
    const deal = await create(admin, 'opportunities', { name: 'Deal', contacts: ids.slice(0, 3) });
    await deletedAgo('contacts', 40, ...ids);
    await deletedAgo('opportunities', 40, deal.id);
    expect(await sweepNow()).toEqual({ purged: 601, forgotten: 0 });
    expect(await idsIn('contacts')).toEqual([]);
  });

  it('two at once remove each record once', async () => {
    const contacts = await createAll(
      admin,
      'contacts',
      Array.from({ length: 50 }, () => ({})),
    );
    await deletedAgo('contacts', 40, ...contacts.map(({ id }) => id as string));
    const swept = await Promise.all([sweepNow(), sweepNow()]);
    const again = await sweepNow();
    expect([...swept, again].reduce((sum, { purged }) => sum + purged, 0)).toBe(50);
    const rows = await query(
      sql`select count(*), count(distinct record_id) from ${table('_history')} where action = 'purge'`,
    );
    expect(rows).toEqual([['50', '50']]);
  });

  it('forgets the answers of keys that are older than a day', async () => {
    await admin.post('/records/contacts', {}, { 'idempotency-key': 'old' });
    await query(sql`update ${table('_idempotency')} set created_at = now() - interval '25 hours'`);
    await admin.post('/records/contacts', {}, { 'idempotency-key': 'new' });
    expect(await sweepNow()).toEqual({ purged: 0, forgotten: 1 });
    expect(await query(sql`select count(*) from ${table('_idempotency')}`)).toEqual([['1']]);
  });
});
