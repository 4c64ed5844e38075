/** Who counts, this process or a store, does it like a naive log: several buckets at once or none of them, looks, and what is given back. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bucketOf, type Bucket } from '../../src/limits/buckets.ts';
import { createLimiter } from '../../src/limits/in-process.ts';
import { createStoreLimiter, trialRun } from '../../src/limits/in-store.ts';
import type { Limiter } from '../../src/limits/limiter.ts';
import { defaultPolicies, type Policies } from '../../src/limits/policies.ts';
import { windowScript } from '../../src/limits/window-script.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { createLog } from '../../src/lib/log.ts';
import { redisServer, startRedis, type RedisProcess } from '../support/redis.ts';

const epoch = 1_800_000_000_000;
/** Enough for those of a test. */
const memory = { ownBytes: 64 * 1024, sharedBytes: 1024 };

/** A caller's three budgets, two of them counted by what callers have in common. */
const bucketsOf = (organizationId: string, workspaceUserId: string) => ({
  global: bucketOf('api:global', { organizationId, workspaceUserId }),
  expensive: bucketOf('api:expensive', { organizationId, workspaceUserId }),
  bulk: bucketOf('api:bulk', { organizationId }),
});
const callers = [bucketsOf('acme', 'ada'), bucketsOf('acme', 'bo'), bucketsOf('globex', 'cy')];

const step = fc.record({
  millis: fc.oneof(fc.constant(0), fc.nat(400), fc.nat(5_000)),
  caller: fc.nat(2),
  act: fc.constantFrom('global', 'both', 'bulk after global', 'look'),
});
const policy = fc.record({ limit: fc.integer({ min: 1, max: 12 }), windowSeconds: fc.integer({ min: 1, max: 9 }) });
const scenario = fc.record({ 'api:global': policy, 'api:expensive': policy, 'api:bulk': policy });

/** Each bucket's requests, with their times, all of them kept. */
function naive(policies: Policies) {
  const logs = new Map<string, number[]>();
  const logOf = ({ policy: of, identity }: Bucket, now: number) => {
    const key = `${of} ${identity}`;
    const log = (logs.get(key) ?? []).filter((at) => now - at < policies[of].windowSeconds * 1000);
    logs.set(key, log);
    return log;
  };
  const told = (bucket: Bucket, now: number, allowed: boolean) => {
    const { limit, windowSeconds } = policies[bucket.policy];
    const log = logOf(bucket, now);
    const leavesIn = log.length === 0 ? 0 : log[0]! + windowSeconds * 1000 - now;
    const seconds = Math.ceil(leavesIn / 1000);
    return {
      policy: bucket.policy,
      allowed,
      limit,
      windowSeconds,
      remaining: limit - log.length,
      reset: Math.ceil((epoch + now + leavesIn) / 1000),
      resetAfterSeconds: seconds,
      resetAfterMillis: leavesIn,
      retryAfterSeconds: allowed ? 0 : seconds,
    };
  };
  const hasRoom = (bucket: Bucket, now: number) => logOf(bucket, now).length < policies[bucket.policy].limit;
  return {
    look: (buckets: readonly Bucket[], now: number) => buckets.map((bucket) => told(bucket, now, hasRoom(bucket, now))),
    take(buckets: readonly Bucket[], beside: readonly Bucket[], now: number) {
      const full = buckets.find((bucket) => !hasRoom(bucket, now));
      for (const bucket of full ? [] : buckets) logOf(bucket, now).push(now);
      for (const bucket of full ? beside : []) logOf(bucket, now).pop();
      return full ? [told(full, now, false)] : buckets.map((bucket) => told(bucket, now, true));
    },
  };
}

type Counter = (policies: Policies, now: () => number) => Limiter;

function agreement(counter: Counter, runs: number): Promise<void> {
  return fc.assert(
    fc.asyncProperty(scenario, fc.array(step, { maxLength: 120 }), async (own, steps) => {
      const policies = { ...defaultPolicies, ...own };
      let now = 0;
      const limiter = counter(policies, () => epoch + now);
      const model = naive(policies);
      for (const { millis, caller, act } of steps) {
        now += millis;
        const { global, expensive, bulk } = callers[caller]!;
        const takes = async (buckets: Bucket[], beside: Bucket[] = []) => {
          const expected = model.take(buckets, beside, now);
          expect(await limiter.take(buckets, beside)).toEqual(expected);
          return expected.every(({ allowed }) => allowed);
        };
        if (act === 'global') await takes([global]);
        else if (act === 'both') await takes([global, expensive]);
        else if (act === 'bulk after global') {
          if (await takes([global])) await takes([bulk], [global]);
        } else
          expect(await limiter.look([global, expensive, bulk])).toEqual(model.look([global, expensive, bulk], now));
      }
    }),
    { numRuns: runs },
  );
}

