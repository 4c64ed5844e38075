/** Limits that a store counts, for all processes that share it. */
import { createHmac } from 'node:crypto';
import type { Store } from '../store/store.ts';
import type { Bucket } from './buckets.ts';
import { decisionOf, type Limiter, type LimitDecision } from './limiter.ts';
import type { Policies } from './policies.ts';

export interface StoreLimiterParts {
  readonly policies: Policies;
  /** Runs `windowScript`. */
  readonly store: Pick<Store, 'run'>;
  /** The same in all processes: without it, nobody tells from a key whose it is. */
  readonly nameKey: Uint8Array;
  /** Milliseconds since the epoch; those of this process and the store when absent. */
  readonly now?: () => number;
}

/** What shows whether the script succeeds: a bucket of nobody. */
export const trialRun = { keys: ['kith:{trial}'], args: ['take', 1, '', 1, 1] } as const;

/** A limiter that tells nothing while the store does not answer. */
export function createStoreLimiter({ policies, store, nameKey, now }: StoreLimiterParts): Limiter {
  const name = (text: string) => createHmac('sha256', nameKey).update(text).digest('base64url').slice(0, 22);

  /** What is taken together has the same braces, so that a cluster has it in one place. Changed limits begin anew. */
  function keyOf({ policy, identity, group }: Bucket): string {
    const { limit, windowSeconds } = policies[policy];
    return `kith:{${name(group)}}:${policy}:${limit}:${windowSeconds}:${name(identity)}`;
  }

  async function run(act: 'take' | 'look', buckets: readonly Bucket[], beside: readonly Bucket[]) {
    const all = [...buckets, ...beside];
    const sizes = all.flatMap(({ policy }) => [policies[policy].limit, policies[policy].windowSeconds * 1000]);
    const answer = await store.run(all.map(keyOf), [act, buckets.length, now?.() ?? '', ...sizes]);
    return answer === undefined ? undefined : buckets.map(({ policy }, at) => decisionIn(answer, at, policy));
  }

  function decisionIn(answer: unknown, at: number, policy: Bucket['policy']): LimitDecision {
    const [admits = 0, count = 0, leavesIn = 0] = (answer as readonly number[]).slice(3 * at);
    const state = { allowed: admits === 1, count, leavesInMillis: Math.max(0, leavesIn) };
    return decisionOf(policy, policies[policy], state, now?.() ?? Date.now());
  }

  return {
    policies,
    async take(buckets, beside = []) {
      const decisions = await run('take', buckets, beside);
      const denied = decisions?.find(({ allowed }) => !allowed);
      return denied ? [denied] : decisions;
    },
    look: (buckets) => run('look', buckets, []),
  };
}
