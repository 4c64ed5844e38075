/**
 * Limits counted in this process: an exact log of each identity's requests, so that no window of any position holds more
 * than the limit. Identities that were idle for a window are forgotten; memory follows the requests of the last windows.
 */
import { RequestLog } from './request-log.ts';
import type { Limiter, PolicyId, Verdict } from './limiter.ts';
import type { Policies, Policy } from './policies.ts';

/** A flood of addresses makes the longest idle ones forgotten early, rather than filling the memory. */
const maxIdentities = 50_000;

export interface Times {
  /** Milliseconds that never go backwards; windows are measured with them. */
  monotonic(): number;
  /** Milliseconds since the epoch; headers tell them. */
  now(): number;
}

/** A limiter that knows at once. */
export interface LimiterHere extends Limiter {
  take(policy: PolicyId, identity: string): Verdict;
}

const systemTimes: Times = { monotonic: () => performance.now(), now: () => Date.now() };

/** A request counts from the moment it was taken until `windowSeconds` later, that moment excluded. */
export function createLimiter(policies: Policies, times: Times = systemTimes): LimiterHere {
  const windows: Record<PolicyId, SlidingWindows> = {
    'api:ip': new SlidingWindows(policies['api:ip'].windowSeconds),
    'api:global': new SlidingWindows(policies['api:global'].windowSeconds),
    'api:expensive': new SlidingWindows(policies['api:expensive'].windowSeconds),
    'api:bulk': new SlidingWindows(policies['api:bulk'].windowSeconds),
  };
  return {
    take(policy, identity) {
      const { limit, windowSeconds } = policies[policy];
      const monotonic = times.monotonic();
      const log = windows[policy].logOf(identity, monotonic);
      const allowed = log.count < limit;
      if (allowed) log.add(monotonic);
      const leavesIn = (log.oldest ?? monotonic) + windowSeconds * 1000 - monotonic;
      return verdict(policy, policies[policy], allowed, limit - log.count, leavesIn, times.now());
    },
  };
}

function verdict(
  policy: PolicyId,
  { limit, windowSeconds }: Policy,
  allowed: boolean,
  remaining: number,
  leavesInMillis: number,
  now: number,
): Verdict {
  const resetAfterSeconds = Math.ceil(leavesInMillis / 1000);
  return {
    policy,
    allowed,
    limit,
    windowSeconds,
    remaining,
    reset: Math.ceil((now + leavesInMillis) / 1000),
    resetAfterSeconds,
    resetAfterMillis: leavesInMillis,
    retryAfterSeconds: allowed ? 0 : resetAfterSeconds,
  };
}

/**
 * The logs of one policy in two generations. Every window the younger one becomes the older, and the older one, which by
 * then was idle for a whole window, is dropped: forgetting costs nothing per request.
 */
class SlidingWindows {
  readonly #length: number;
  #younger = new Map<string, RequestLog>();
  #older = new Map<string, RequestLog>();
  #turnedAt = -Infinity;

  constructor(windowSeconds: number) {
    this.#length = windowSeconds * 1000;
  }

  /** The identity's log, holding only what its window counts now. */
  logOf(identity: string, now: number): RequestLog {
    if (now - this.#turnedAt >= this.#length || this.#younger.size >= maxIdentities) this.#turn(now);
    let log = this.#younger.get(identity);
    if (log === undefined) {
      log = this.#older.get(identity) ?? new RequestLog();
      this.#older.delete(identity);
      this.#younger.set(identity, log);
    }
    log.dropUntil(now - this.#length);
    return log;
  }

  #turn(now: number): void {
    this.#older = this.#younger;
    this.#younger = new Map();
    this.#turnedAt = now;
  }
}
