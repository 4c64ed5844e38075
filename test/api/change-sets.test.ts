/** [decisions: Writing] The list of change sets: who, from where, when, how many. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create, expectError } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let member: Client;
let narrow: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  const permissions = {
    '*': { view: 'own', create: true, update: 'own', delete: 'own' },
    companies: { fields: { description: 'read' } },
    opportunities: { view: 'all', update: 'all', fields: { probability: 'none' } },
  };
  await apply(admin, { roles: [{ name: 'Narrow', permissions }] });
  member = await organization.user('Member');
  narrow = await organization.user('Narrow');
});
afterAll(() => kith.stop());

const setOf = (reply: Reply) => reply.headers.get('change-set') ?? '';
const page = async (client: Client, query = {}) => {
  const reply = await client.get('/change-sets', query);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
};

describe('GET /change-sets', () => {
  it('lists own ones, the latest first, and admins all: who, by what means, when, how many', async () => {
    const id = crypto.randomUUID();
    const header = { 'change-set': id };
    const records = [{ name: 'A' }, { name: 'B' }];
    const { json } = await member.post('/records/companies/batch/create', { records }, header);
    await member.put(`/records/companies/${json.records[0].id}`, { name: 'C' }, header);
    const other = setOf(await admin.post('/records/companies', { name: 'D' }));
    const expected = {
      id,
      at: expect.stringMatching(/Z$/),
      actor: { id: member.workspaceUserId, display: expect.any(String) },
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
    expect(await page(admin, { actor: member.workspaceUserId })).toMatchObject({ total: 1, data: [{ id }] });
    expect((await member.get(`/change-sets/${id}`)).json).toEqual({ change_set: expected });
    expectError(await member.get(`/change-sets/${other}`), 'RECORD_NOT_FOUND');
    expectError(await member.get('/change-sets/x'), 'RECORD_NOT_FOUND');
  });

  it('is paged, every change set once, and takes since', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) ids.unshift(setOf(await admin.post('/records/contacts', { first_name: `P${at}` })));
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { data, nextCursor } = await page(admin, { limit: 2, cursor });
      found.push(...data.map((one: { id: string }) => one.id));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect([found.slice(0, 5), new Set(found).size]).toEqual([ids, found.length]);
    expect((await page(admin)).total).toBe(found.length);
    const third = (await admin.get(`/change-sets/${ids[2]}`)).json.change_set.at;
    expect((await page(admin, { since: third })).total).toBe(3);
    expectError(await admin.get('/change-sets', { since: 'x' }), 'VALIDATION_ERROR');
    expectError(await admin.get('/change-sets', { actor: 'x' }), 'VALIDATION_ERROR');
    expectError(
      await member.get('/change-sets', { cursor: (await page(admin, { limit: 1 })).nextCursor, since: third }),
      'VALIDATION_ERROR',
    );
  });

  it('counts only what the caller sees: no private note of others, no hidden field, no record out of sight', async () => {
    const note = await member.post('/notes', { content: '<p>Secret</p>' });
    expectError(await admin.get(`/change-sets/${setOf(note)}`), 'RECORD_NOT_FOUND');
    expect((await member.get(`/change-sets/${setOf(note)}`)).json.change_set).toMatchObject({ writes: 1 });

    const deal = await create(admin, 'opportunities', { name: 'D' });
    const seen = await narrow.put(`/records/opportunities/${deal.id}`, { name: 'E' });
    expect((await narrow.get(`/change-sets/${setOf(seen)}`)).json.change_set).toMatchObject({ writes: 1, records: 1 });
    await apply(admin, {
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
    expectError(await narrow.get(`/change-sets/${setOf(seen)}`), 'RECORD_NOT_FOUND');
    expect((await admin.get(`/change-sets/${setOf(seen)}`)).json.change_set).toMatchObject({ writes: 1 });
  });

  it('has those of undos as well, and a demo, job or import by its means', async () => {
    const made = await admin.post('/records/contacts', { first_name: 'U' });
    const undone = await admin.post('/undo', { change_set: setOf(made) });
    expect((await page(admin)).data[0]).toMatchObject({
      id: undone.json.change_set,
      means: 'undo',
      operation: 'changeSet.undo',
    });
    const imported = await admin.post('/import/contacts', { records: [{ first_name: 'I' }] });
    expect([imported.status, (await page(admin)).data[0].means]).toEqual([200, 'import']);
  });
});
