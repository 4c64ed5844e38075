import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
    take: (identity = 'ada') => limiter.take('api:global', identity),
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
      'api:bulk': { limit: 1, windowSeconds: 60 },
    });
    expect(limiter.take('api:ip', 'a').allowed).toBe(true);
    expect(limiter.take('api:ip', 'b').allowed).toBe(true);
    expect(limiter.take('api:bulk', 'a').allowed).toBe(true);
    expect(limiter.take('api:ip', 'a').allowed).toBe(false);
  });

  it('agrees with a naive log at every step', () => {
    const step = fc.record({ millis: fc.nat(4_000), identity: fc.constantFrom('a', 'b', 'c') });
    const scenario = fc.record({ limit: fc.integer({ min: 1, max: 30 }), seconds: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(scenario, fc.array(step, { maxLength: 400 }), ({ limit, seconds }, steps) => {
        const limiter = limiterAt(limit, seconds);
        const admitted: { identity: string; at: number }[] = [];
        let now = 0;
        for (const { millis, identity } of steps) {
          limiter.passes(millis);
          now += millis;
          const counted = admitted.filter((r) => r.identity === identity && now - r.at < seconds * 1000);
          const allowed = counted.length < limit;
          if (allowed) counted.push({ identity, at: now });
          if (allowed) admitted.push({ identity, at: now });
          const leavesIn = counted[0]!.at + seconds * 1000 - now;
          expect(limiter.take(identity)).toMatchObject({
            allowed,
            remaining: limit - counted.length,
            reset: Math.ceil((epoch + now + leavesIn) / 1000),
            retryAfterSeconds: allowed ? 0 : Math.ceil(leavesIn / 1000),
          });
        }
      }),
      { numRuns: 200 },
    );
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
