/** [safety: Redis gone, slow, hung] A store behind services of several processes: they share its budgets, and its faults cost no request. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisServer, startRedis, type RedisProcess } from '../support/redis.ts';
import { ask, serve, type ServiceProcess } from './service.ts';
import { faultStage, type FaultStage } from './stage.ts';

const patient = { timeout: 20_000 };
const password = 'hush-hush';
const limits = { 'api:ip': { limit: 900_000 }, 'api:global': { limit: 900_000 }, 'api:expensive': { limit: 20 } };

describe.skipIf(redisServer === undefined)('Redis (needs redis-server)', () => {
  let stage: FaultStage;
  let redis: RedisProcess;
  /** Two machines, as it were: one of them with two processes. */
  let services: readonly ServiceProcess[];

  beforeAll(async () => {
    stage = await faultStage();
    redis = await startRedis(redisServer ?? '', ['--requirepass', password]);
    const env = {
      ...stage.env,
      REDIS_URL: redis.url.replace('//', `//:${password}@`),
      KITH_RATE_LIMITS: JSON.stringify(limits),
      KITH_LOG_LEVEL: 'info',
    };
    services = await Promise.all([serve({ ...env, KITH_WORKERS: '2' }), serve(env)]);
  }, 60_000);
  afterAll(async () => {
    for (const service of services ?? []) service.kill('SIGTERM');
    await Promise.all((services ?? []).map(({ outcome }) => outcome));
    await redis?.stop();
    await stage?.drop();
  });

  const get = (at: number, path: string) => ask(services[at % services.length]!.url, stage.token, 'GET', path);
  const counted = async () => {
    const answers = await Promise.all([0, 1, 2, 3].map((at) => get(at, '/api/v1/me')));
    return answers.every((answer) => answer?.headers.get('x-ratelimit-policy'));
  };
  const metric = async (at: number, name: string) => {
    const text = await (await fetch(`${services[at]!.url}/metrics`)).text();
    return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)$`, 'm').exec(text)?.[1]);
  };

  /** Requests pour in while `work` goes on; how they were answered. */
  async function underLoad(work: () => Promise<void>): Promise<Record<string, number>> {
    const statuses: Record<string, number> = {};
    let done = false;
    const clients = Array.from({ length: 6 }, async (_, at) => {
      while (!done) {
        const status = (await get(at, '/api/v1/me'))?.status ?? 'broken';
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    });
    await work();
    done = true;
    await Promise.all(clients);
    return statuses;
  }

  it('RL-01, RL-03, RL-23: all processes share each budget to the last request, and what is denied counts nowhere', async () => {
    await expect.poll(counted, patient).toBe(true);
    const remaining = async () => {
      const answer = await get(0, '/api/v1/limits');
      const told = (answer?.json['limits'] ?? []) as { policy: string; remaining: number }[];
      return told.find((one) => one.policy === 'api:global');
    };
    const before = (await remaining())?.remaining ?? 0;
    // Few at once: a store that has no processor for a moment is rightly done without.
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    const client = async (at: number) => {
      for (let n = 0; n < 10; n++) answers.push(await get(at, '/api/v1/search?query=anna'));
    };
    await Promise.all([0, 1, 2].map(client));
    const admitted = answers.filter((answer) => answer?.status === 200);
    const left = admitted.map((answer) => Number(answer?.headers.get('x-ratelimit-remaining')));
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at));
    const denied = answers.filter((answer) => answer?.status === 429);
    expect(denied).toHaveLength(10);
    for (const answer of denied) {
      expect(answer?.json).toMatchObject({ error: 'Too many requests', policy: 'api:expensive' });
      expect(answer?.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(answer?.headers.get('retry-after')).toBe(String(answer?.json['retryAfterSeconds']));
    }
    expect((await remaining())?.remaining, '20 searches and this look').toBe(before - 21);
  });

  it.each([
    ['hung', () => Promise.resolve(redis.freeze()), () => Promise.resolve(redis.thaw())],
    ['killed', () => redis.kill(), () => redis.restart()],
  ])('RL-05: %s under load it costs no request, and limits return when it does', async (_how, breakIt, mendIt) => {
    await expect.poll(counted, patient).toBe(true);
    const isUp = async () => [await metric(0, 'kith_rate_limit_store_up'), await metric(1, 'kith_rate_limit_store_up')];
    const statuses = await underLoad(async () => {
      await breakIt();
      await expect.poll(isUp, patient).toEqual([0, 0]);
      const answer = await get(0, '/api/v1/limits');
      expect(answer?.headers.get('x-ratelimit-policy')).toBe(null);
      expect(answer?.json['limits']).toContainEqual(
        expect.objectContaining({ policy: 'api:expensive', limit: 20, remaining: null, reset: null }),
      );
      await mendIt();
      await expect.poll(counted, patient).toBe(true);
      await expect.poll(isUp, patient).toEqual([1, 1]);
    });
    expect(Object.keys(statuses)).toEqual(['200']);
    expect(await metric(1, 'kith_rate_limit_uncounted_total')).toBeGreaterThan(0);
  });

  it('is told of in the log, once for each time and process, without its password', async () => {
    for (const service of services) service.kill('SIGTERM');
    const [many, one] = (await Promise.all(services.map(({ outcome }) => outcome))).map(({ stderr }) => stderr);
    const lines = (text = '', words = '') => text.split('\n').filter((line) => line.includes(words)).length;
    const gone = 'The store at REDIS_URL does not answer';
    const back = 'The store at REDIS_URL answers again';
    expect([lines(one, gone) - lines(one, back), lines(many, gone) - lines(many, back)]).toEqual([0, 0]);
    expect(lines(one, gone)).toBeGreaterThanOrEqual(2);
    expect(`${many}${one}`).not.toContain(password);
  });

  it('that is not there, or wants another password, lets a service start, which counts nothing', async () => {
    const answers = ['redis://127.0.0.1:1', redis.url].map(async (url) => {
      const service = await serve({ ...stage.env, REDIS_URL: url, KITH_RATE_LIMITS: 'on' });
      const answer = await ask(service.url, stage.token, 'GET', '/api/v1/me');
      service.kill('SIGTERM');
      await service.outcome;
      return [answer?.status, answer?.headers.get('x-ratelimit-policy')];
    });
    expect(await Promise.all(answers)).toEqual([
      [200, null],
      [200, null],
    ]);
  });
});
