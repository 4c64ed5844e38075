/** Undos at the same time as other writes of the same records, and as each other: nothing waits for ever, is lost, or is undone twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { createAll } from '../api/records.ts';
import { run } from '../api/workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let member: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  member = await organization.user('Member');
});
afterAll(() => kith.stop());

async function newCompanies(count: number): Promise<string[]> {
  const records = Array.from({ length: count }, (_, at) => ({ name: `A${at}`, employees: 1 }));
  return (await createAll(admin, 'companies', records)).map(({ id }) => id);
}

async function changedTogether(ids: readonly string[], values: object): Promise<string> {
  const id = crypto.randomUUID();
  for (const one of ids) {
    const reply = await admin.put(`/records/companies/${one}`, values, { 'change-set': id });
    expect(reply.status, reply.text).toBe(200);
  }
  return id;
}

const undo = (id: string) => admin.post('/undo', { change_set: id });

/** How often undos wrote each record. */
async function writesOfUndo(ids: readonly string[]): Promise<number[]> {
  const history = identifier(organization.schema, '_history');
  const rows = await run(
    kith,
    organization,
    sql`select count(h.id) from unnest(${ids}::uuid[]) r (id) left join ${history} h on h.record_id = r.id and h.means = 'undo' group by r.id`,
  );
  return rows.map(([count]) => Number(count));
}

describe('undo at once', () => {
  it('with updates of other and of the same fields: no write of somebody else is lost', async () => {
    const ids = await newCompanies(60);
    const set = await changedTogether(ids, { name: 'B', employees: 2 });
    const written = new Map<string, number>();
    const write = async (id: string, at: number): Promise<void> => {
      const reply = await member.put(`/records/companies/${id}`, {
        employees: 100 + at,
        domain: `https://w${at}.test`,
      });
      // On a busy machine all connections can be in use for longer than a request waits: nothing is written then.
      if (reply.status === 503) return write(id, at);
      expect(reply.status, reply.text).toBe(200);
      written.set(id, 100 + at);
    };
    const [undone] = await Promise.all([undo(set), ...ids.toReversed().map(write)]);
    expect(undone.status, undone.text).toBe(200);
    for (const id of ids) {
      const { record } = (await admin.get(`/records/companies/${id}`)).json;
      expect([record.name.slice(0, 1), record.employees]).toEqual(['A', written.get(id)]);
    }
  });

  it('with another undo of the same change set, with deletes and restores: each record is undone once', async () => {
    const ids = await newCompanies(60);
    const set = await changedTogether(ids, { name: 'B' });
    const gone = ids.filter((_, at) => at % 5 === 0);
    const away = async (id: string) => {
      await admin.delete(`/records/companies/${id}`);
      await admin.post(`/records/companies/${id}/restore`);
    };
    const [first, second, third] = await Promise.all([undo(set), undo(set), undo(set), ...gone.map(away)]);
    const replies = [first, second, third] as Reply[];
    for (const reply of replies) expect(reply.status, reply.text).toBe(200);
    const undone = replies.reduce((sum, { json }) => sum + json.undone, 0);
    const counts = await writesOfUndo(ids);
    expect(counts.filter((count) => count > 1)).toEqual([]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(undone);
    expect(undone).toBeGreaterThanOrEqual(ids.length - gone.length);
  });

  it('with an undo of an undo, over what two change sets wrote in other orders: none fails', async () => {
    const ids = await newCompanies(40);
    const names = await changedTogether(ids, { name: 'B' });
    const numbers = await changedTogether(ids.toReversed(), { employees: 9 });
    const first = await undo(names);
    const replies = await Promise.all([undo(first.json.change_set), undo(numbers), undo(names), undo(numbers)]);
    for (const reply of replies) expect(reply.status, reply.text).toBe(200);
    for (const id of ids) {
      const { record } = (await admin.get(`/records/companies/${id}`)).json;
      expect([record.name, record.employees]).toEqual(['B', 1]);
    }
  });
});
