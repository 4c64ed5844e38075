import { describe, expect, it, vi } from 'vitest';
import { fixture } from './fixture.ts';

describe('health', () => {
  it.each([
    ['answers', () => Promise.resolve(), 200, { status: 'ok' }],
    ['fails', () => Promise.reject(new Error('gone')), 503, { status: 'unavailable' }],
    ['hangs', () => new Promise<void>(() => undefined), 503, { status: 'unavailable' }],
  ])('is told by whether the database %s', async (_what, ready, status, body) => {
    const { app } = fixture({ ready });
    const response = await app.inject('/health/ready');
    expect([response.statusCode, response.json()]).toEqual([status, body]);
    const live = await app.inject('/health/live');
    expect([live.statusCode, live.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('asks the database once, however many ask', async () => {
    const asked: PromiseWithResolvers<void>[] = [];
    const { app } = fixture({
      ready: () => {
        const one = Promise.withResolvers<void>();
        asked.push(one);
        return one.promise;
      },
    });
    const flood = Array.from({ length: 1_000 }, () => app.inject('/health/ready'));
    await expect.poll(() => asked.length).toBe(1);
    asked[0]!.resolve();
    expect(new Set((await Promise.all(flood)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(asked).toHaveLength(1);
  });

  it('shows within two seconds that the database went, and that it came back', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      let there = true;
      const { app } = fixture({ ready: () => (there ? Promise.resolve() : Promise.reject(new Error('gone'))) });
      const status = async () => (await app.inject('/health/ready')).statusCode;
      expect(await status()).toBe(200);
      there = false;
      vi.advanceTimersByTime(1_000);
      expect(await status()).toBe(503);
      there = true;
      vi.advanceTimersByTime(1_000);
      expect(await status()).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the index', () => {
  it('is JSON at /api/v1', async () => {
    const { app } = fixture();
    const index = (await app.inject('/api/v1')).json();
    expect(index).toMatchObject({ name: 'Kith', version: '1.2.3' });
    expect(index.endpoints).toContainEqual({
      method: 'GET',
      path: '/api/v1/records/{object}',
      summary: 'List records',
    });
  });
});
