/** Limits counted in this process: no window of any position holds more than the limit. */
import { registerCache } from '../lib/caches.ts';
import type { Limiter, PolicyId, LimitDecision } from './limiter.ts';
import type { Policies, Policy } from './policies.ts';
import { SlidingWindows, usualMemory, type WindowsMemory } from './sliding-windows.ts';

export interface Times {
  /** Milliseconds that never go backwards; windows are measured with them. */
  monotonic(): number;
  /** Milliseconds since the epoch; headers tell them. */
  now(): number;
}

/** A limiter that knows at once. */
export interface LimiterHere extends Limiter {
  take(policy: PolicyId, identity: string): LimitDecision;
}

const systemTimes: Times = { monotonic: () => performance.now(), now: () => Date.now() };

/** A request counts from the moment it was taken until `windowSeconds` later, that moment excluded. `memory` is of each policy. */
export function createLimiter(
  policies: Policies,
  times: Times = systemTimes,
  memory: WindowsMemory = usualMemory,
): LimiterHere {
  const windowsOf = ([policy, of]: [string, Policy]) => [policy, new SlidingWindows(of, memory)];
  const windows = Object.fromEntries(Object.entries(policies).map(windowsOf)) as Record<PolicyId, SlidingWindows>;
  for (const each of Object.values(windows)) registerCache('rate_limits', each);
  return {
    take(policy, identity) {
      const { limit, windowSeconds } = policies[policy];
      const monotonic = times.monotonic();
      const { admitted, log } = windows[policy].take(identity, monotonic);
      const leavesIn = (log.oldest ?? monotonic) + windowSeconds * 1000 - monotonic;
      return decision(policy, policies[policy], admitted, limit - log.count, leavesIn, times.now());
    },
  };
}

function decision(
  policy: PolicyId,
  { limit, windowSeconds }: Policy,
  allowed: boolean,
  remaining: number,
  leavesInMillis: number,
  now: number,
): LimitDecision {
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
