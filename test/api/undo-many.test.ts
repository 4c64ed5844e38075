/** Undo of as many records as one takes: in sets, and so that everybody else is served meanwhile. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { expectError } from './records.ts';
import { run } from './workspace.ts';

const most = 10_000;

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
});
afterAll(() => kith.stop());

async function importCompanies(count: number, changeSet: string): Promise<void> {
  const records = Array.from({ length: count }, (_, at) => ({ name: `N${at}`, employees: 1 }));
  const reply = await admin.post('/import/companies', { records }, { 'change-set': changeSet });
  expect(reply.status, reply.text.slice(0, 500)).toBe(200);
}

/** The most that one turn of the event loop takes of the processor meanwhile, in milliseconds: others at work on the machine do not count. */
async function longestTurn(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let isOver = false;
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const watch = (before: number) => {
    const now = used();
    longest = Math.max(longest, now - before);
    if (!isOver) setImmediate(watch, now);
  };
  watch(used());
  await work();
  isOver = true;
  return longest;
}

/** Undoes it, and expects that all records are put back; on a machine of its own, without holding the event loop for as long as 50 ms. */
async function undoAll(changeSet: string): Promise<string> {
  let undone = '';
  const held = await longestTurn(async () => {
    const reply = await admin.post('/undo', { change_set: changeSet });
    expect(reply.json, reply.text).toMatchObject({ undone: most, left_count: 0, left: [] });
    undone = reply.json.change_set;
  });
  // What a turn takes of the processor depends on who else is at work, too.
  if (process.env['KITH_DEEP'] === '1') expect(held).toBeLessThan(50);
  return undone;
}

/** As if one change set had set another number of employees in all companies. */
async function changeAll(changeSet: string): Promise<void> {
  const [companies, history, fields, objects] = ['companies', '_history', '_fields', '_objects'].map((name) =>
    identifier(organization.schema, name),
  );
  const rows = await run(
    kith,
    organization,
    sql`select f.object_id, f.id from ${fields!} f join ${objects!} o on o.id = f.object_id where o.name = 'companies' and f.name = 'employees'`,
  );
  const [object = null, field = null] = rows[0] ?? [];
  await run(kith, organization, sql`update ${companies!} set employees = 2`);
  await run(
    kith,
    organization,
    sql`insert into ${history!} (object_id, record_id, action, before, actor_id, means, change_set, at)
    select ${object}::uuid, c.id, 'update', jsonb_build_object(${field}::text, 1), ${admin.workspaceUserId}::uuid, 'api', ${changeSet}::uuid, now()
    from ${companies!} c where c.deleted_at is null`,
  );
}

it(
  'takes 10,000 records and no more, made, deleted and changed, and holds nobody up',
  { timeout: 120_000 },
  async () => {
    const made = crypto.randomUUID();
    await importCompanies(most, made);
    await undoAll(await undoAll(made));
    const changed = crypto.randomUUID();
    await changeAll(changed);
    await undoAll(changed);
    const { total } = (
      await admin.get('/records/companies', { limit: 1, filters: { field: 'employees', operator: 'equals', value: 1 } })
    ).json;
    expect(total).toBe(most);
    await importCompanies(1, made);
    expectError(await admin.post('/undo', { change_set: made }), 'INVALID_OPERATION');
  },
);
