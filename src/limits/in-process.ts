/** Limits counted in this process: no window at any position holds more than the limit. */
import { registerCache } from '../lib/caches.ts';
import type { Bucket } from './buckets.ts';
import { decisionOf, type Limiter, type LimitDecision } from './limiter.ts';
import type { Policies, PolicyId } from './policies.ts';
import { SlidingWindows, type WindowsMemory } from './sliding-windows.ts';

export interface Times {
  /** Monotonic milliseconds, used for windows. */
  monotonic(): number;
  /** Milliseconds since the epoch, used in headers. */
  now(): number;
}

/** A limiter that answers synchronously. */
export interface LimiterHere extends Limiter {
  take(buckets: readonly Bucket[], beside?: readonly Bucket[]): readonly LimitDecision[];
  look(buckets: readonly Bucket[]): readonly LimitDecision[];
}

const systemTimes: Times = { monotonic: () => performance.now(), now: () => Date.now() };

/** For some 40,000 identities. */
const largeMemory: WindowsMemory = { ownBytes: 24 * 1024 * 1024, sharedBytes: 8 * 1024 * 1024 };
/** For some 4,000. */
const smallMemory: WindowsMemory = { ownBytes: 2 * 1024 * 1024, sharedBytes: 512 * 1024 };

/** Rarely used policies get less memory. */
function memoryOf(policy: PolicyId): WindowsMemory {
  return policy.startsWith('api:') ? largeMemory : smallMemory;
}

/** Makes the limiter. A request counts from its moment until `windowSeconds` later, exclusive. `memory` is per policy. */
export function createLimiter(policies: Policies, times: Times = systemTimes, memory?: WindowsMemory): LimiterHere {
  const windows = new Map<PolicyId, SlidingWindows>();

  /** The policy's windows, made on first use. */
  function of(policy: PolicyId): SlidingWindows {
    const known = windows.get(policy);
    if (known) return known;
    const made = new SlidingWindows(policies[policy], memory ?? memoryOf(policy));
    windows.set(policy, made);
    registerCache('rate_limits', made);
    return made;
  }

  function decide(policy: PolicyId, monotonic: number, found: ReturnType<SlidingWindows['take']>): LimitDecision {
    const { windowSeconds } = policies[policy];
    const { admitted, count, oldest } = found;
    const leavesInMillis = oldest === undefined ? 0 : oldest + windowSeconds * 1000 - monotonic;
    return decisionOf(policy, policies[policy], { allowed: admitted, count, leavesInMillis }, times.now());
  }

  return {
    policies,
    take(buckets, beside = []) {
      const monotonic = times.monotonic();
      const decisions: LimitDecision[] = [];
      for (const { policy, identity } of buckets) {
        const found = of(policy).take(identity, monotonic);
        const decision = decide(policy, monotonic, found);
        if (!found.admitted) {
          const taken = buckets.slice(0, decisions.length);
          for (const one of [...taken, ...beside]) of(one.policy).giveBack(one.identity, monotonic);
          return [decision];
        }
        decisions.push(decision);
      }
      return decisions;
    },
    look(buckets) {
      const monotonic = times.monotonic();
      return buckets.map(({ policy, identity }) => decide(policy, monotonic, of(policy).look(identity, monotonic)));
    },
  };
}
