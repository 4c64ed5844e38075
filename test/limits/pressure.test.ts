/** Limits where there are more identities than memory has room for: whoever they are, none gets more than the limit. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf } from '../../src/limits/buckets.ts';
import { createLimiter } from '../../src/limits/in-process.ts';
import { defaultPolicies } from '../../src/limits/policies.ts';
import { SlidingWindows, type WindowsMemory } from '../../src/limits/sliding-windows.ts';

const windowSeconds = 10;
/** One log of few requests and its place. */
const logBytes = 700;

function limiterAt(limit: number, memory?: WindowsMemory) {
  let elapsed = 0;
  const policy = { limit, windowSeconds };
  const limiter = createLimiter(
    { ...defaultPolicies, 'api:ip': policy },
    { monotonic: () => elapsed, now: () => elapsed },
    memory,
  );
  return {
    take: (ip: string) => limiter.take([bucketOf('api:ip', { ip })])[0]!,
    passes(millis: number) {
      elapsed += millis;
    },
  };
}

const step = fc.record({
  millis: fc.oneof(fc.constant(0), fc.nat(200), fc.nat(6_000)),
  identity: fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.nat(40).map(String)),
});
const scenario = fc.record({
  limit: fc.integer({ min: 1, max: 30 }),
  ownBytes: fc.nat(12 * logBytes),
  sharedBytes: fc.nat(4 * logBytes),
});

describe('a limiter under pressure', () => {
  it('never admits more than the limit in any window, whoever asks', () => {
    fc.assert(
      fc.property(scenario, fc.array(step, { maxLength: 400 }), ({ limit, ...memory }, steps) => {
        const limiter = limiterAt(limit, memory);
        const admitted = new Map<string, number[]>();
        let now = 0;
        for (const { millis, identity } of steps) {
          limiter.passes(millis);
          now += millis;
          const times = (admitted.get(identity) ?? []).filter((time) => now - time < windowSeconds * 1000);
          const decision = limiter.take(identity);
          if (decision.allowed) times.push(now);
          admitted.set(identity, times);
          expect(times.length).toBeLessThanOrEqual(limit);
          expect(decision.remaining).toBeLessThanOrEqual(limit - times.length);
          if (!decision.allowed) expect(decision.retryAfterSeconds).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('keeps to its memory', () => {
    fc.assert(
      fc.property(scenario, fc.array(step, { maxLength: 200 }), ({ limit, ...memory }, steps) => {
        const windows = new SlidingWindows({ limit, windowSeconds }, memory);
        let now = 0;
        for (const { millis, identity } of steps) {
          windows.take(identity, (now += millis));
          expect(windows.bytes).toBeLessThanOrEqual(windows.maxBytes);
        }
      }),
    );
  });

  it('keeps exact count of whoever was there before a flood', () => {
    const limiter = limiterAt(100, { ownBytes: 20 * logBytes, sharedBytes: 4 * logBytes });
    for (let n = 0; n < 60; n++) expect(limiter.take('stays').remaining).toBe(99 - n);
    for (let n = 0; n < 10_000; n++) {
      limiter.take(`address ${n}`);
      if (n % 250 === 0) expect(limiter.take('stays').remaining).toBe(39 - n / 250);
    }
    expect(limiter.take('stays').allowed).toBe(false);
    for (let n = 0; n < 10_000; n++) limiter.take(`other ${n}`);
    expect(limiter.take('stays').allowed).toBe(false);
  });

  it('counts together those for whom there is no room, and each by itself when there is again', () => {
    const limiter = limiterAt(5, { ownBytes: 0, sharedBytes: 0 });
    const flood = Array.from({ length: 20 }, (_, n) => limiter.take(`address ${n}`).allowed);
    expect(flood.filter(Boolean)).toHaveLength(5);
    expect(limiter.take('newcomer').allowed).toBe(false);
    limiter.passes(windowSeconds * 1000);
    expect(limiter.take('newcomer')).toMatchObject({ allowed: true, remaining: 4 });
  });

  it('has room again for others when a window has passed', () => {
    const windows = new SlidingWindows({ limit: 5, windowSeconds }, { ownBytes: 20 * logBytes, sharedBytes: 0 });
    for (let n = 0; n < 1_000; n++) windows.take(`address ${n}`, n);
    const full = windows.entries;
    expect(full).toBeGreaterThanOrEqual(20);
    const later = 1_000 + windowSeconds * 1000;
    const counts = Array.from({ length: 20 }, (_, n) => windows.take(`other ${n}`, later).count);
    expect([counts, windows.entries]).toEqual([counts.map(() => 1), 20]);
  });

  it('does not forget whom it denied, however many come meanwhile', () => {
    const limiter = limiterAt(3);
    for (let n = 0; n < 3; n++) expect(limiter.take('denied').allowed).toBe(true);
    for (let n = 0; n < 150_000; n++) limiter.take(`address ${n}`);
    expect(limiter.take('denied').allowed).toBe(false);
    expect(limiter.take('address 0').remaining).toBeLessThan(2);
    limiter.passes(windowSeconds * 1000);
    expect(limiter.take('denied')).toMatchObject({ allowed: true, remaining: 2 });
  });

  it('by default has room for forty thousand addresses a minute', () => {
    const limiter = createLimiter(defaultPolicies);
    const limitDecisions = Array.from(
      { length: 40_000 },
      (_, n) => limiter.take([bucketOf('api:ip', { ip: `2001:db8:${n}:ffff::/64` })])[0]!,
    );
    expect(limitDecisions.filter(({ remaining }) => remaining !== 999)).toEqual([]);
  });
});
