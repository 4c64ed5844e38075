/** Limits that another process counts. With processes: test/app/workers.test.ts. */
import { expect, it, vi } from 'vitest';
import { answersTo, createRemoteLimiter, type LimitClaim } from '../../src/limits/remote.ts';
import { bucketOf } from '../../src/limits/buckets.ts';
import { createLimiter } from '../../src/limits/in-process.ts';
import { defaultPolicies } from '../../src/limits/policies.ts';
import { strictly } from '../../src/limits/strict.ts';

const of = (workspaceUserId: string) => [bucketOf('api:global', { workspaceUserId, organizationId: 'acme' })];

it('RL-05: when nobody answers any more, what waits and what comes is allowed and not counted', async () => {
  const asked: LimitClaim[] = [];
  const sent = Promise.withResolvers<void>();
  const limiter = createRemoteLimiter(defaultPolicies, (claims) => {
    asked.push(...claims);
    sent.resolve();
  });
  const waiting = limiter.take(of('ada'));
  await sent.promise;
  limiter.end();
  expect([await waiting, await limiter.take(of('ada')), await limiter.look(of('ada'))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(asked).toEqual([{ id: 1, act: 'take', buckets: of('ada'), beside: [] }]);
});

it('RL-05: an answer that does not come in time is not waited for', async () => {
  vi.useFakeTimers();
  try {
    const limiter = createRemoteLimiter(defaultPolicies, () => {});
    const waiting = limiter.take(of('ada'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await waiting).toBeUndefined();
    const later = limiter.take(of('ada'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await later).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

it('where nobody answers, what leads to a sign-in is counted here', async () => {
  const asked = createRemoteLimiter(defaultPolicies, () => {});
  asked.end();
  const limiter = strictly(asked, createLimiter(defaultPolicies));
  const signup = [bucketOf('auth:signup', { ip: '192.0.2.1' })];
  const allowed: (boolean | undefined)[] = [];
  for (let n = 0; n < 12; n++) allowed.push((await limiter.take(signup))?.[0]?.allowed);
  expect(allowed.filter(Boolean)).toHaveLength(defaultPolicies['auth:signup'].limit);
  expect(allowed.at(-1)).toBe(false);
  expect((await limiter.look(signup))?.[0]).toMatchObject({ remaining: 0 });
  expect(await limiter.take(of('ada'))).toBeUndefined();
});

it('a denial is remembered, and nothing is asked until its end', async () => {
  const there = createLimiter({ ...defaultPolicies, 'api:global': { limit: 1, windowSeconds: 60 } });
  let asked = 0;
  const limiter = createRemoteLimiter(there.policies, (claims) => {
    asked += claims.length;
    limiter.answer(answersTo(claims, there));
  });
  const allowed = [];
  for (let n = 0; n < 4; n++) allowed.push((await limiter.take(of('ada')))?.[0]?.allowed);
  expect([allowed, asked]).toEqual([[true, false, false, false], 2]);
  expect((await limiter.take(of('bo')))?.[0]?.allowed).toBe(true);
});
