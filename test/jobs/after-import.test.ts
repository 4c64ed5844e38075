/** [speed: Search] After many records have come in, PostgreSQL is told of them without waiting for its own rounds. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createJobs } from '../../src/jobs/jobs.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { refreshingStatistics } from '../../src/operations/background/after-import.ts';
import { sql } from '../../src/postgres/sql.ts';
import { rowsOf } from '../provision/setup.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { silentLog } from '../support/log.ts';
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
