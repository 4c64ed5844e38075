/** Limits that another process counts. With processes: test/app/workers.test.ts. */
import { expect, it, vi } from 'vitest';
import { createAskedLimiter, type Claim } from '../../src/limits/asked.ts';
import { createLimiter } from '../../src/limits/in-process.ts';
import { defaultPolicies } from '../../src/limits/policies.ts';

it('RL-05: when nobody answers any more, what waits and what comes is allowed and not counted', async () => {
  const asked: Claim[] = [];
  const sent = Promise.withResolvers<void>();
  const limiter = createAskedLimiter((claims) => {
    asked.push(...claims);
    sent.resolve();
  });
  const waiting = limiter.take('api:global', 'ada');
  await sent.promise;
  limiter.end();
  expect([await waiting, await limiter.take('api:global', 'ada')]).toEqual([undefined, undefined]);
  expect(asked).toEqual([[1, 'api:global', 'ada']]);
});

it('RL-05: an answer that does not come in time is not waited for', async () => {
  vi.useFakeTimers();
  try {
    const limiter = createAskedLimiter(() => {});
    const waiting = limiter.take('api:global', 'ada');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await waiting).toBeUndefined();
    const later = limiter.take('api:global', 'ada');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await later).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

it('a denial is remembered, and nothing is asked until its end', async () => {
  const there = createLimiter({ ...defaultPolicies, 'api:global': { limit: 1, windowSeconds: 60 } });
  let asked = 0;
  const limiter = createAskedLimiter((claims) => {
    asked += claims.length;
    limiter.answer(claims.map(([id, policy, identity]) => [id, there.take(policy, identity)] as const));
  });
  const allowed = [];
  for (let n = 0; n < 4; n++) allowed.push((await limiter.take('api:global', 'ada'))?.allowed);
  expect([allowed, asked]).toEqual([[true, false, false, false], 2]);
  expect((await limiter.take('api:global', 'bo'))?.allowed).toBe(true);
});