it('RL-01, RL-23: this process counts as a naive log does', async () => {
  const here: Counter = (policies, now) => createLimiter(policies, { monotonic: () => now() - epoch, now }, memory);
  await expect(agreement(here, 100)).resolves.toBeUndefined();
});

describe.skipIf(redisServer === undefined)('a store (needs redis-server)', () => {
  let redis: RedisProcess;
  let store: Store;
  beforeAll(async () => {
    redis = await startRedis(redisServer ?? '');
    store = await openStore({
      url: redis.url,
      script: windowScript,
      trial: trialRun,
      log: createLog('silent'),
      changed: () => {},
    });
  });
  afterAll(async () => {
    store?.close();
    await redis?.stop();
  });

  let tries = 0;
  /** Buckets of their own for each run: by another key. What takes too long for the store is not what is tried here. */
  const counter: Counter = (policies, now) =>
    createStoreLimiter({ policies, now, nameKey: Buffer.from(`try ${++tries}`), store: { run: patiently } });
  const patiently: Store['run'] = async (keys, args) => {
    const answer = await store.run(keys, args);
    if (answer === undefined) throw new Error('The store did not answer');
    return answer;
  };

  it('RL-01, RL-23: counts as a naive log does', async () => {
    await expect(agreement(counter, 40)).resolves.toBeUndefined();
  });

  it('keeps a log of at most four bytes for each request of its limit, for no longer than its window', async () => {
    let now = epoch;
    const limit = 200;
    const limiter = counter({ ...defaultPolicies, 'api:ip': { limit, windowSeconds: 60 } }, () => now);
    const bucket = bucketOf('api:ip', { ip: '192.0.2.1' });
    for (let n = 0; n < 3 * limit; n++, now += 1_000) await limiter.take([bucket]);
    const size = await scripted(`
      local sizes = {}
      for _, key in ipairs(redis.call('KEYS', 'kith:*:api:ip:${limit}:*')) do
        table.insert(sizes, redis.call('STRLEN', key))
        table.insert(sizes, redis.call('PTTL', key))
      end
      return sizes`);
    expect(size[0]).toBeLessThanOrEqual(16 + 4 * limit);
    expect(size[1]).toBeGreaterThan(0);
    expect(size[1]).toBeLessThanOrEqual(60_000);
    expect(size).toHaveLength(2);
  });

  it('names no one in its keys, and has those of one request in one place', async () => {
    await scripted(`return redis.call('FLUSHALL')`);
    const limiter = counter(defaultPolicies, () => epoch);
    await limiter.take([bucketOf('auth:magic-link', { ip: '192.0.2.7', email: 'Ada@acme.test' })]);
    const { global, bulk } = callers[0]!;
    await limiter.take([global, bulk]);
    const text = (await scripted(`return redis.call('KEYS', '*')`)).join(' ');
    expect(text).not.toMatch(/192\.0\.2|acme|ada/i);
    const braces = (policy: string) => new RegExp(`kith:(\\{[^}]+\\}):${policy}:`).exec(text)?.[1];
    expect(braces('auth:magic-link')).toBeDefined();
    expect(braces('api:global')).toBeDefined();
    expect(braces('api:bulk')).toBe(braces('api:global'));
  });

  it('survives a clock that goes back: a little is nothing, and nobody is shut out by more', async () => {
    let now = epoch;
    const limiter = counter({ ...defaultPolicies, 'api:ip': { limit: 2, windowSeconds: 60 } }, () => now);
    const take = async () => (await limiter.take([bucketOf('api:ip', { ip: '192.0.2.2' })]))?.[0];
    expect((await take())?.remaining).toBe(1);
    now -= 500;
    expect((await take())?.remaining).toBe(0);
    now -= 3_600_000;
    expect((await take())?.remaining).toBe(1);
  });

  /** Runs any script; a store runs but its own. */
  async function scripted(script: string): Promise<number[]> {
    const other = await openStore({
      url: redis.url,
      script,
      trial: { keys: [], args: [] },
      log: createLog('silent'),
      changed: () => {},
    });
    const answer = await other.run([], []);
    other.close();
    return answer as number[];
  }
});
