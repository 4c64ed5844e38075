/** A worker process that neither answers nor ends: the others serve meanwhile, and it is replaced. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { serve } from '../faults/service.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { childrenOf, isAlive } from './worker-processes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('is killed after ten seconds and replaced, and nobody else waits', { timeout: 60_000 }, async () => {
  const service = await serve({ DATABASE_URL: database.url, KITH_WORKERS: '2', KITH_LOG_LEVEL: 'error' });
  onTestFinished(() => service.kill('SIGTERM'));
  const [hung = 0, other = 0] = childrenOf(service.pid);
  process.kill(hung, 'SIGSTOP');
  // One connection is handed to it, and goes to another when it is killed; it gets no further one before.
  const ask = () => fetch(`${service.url}/health/ready`, { headers: { connection: 'close' } });
  const asked = [ask(), ask()].map((answer) => answer.then(({ status }) => status).catch(() => 'broken'));
  for (let n = 0; n < 20; n++) expect((await ask()).status).toBe(200);
  expect(isAlive(hung)).toBe(true);

  await expect.poll(() => isAlive(hung), { timeout: 30_000 }).toBe(false);
  expect((await Promise.all(asked)).map(String).toSorted()).toEqual(['200', '200']);
  const others = () => childrenOf(service.pid).filter((pid) => pid !== hung);
  await expect.poll(others, { timeout: 10_000 }).toEqual([other, expect.any(Number)]);
  expect((await ask()).status).toBe(200);
  service.kill('SIGTERM');
  const { code, stderr } = await service.outcome;
  expect([code, stderr]).toEqual([0, expect.stringContaining('no sign of life for 10 seconds')]);
});
