/** [decisions: Writing] Every write leaves its history row, in what it changed and nothing else; what is refused leaves none. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identifier, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
/** Field ids by object and name. */
const fieldIds = new Map<string, string>();
const objectIds = new Map<string, string>();

const table = (name: string): Sql => identifier(organization.schema, name);
const query = async (text: Sql) => (await kith.database.database.run(organization.id, statement(text))).rows;

interface Entry {
  readonly object: string;
  readonly record: string;
  readonly action: string;
  readonly before: unknown;
  readonly links: unknown;
  readonly actor: string;
  readonly token: string;
  readonly means: string;
  readonly changeSet: string;
}

/** What was written since the last look. */
let seen = '0';
async function written(): Promise<Entry[]> {
  const rows =
    await query(sql`select h.id, coalesce(o.name, 'lists'), h.record_id, h.action, h.before, h.links, h.actor_id, h.token_id, h.means, h.change_set
    from ${table('_history')} h left join ${table('_objects')} o on o.id = h.object_id where h.id > ${seen}::bigint order by h.id`);
  seen = rows.at(-1)?.[0] ?? seen;
  return rows.map(([, object, record, action, before, links, actor, token, means, changeSet]) => ({
    object: object ?? '',
    record: record ?? '',
    action: action ?? '',
    before: before && JSON.parse(before),
    links: links && JSON.parse(links),
    actor: actor ?? '',
    token: token ?? '',
    means: means ?? '',
    changeSet: changeSet ?? '',
  }));
}

const field = (object: string, name: string): string => fieldIds.get(`${object}.${name}`) ?? '';

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  admin = organization.admin;
  const rows = await query(
    sql`select o.name, o.id, f.name, f.id from ${table('_objects')} o join ${table('_fields')} f on f.object_id = o.id`,
  );
  for (const [object, objectId, name, id] of rows) {
    objectIds.set(object ?? '', objectId ?? '');
    fieldIds.set(`${object}.${name}`, id ?? '');
  }
});
afterAll(() => kith.stop());
beforeEach(() => written());

describe('one record', () => {
  it('a create leaves who, with which token and by which means, and no image', async () => {
    const [[tokenId]] = (await query(
      sql`select id from ${table('_tokens')} where workspace_user_id = ${admin.workspaceUserId}::uuid`,
    )) as [[string]];
    const { id } = await create(admin, 'companies', { name: 'New' });
    const [entry, ...others] = await written();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      object: 'companies',
      record: id,
      action: 'create',
      before: null,
      links: null,
      actor: admin.workspaceUserId,
      token: tokenId,
      means: 'api',
    });
  });

  it('an update leaves what the changed fields were, by field id', async () => {
    const { id } = await create(admin, 'companies', {
      name: 'Was',
      employees: 5,
      annual_revenue: { amount: 7.5, currency: 'EUR' },
      industry: 'retail',
    });
    await written();
    await admin.put(`/records/companies/${id}`, { name: 'Is', employees: null, annual_revenue: 9, industry: 'retail' });
    const [entry, ...others] = await written();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ record: id, action: 'update', actor: admin.workspaceUserId });
    expect(entry?.before).toEqual({
      [field('companies', 'name')]: 'Was',
      [field('companies', 'employees')]: 5,
      [field('companies', 'annual_revenue')]: [7.5, 'EUR'],
    });
  });

  it('links are pairs added and removed, with what they carried and where they stood', async () => {
    const [a, b, c] = await Promise.all(
      ['A', 'B', 'C'].map(async (first_name) => (await create(admin, 'contacts', { first_name })).id),
    );
    await written();
    const deal = await create(admin, 'opportunities', { name: 'D', contacts: [a, b] });
    const links = field('opportunities', 'contacts');
    const [[role]] = (await query(
      sql`select f.definition -> 'junctionFields' -> 0 ->> 'id' from ${table('_fields')} f where f.id = ${links}::uuid`,
    )) as [[string]];
    expect((await written()).map((entry) => [entry.action, entry.links])).toEqual([
      ['create', { [links]: { added: [a, b], removed: [] } }],
    ]);
    await admin.put(`/records/opportunities/${deal.id}`, { contacts: [b, c] });
    expect((await written()).map((entry) => [entry.action, entry.links])).toEqual([
      ['update', { [links]: { added: [c], removed: [a], was: { [a]: { [role]: null } }, stood: { [a]: 0 } } }],
    ]);
    await admin.put(`/records/opportunities/${deal.id}`, { contacts: [{ id: b, role: 'Buyer' }, c] });
    await admin.put(`/records/opportunities/${deal.id}`, { contacts: [{ id: b, role: 'Seller' }, c] });
    expect((await written()).map((entry) => entry.links)).toEqual([
      { [links]: { added: [], removed: [], was: { [b]: { [role]: null } } } },
      { [links]: { added: [], removed: [], was: { [b]: { [role]: 'Buyer' } } } },
    ]);
  });

  it('delete and restore leave one row each', async () => {
    const { id } = await create(admin, 'companies', { name: 'Trash' });
    await written();
    await admin.delete(`/records/companies/${id}`);
    await admin.post(`/records/companies/${id}/restore`);
    const entries = await written();
    expect(entries.map((entry) => [entry.record, entry.action, entry.object])).toEqual([
      [id, 'delete', 'companies'],
      [id, 'restore', 'companies'],
    ]);
    expect(entries[0]?.changeSet).not.toBe(entries[1]?.changeSet);
  });
});

describe('many records', () => {
  it.each([
    ['a batch', '/records/companies/batch/create', 'api'],
    ['an import', '/import/companies', 'import'],
  ])('%s leaves one row per record, all of one change set', async (_name, path, means) => {
    const { json } = await admin.post(path, { records: [{ name: 'a' }, {}, { name: 'b' }] });
    const ids = json.created_ids ?? json.records.map((record: { id: string }) => record.id);
    const entries = await written();
    expect(entries.map((entry) => entry.record).toSorted()).toEqual(ids.toSorted());
    expect(new Set(entries.map((entry) => `${entry.action} ${entry.means} ${entry.actor}`))).toEqual(
      new Set([`create ${means} ${admin.workspaceUserId}`]),
    );
    expect(new Set(entries.map((entry) => entry.changeSet)).size).toBe(1);
  });

  it('lists leave theirs: the list, and each entry that was added', async () => {
    const { json } = await admin.post('/records/companies', { name: 'Listed', create_list_name: 'L' });
    const entries = (await written()).filter((entry) => entry.object === 'lists');
    expect(entries.map((entry) => entry.record)).toEqual([json.created_list.id, json.created_list.id]);
    expect(entries.map((entry) => entry.action)).toEqual(['create', 'update']);
    expect(entries[1]?.links).toEqual({ entries: { added: [json.id], removed: [] } });
  });
});

it('what is refused leaves nothing', async () => {
  const member = await organization.user('Member');
  const { id } = await create(admin, 'companies', { name: 'Kept' });
  await written();
  await admin.post('/records/companies', {});
  await admin.put(`/records/companies/${id}`, { employees: 'many' });
  await admin.put(`/records/companies/${objectIds.get('companies')}`, { name: 'x' });
  await member.delete(`/records/companies/${id}`);
  await member.post('/import/companies', { records: [{ name: 'x' }] });
  await admin.post('/records/companies/batch/create', { records: [{}] });
  await admin.post(`/records/companies/${id}/restore`);
  expect(await written()).toEqual([]);
});
