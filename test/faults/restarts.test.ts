/** [safety: SIGTERM] Restarts under load, on kept connections and on new ones: every request that was sent is answered. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, firstOrganization } from '../support/engine.ts';
import { freePort } from '../support/free-port.ts';
import { storageOf, type Storage } from '../writes/invariants.ts';
import { keepAliveLoad } from './keep-alive-load.ts';
import { serve } from './service.ts';

const deep = process.env['KITH_DEEP'] === '1';
const restarts = deep ? 100 : 3;
const perSecond = 500;

let database: TestDatabase;
let token: string;
let storage: Storage;
beforeAll(async () => {
  database = await testDatabase();
  const organization = await firstOrganization(createEngine(database.database), database.database);
  ({ token } = organization);
  storage = storageOf(database.database, organization.schemaName);
});
afterAll(() => database.drop());

it.each([1, 3])('of %i processes lose nothing', { timeout: 60_000 + restarts * 15_000 }, async (workers) => {
  const env = {
    DATABASE_URL: database.url,
    PORT: String(await freePort()),
    KITH_WORKERS: String(workers),
    KITH_LOG_LEVEL: 'warn',
  };
  const said: string[] = [];
  let service = await serve(env);
  const load = keepAliveLoad(service.url, token, perSecond);
  let slowest = 0;
  for (let restart = 0; restart < restarts; restart++) {
    await load.more(perSecond / 2);
    const since = performance.now();
    said.push(`restart ${restart}: stopped at ${load.now()} ms`);
    service.kill('SIGTERM');
    const outcome = await service.outcome;
    expect(outcome).toMatchObject({ code: 0 });
    said.push(`restart ${restart}: ended at ${load.now()} ms ${outcome.stderr}`);
    slowest = Math.max(slowest, performance.now() - since);
    service = await serve(env);
  }
  await load.stop();
  service.kill('SIGTERM');
  expect(await service.outcome).toMatchObject({ code: 0 });

  expect(load.lost, said.join('\n')).toEqual([]);
  expect(slowest).toBeLessThan(10_000);
  const stored = (await storage.rows(sql`select id from ${storage.table('contacts')}`)).map(([id]) => id ?? '');
  expect(new Set(load.created).size).toBe(load.created.length);
  const known = new Set(stored);
  expect(load.created.filter((id) => !known.has(id))).toEqual([]);
});
