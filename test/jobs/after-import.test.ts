/** [speed: Search] After many records have come in, PostgreSQL is told of them without waiting for its own rounds. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createJobs } from '../../src/jobs/jobs.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { refreshingStatistics } from '../../src/operations/background/after-import.ts';
import { sql } from '../../src/postgres/sql.ts';
import { rowsOf } from '../provision/setup.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { silentLog } from '../support/log.ts';
import { emailOf, ingest, messageLine } from '../api/conversations.ts';
import { jobsOf } from './steps.ts';

let kith: TestKith;
let organization: TestOrganization;
let stop = async () => {};
/** The job is put off by five seconds. */
const later: Clock = { now: () => Date.now() + 10_000 };

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
});
afterEach(() => stop());
afterAll(() => kith.stop());

const people = (count: number) => Array.from({ length: count }, (_, at) => ({ last_name: `Somebody ${at}` }));
const jobs = () => jobsOf(kith.database.database, organization.schema, 'after-import');

it('asks for nothing after a few', async () => {
  await organization.admin.post('/import/contacts', { records: people(10) });
  expect(await jobs()).toEqual([]);
});

it('asks once for the batches of a file, and has statistics when the job is done', async () => {
  for (let batch = 0; batch < 2; batch++) {
    const { json } = await organization.admin.post('/import/contacts', { records: people(1_000) });
    expect(json.created).toBe(1_000);
  }
  expect(await jobs()).toHaveLength(1);

  const { directory } = kith.deps;
  const kinds = [refreshingStatistics];
  stop = createJobs({ directory, clock: later, log: silentLog, kinds }).start();
  await expect
    .poll(async () => (await jobs()).map(({ state }) => state), { timeout: 10_000, interval: 20 })
    .toEqual(['done']);
  if (kith.database.database.engine === 'citus') return;
  const [known] = await rowsOf(
    kith.database.database,
    sql`select reltuples::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${organization.schema} and c.relname = 'contacts'`,
  );
  expect(Number(known?.[0])).toBe(2_010);
});

it('asks after a lot of messages, and has statistics of all tables into which they came', async () => {
  const other = await kith.organization();
  const user = await emailOf(other.admin);
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) =>
      messageLine(user, `m-${from + at}`, { external_thread_id: `t-${from + at}` }),
    );
  const asked = () => jobsOf(kith.database.database, other.schema, 'after-import');
  await ingest(kith, other, lines(0, 20));
  expect(await asked()).toEqual([]);
  await ingest(kith, other, lines(20, 1_020));
  expect(await asked()).toHaveLength(1);

  const { directory } = kith.deps;
  stop = createJobs({ directory, clock: later, log: silentLog, kinds: [refreshingStatistics] }).start();
  await expect
    .poll(async () => (await asked()).map(({ state }) => state), { timeout: 10_000, interval: 20 })
    .toEqual(['done']);
  if (kith.database.database.engine === 'citus') return;
  const known = await rowsOf(
    kith.database.database,
    sql`select c.relname, reltuples::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${other.schema} and c.relkind = 'r' and reltuples > 900 order by 1`,
  );
  expect(known).toEqual([
    ['_interaction_contents', '1020'],
    ['_interactions', '1020'],
    ['_participants', '2040'],
    ['_threads', '1020'],
  ]);
});
