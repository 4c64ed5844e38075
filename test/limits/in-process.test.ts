import { describe, expect, it } from 'vitest';
import { bucketOf } from '../../src/limits/buckets.ts';
import { createLimiter } from '../../src/limits/in-process.ts';
import { defaultPolicies } from '../../src/limits/policies.ts';
import { RequestLog } from '../../src/limits/request-log.ts';

const epoch = 1_800_000_000_000;

function limiterAt(limit: number, windowSeconds: number) {
  let elapsed = 0;
  const limiter = createLimiter(
    { ...defaultPolicies, 'api:global': { limit, windowSeconds } },
    { monotonic: () => elapsed, now: () => epoch + elapsed },
  );
  return {
    take: (identity = 'ada') => limiter.take([bucketOf('api:global', { workspaceUserId: identity })])[0]!,
    passes(millis: number) {
      elapsed += millis;
    },
  };
}

describe('a sliding window', () => {
  it('admits the limit, then denies until the oldest request leaves', () => {
    const limiter = limiterAt(2, 60);
    expect(limiter.take()).toEqual({
      policy: 'api:global',
      allowed: true,
      limit: 2,
      windowSeconds: 60,
      remaining: 1,
      reset: epoch / 1000 + 60,
      resetAfterSeconds: 60,
      resetAfterMillis: 60_000,
      retryAfterSeconds: 0,
    });
    limiter.passes(20_500);
    expect(limiter.take()).toMatchObject({ allowed: true, remaining: 0, resetAfterSeconds: 40 });
    expect(limiter.take()).toMatchObject({
      allowed: false,
      remaining: 0,
      retryAfterSeconds: 40,
      reset: epoch / 1000 + 60,
    });
    limiter.passes(39_499);
    expect(limiter.take()).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
    limiter.passes(1);
    expect(limiter.take()).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('does not count a denied request', () => {
    const limiter = limiterAt(1, 10);
    limiter.take();
    for (let i = 0; i < 5; i++) {
      limiter.passes(1_000);
      expect(limiter.take().allowed).toBe(false);
    }
    limiter.passes(5_000);
    expect(limiter.take().allowed).toBe(true);
  });

  it('counts each identity and each policy by itself', () => {
    const limiter = createLimiter({
      ...defaultPolicies,
      'api:ip': { limit: 1, windowSeconds: 60 },
      'auth:signup': { limit: 1, windowSeconds: 60 },
    });
    const allows = (policy: 'api:ip' | 'auth:signup', ip: string) =>
      limiter.take([bucketOf(policy, { ip })])[0]?.allowed;
    expect([allows('api:ip', 'a'), allows('api:ip', 'b'), allows('auth:signup', 'a'), allows('api:ip', 'a')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('keeps to the limit of the identity that stays, in a flood of others', () => {
    const limiter = limiterAt(3, 60);
    for (let i = 0; i < 60_000; i++) {
      if (i % 20_000 === 0) expect(limiter.take('stays').allowed).toBe(true);
      limiter.take(`address ${i}`);
    }
    expect(limiter.take('stays').allowed).toBe(false);
  });
});

describe('a log of requests', () => {
  it('keeps the order of time while it grows and wraps', () => {
    const log = new RequestLog(200);
    const expected: number[] = [];
    for (let time = 1; time <= 200; time++) {
      log.add(time);
      expected.push(time);
      if (time % 3 === 0) {
        log.dropUntil(expected[0]!);
        expected.shift();
      }
      expect([log.count, log.oldest]).toEqual([expected.length, expected[0]]);
    }
    log.dropUntil(200);
    expect([log.count, log.oldest]).toEqual([0, undefined]);
  });
});
