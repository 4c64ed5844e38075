/** The whole demo in a database that the stages of a test run copy: to fill one takes twenty seconds. */
import { inject, vi } from 'vitest';
import { demoCounts } from '../demo/demo-counts.ts';
import { openSession } from '../../src/postgres/session.ts';
import { startKith, type TestKith } from '../support/kith.ts';

const name = 'kith_test_demo';
/** Of the lock that the one holds who fills it. */
const lock = 7_020_001;

/** Resolves when each record of the demo is there. */
export async function untilFilled({ database }: TestKith): Promise<void> {
  await vi.waitFor(
    async () => {
      const { unfilled } = await demoCounts(database.database);
      if (unfilled > 0) throw new Error(`${unfilled} parts of the demo are not there yet`);
    },
    { timeout: 250_000, interval: 250 },
  );
}

/** The name of the database; undefined on a server that outlives the run, where one of another day could be left. */
export async function filledDemo(): Promise<string | undefined> {
  const { owner, servers } = inject('kithTestServer');
  const [server] = servers;
  if (!owner || server === undefined) return undefined;
  const session = await openSession(server, { pipelined: false, statementTimeoutMs: 300_000 });
  try {
    await session.script(`select pg_advisory_lock(${lock})`);
    const [known] = await session.batch([{ text: `select 1 from pg_database where datname = '${name}'`, values: [] }]);
    if (known?.rows.length) return name;
    const kith = await startKith({ KITH_DEMO: 'on', KITH_JOBS: 'on' });
    await untilFilled(kith);
    await kith.stop(name);
    return name;
  } finally {
    await session.close();
  }
}
