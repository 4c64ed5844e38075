/** [decisions: Writing] The list of change sets: who, from where, when, how many. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangeSetsListQuery, KithClient } from '../../client/index.js';
import { identifier, join, sql, statement } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { refusal, typed } from '../support/typed.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: KithClient;
let bob: Client;
let member: KithClient;
let narrow: KithClient;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  admin = typed(kith, organization.admin);
  const permissions = {
    '*': { view: 'own', create: true, update: 'own', delete: 'own' },
    companies: { fields: { description: 'read' } },
    opportunities: { view: 'all', update: 'all', fields: { probability: 'none' } },
  };
  await admin.manifest.apply({ roles: [{ name: 'Narrow', permissions }] });
  bob = await organization.user('Member');
  member = typed(kith, bob);
  narrow = typed(kith, await organization.user('Narrow'));
});
afterAll(() => kith.stop());

/** The change set of a write. */
const setOf = async (call: ReturnType<KithClient['records']['create']>) => (await call.withResponse()).changeSet ?? '';
const page = (client: KithClient, query: ChangeSetsListQuery = {}) => client.changeSets.list(query);
const unknown = (client: KithClient, id: string) => refusal(client.changeSets.get(id));

describe('GET /change-sets', () => {
  it('lists own ones, the latest first, and admins all: who, by what means, when, how many', async () => {
    const id = crypto.randomUUID();
    const together = { changeSet: id };
    const records = [{ name: 'A' }, { name: 'B' }];
    const made = await member.records.batchCreate('companies', { records }, together);
    await member.records.update('companies', made.records[0]?.id ?? '', { name: 'C' }, together);
    const other = await setOf(admin.records.create('companies', { name: 'D' }));
    const expected = {
      id,
      at: expect.stringMatching(/Z$/),
      actor: { id: bob.workspaceUserId, display: expect.any(String) },
      means: 'api',
      agent: null,
      operation: 'records.batchCreate',
      writes: 3,
      records: 2,
    };
    expect(await page(member)).toEqual({ data: [expected], total: 1 });
    const all = await page(admin);
    expect(all.data.slice(0, 2)).toEqual([
      expect.objectContaining({ id: other, writes: 1 }),
      { ...expected, token: expect.any(String) },
    ]);
    expect(await page(admin, { actor: bob.workspaceUserId })).toMatchObject({ total: 1, data: [{ id }] });
    expect(await member.changeSets.get(id)).toEqual({ change_set: expected });
    expect((await unknown(member, other)).code).toBe('RECORD_NOT_FOUND');
    expect((await unknown(member, 'x')).code).toBe('RECORD_NOT_FOUND');
  });

  it('is paged, every change set once, and takes since', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) ids.unshift(await setOf(admin.records.create('contacts', { first_name: `P${at}` })));
    const found: string[] = [];
    for await (const { id } of admin.changeSets.listAll({ limit: 2 })) found.push(id);
    expect([found.slice(0, 5), new Set(found).size]).toEqual([ids, found.length]);
    expect((await page(admin)).total).toBe(found.length);
    const since = (await admin.changeSets.get(ids[2] ?? '')).change_set.at;
    expect((await page(admin, { since })).total).toBe(3);
    const cursor = (await page(admin, { limit: 1 })).nextCursor ?? '';
    for (const query of [{ since: 'x' }, { actor: 'x' }])
      expect((await refusal(page(admin, query))).code).toBe('VALIDATION_ERROR');
    expect((await refusal(page(member, { cursor, since }))).code).toBe('VALIDATION_ERROR');
  });

  it('counts only what the caller sees: no private note of others, no hidden field, no record out of sight', async () => {
    const { changeSet: noted = '' } = await member.notes.create({ content: '<p>Secret</p>' }).withResponse();
    expect((await unknown(admin, noted)).code).toBe('RECORD_NOT_FOUND');
    expect((await member.changeSets.get(noted)).change_set).toMatchObject({ writes: 1 });

    const { id } = await admin.records.create('opportunities', { name: 'D' });
    const { changeSet: seen = '' } = await narrow.records.update('opportunities', id, { name: 'E' }).withResponse();
    expect((await narrow.changeSets.get(seen)).change_set).toMatchObject({ writes: 1, records: 1 });
    await admin.manifest.apply({
      roles: [
        {
          name: 'Narrow',
          permissions: {
            '*': { view: 'own', create: true, update: 'own', delete: 'own' },
            opportunities: { view: 'all', update: 'all', fields: { name: 'none' } },
          },
        },
      ],
    });
    expect((await unknown(narrow, seen)).code).toBe('RECORD_NOT_FOUND');
    expect((await admin.changeSets.get(seen)).change_set).toMatchObject({ writes: 1 });
  });

  it('has those of undos as well, and a demo, job or import by its means', async () => {
    const made = await setOf(admin.records.create('contacts', { first_name: 'U' }));
    const undone = await admin.changeSets.undo({ change_set: made });
    expect((await page(admin)).data[0]).toMatchObject({
      id: undone.change_set,
      means: 'undo',
      operation: 'changeSet.undo',
    });
    await admin.records.import('contacts', { records: [{ first_name: 'I' }] });
    expect((await page(admin)).data[0]?.means).toBe('import');
  });

  it('lists what is behind change sets of tens of thousands of writes within the time of a request', async () => {
    const made = await setOf(admin.records.create('contacts', { first_name: 'Before' }));
    await setOf(admin.records.create('contacts', { first_name: 'Often' }));
    const history = identifier(organization.schema, '_history');
    const columns = await kith.database.database.run(
      'test',
      statement(sql`select attname from pg_attribute where attrelid = ${`${organization.schema}._history`}::regclass
        and attnum > 0 and not attisdropped and attidentity = ''`),
    );
    const copied = join(
      columns.rows.map(([name]) => identifier(name ?? '')),
      ', ',
    );
    const again = sql`insert into ${history} (${copied}) select ${copied} from ${history}, generate_series(1, 40000)
      where id = (select max(id) from ${history})`;
    await kith.database.database.run('test', statement(again));
    const { data } = await page(admin, { limit: 2 });
    expect(data.map(({ id, writes }) => [id === made, writes])).toEqual([
      [false, 40_001],
      [true, 1],
    ]);
  });
});
