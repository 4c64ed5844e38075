/** A start that is killed while it makes the demo leaves one that the next start completes. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { start, type Running } from '../cli/kith.ts';
import { statementProxy, type StatementProxy } from '../faults/statement-proxy.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { testSecret } from '../support/engine.ts';
import { demoCounts, whole } from './demo-counts.ts';

let database: TestDatabase;
let proxy: StatementProxy;
const running: Running[] = [];

beforeAll(async () => {
  database = await testDatabase();
  proxy = await statementProxy(database.url);
});
afterEach(async () => {
  for (const { process: child, outcome } of running.splice(0)) {
    child.kill('SIGTERM');
    await outcome;
  }
});
afterAll(async () => {
  proxy.close();
  await database.drop();
});

function startWithDemo(): Running {
  const started = start(['serve', '--json'], {
    PORT: '0',
    DATABASE_URL: proxy.url,
    KITH_SECRET_KEY: testSecret,
    KITH_DEMO: 'on',
    KITH_LOG_LEVEL: 'silent',
  });
  running.push(started);
  return started;
}

async function killAt(statement: number): Promise<void> {
  const { process: child, outcome } = startWithDemo();
  proxy.arm(statement, 'after', () => child.kill('SIGKILL'));
  const { code, stderr } = await outcome;
  expect(code, `killed at statement ${statement}: ${stderr}`).toBeNull();
  proxy.disarm();
  proxy.cut();
}

/** What is there of the demo, as far as there is something; 0 before the control schema is there. */
async function rowsSoFar(): Promise<number> {
  try {
    const { companies, contacts, opportunities, subscriptions } = await demoCounts(database.database);
    return companies + contacts + opportunities + subscriptions;
  } catch {
    return 0;
  }
}

it('is completed by the next start, wherever it was killed', { timeout: 360_000 }, async () => {
  const seen: number[] = [];
  for (const statement of [20, 150, 300]) {
    await killAt(statement);
    seen.push(await rowsSoFar());
  }
  // The first had nothing yet, the last was in the middle of its records.
  expect(seen[0]).toBe(0);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  const last = seen.at(-1) ?? 0;
  expect(last > 0 && last < whole.created, String(last)).toBe(true);
  startWithDemo();
  await expect
    .poll(() => demoCounts(database.database), { timeout: 240_000 })
    .toEqual({ ...whole, earliest: expect.any(String), interactions: expect.any(Number) });
});
