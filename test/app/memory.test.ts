/** What a service keeps in memory stays within bounds, whatever it is asked. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTokenUse } from '../../src/access/token-use.ts';
import { createModelCache } from '../../src/model/cache.ts';
import { createSessions } from '../../src/operations/door/sessions.ts';
import { textOf } from '../architecture/project-files.ts';
import { randomFrom } from '../query/random.ts';
import { collectGarbage, heapUsed } from '../support/heap.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { silentLog } from '../support/log.ts';

const deep = process.env['KITH_DEEP'] === '1';
const requests = deep ? 1_000 : 200;

let kith: TestKith;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization());
});
afterAll(() => kith.stop());

/** By cache, as /metrics tells it. */
function told(text: string, name: string): ReadonlyMap<string, number> {
  const lines = text.matchAll(new RegExp(`^${name}\\{cache="(\\w+)"\\} (\\d+)$`, 'gm'));
  return new Map([...lines].map(([, cache = '', value]) => [cache, Number(value)]));
}

/** A filter of a shape that no other has. */
function longFilters(seed: number): object {
  const random = randomFrom(seed);
  const conditions = Array.from({ length: 60 }, () => ({
    field: random.pick(['first_name', 'last_name', 'job_title', 'company_id.name']),
    operator: random.pick(['contains', 'equals', 'starts_with', 'not_equals']),
    value: 'x',
  }));
  return { type: 'AND', conditions };
}

async function ask(from: number, to: number): Promise<void> {
  for (let seed = from; seed < to; seed++) {
    // What is asked again is prepared.
    for (let time = 0; time < 2; time++) {
      const { status, text } = await admin.get('/records/contacts', { filters: longFilters(seed), limit: 1 });
      expect(status, text).toBe(200);
    }
  }
}

it('long filters, each of another shape, leave every cache within its bound', async () => {
  await ask(0, 50);
  const before = await heapUsed();
  await ask(50, requests);
  const grown = (await heapUsed()) - before;
  if (deep) expect(grown).toBeLessThan(4_000_000);
  const { text } = await admin.send('/metrics');
  const bytes = told(text, 'kith_cache_bytes');
  const most = told(text, 'kith_cache_max_bytes');
  const known = [
    'models',
    'sessions',
    'selections',
    'totals',
    'pages',
    'texts',
    'tokens',
    'organizations',
    'prepared_statements',
  ];
  expect([...bytes.keys()]).toEqual(expect.arrayContaining(known));
  for (const [cache, held] of bytes) expect(held, cache).toBeLessThanOrEqual(most.get(cache) ?? 0);
  // Prepared statements are PostgreSQL's; there are more than it may keep.
  expect(bytes.get('prepared_statements')).toBeGreaterThan(512 * 1024 * 0.9);
  const here = [...bytes].reduce((sum, [cache, held]) => sum + (cache === 'prepared_statements' ? 0 : held), 0);
  // A total, its matches and a page of each request; its filter alone has more than 3,000 characters.
  expect(here).toBeLessThan(700_000 + 1_500 * requests);
});

it('the documents tell how much all caches may hold', async () => {
  const bounds = new Map(told((await admin.send('/metrics')).text, 'kith_cache_max_bytes'));
  // Of connections, not of the process; and a process that asks another for budgets has one more.
  bounds.delete('prepared_statements');
  bounds.set('denials', 4 * 1024 * 1024);
  let sum = 0;
  for (const bytes of bounds.values()) sum += bytes;
  // The test has a directory and tokens of its own in this process.
  for (const double of ['organizations', 'tokens']) sum -= (bounds.get(double) ?? 0) / 2;
  for (const [file, place] of [
    ['docs/operating.md', /at most about (\d+) MiB for caches/],
    ['docs/decisions/0015-bounded-memory.md', /The worst that a process keeps is known: (\d+) MiB/],
  ] as const) {
    const mebibytes = Number(place.exec(textOf(file))?.[1]);
    expect(mebibytes - sum / 1024 / 1024, file).toBeGreaterThanOrEqual(0);
    expect(mebibytes - sum / 1024 / 1024, file).toBeLessThan(10);
  }
});

it('a model that is forgotten is kept by nobody', async () => {
  const { directory, tokens, clock } = kith.deps;
  const log = { ...silentLog, debug: () => {} };
  const models = createModelCache(290_000); // two of them
  const sessions = createSessions({ directory, tokens, models, tokenUse: createTokenUse(), clock, log });
  const made = await Promise.all([1, 2, 3].map(() => kith.organization()));
  const opened: WeakRef<object>[] = [];
  for (const { admin: one } of made) opened.push(new WeakRef((await sessions.open(`Bearer ${one.token}`)).model));
  await collectGarbage();
  expect(opened.map((model) => model.deref() !== undefined)).toEqual([false, true, true]);
});
