/** A cursor fits the list that gave it, and no other: neither of another organization, object or record, nor in another order. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { create, createAll, expectError } from './records.ts';

interface Side {
  readonly admin: Client;
  /** A record with several entries of history. */
  readonly changed: string;
}

let kith: TestKith;
let here: Side;
let there: Side;

beforeAll(async () => {
  kith = await startKith();
  [here, there] = await Promise.all([makeSide(), makeSide()]);
});
afterAll(() => kith.stop());

async function makeSide(): Promise<Side> {
  const organization = await kith.organization();
  const { admin } = organization;
  for (const role of ['Member', 'Viewer']) await organization.user(role);
  for (const object of ['companies', 'opportunities']) {
    const rows = await createAll(
      admin,
      object,
      ['a', 'b', 'c', 'd'].map((name) => ({ name: `Acme ${name}` })),
    );
    for (const { id } of rows.slice(0, 2)) await admin.delete(`/records/${object}/${id}`);
  }
  const { id } = await create(admin, 'companies', { name: 'x' });
  for (const name of ['y', 'z']) await admin.put(`/records/companies/${id}`, { name });
  return { admin, changed: id };
}

type Place = readonly [path: string | ((side: Side) => string), query?: Readonly<Record<string, unknown>>];

const lists: Readonly<Record<string, Place>> = {
  records: ['/records/companies'],
  'records of another object': ['/records/opportunities'],
  'records by name': ['/records/companies', { sort_by: 'name', sort_dir: 'asc' }],
  'records by name, downwards': ['/records/companies', { sort_by: 'name', sort_dir: 'desc' }],
  'records that have a name': ['/records/companies', { filter_field: 'name', filter_operator: 'is_not_null' }],
  'records of a search': ['/records/companies', { search: 'acme' }],
  'an export': ['/export/companies'],
  users: ['/users'],
  'active users': ['/users', { is_active: true }],
  'users of a name': ['/users', { search: 'kith' }],
  trash: ['/trash/companies'],
  'trash of another object': ['/trash/opportunities'],
  history: [({ changed }) => `/records/companies/${changed}/history`],
};

const ask = ({ admin, ...side }: Side, [path, query]: Place, more: object) =>
  admin.get(typeof path === 'string' ? path : path({ admin, ...side }), { ...query, limit: 1, ...more });

describe.each(Object.entries(lists))('%s', (name, place) => {
  it('take their own cursor, and that of no other list', async () => {
    const { nextCursor: cursor } = (await ask(here, place, {})).json;
    expect(cursor).toEqual(expect.any(String));
    expect((await ask(here, place, { cursor })).status).toBe(200);
    const foreign = await ask(there, place, { cursor });
    expectError(foreign, 'VALIDATION_ERROR');
    expect(foreign.json.message).toMatch(/^cursor is not one/);
    for (const [other, another] of Object.entries(lists).filter(([known]) => known !== name)) {
      const reply = await ask(here, another, { cursor });
      expect([other, reply.status, reply.json.code]).toEqual([other, 400, 'VALIDATION_ERROR']);
      expect(reply.json.message).toMatch(/^cursor /);
    }
  });
});
