/** Limits counted in a store that several processes share. */
import { createHmac } from 'node:crypto';
import type { Store } from '../store/store.ts';
import type { Bucket } from './buckets.ts';
import { decisionOf, type Limiter, type LimitDecision } from './limiter.ts';
import type { Policies } from './policies.ts';

export interface StoreLimiterParts {
  readonly policies: Policies;
  /** Runs `windowScript`. */
  readonly store: Pick<Store, 'run'>;
  /** Hashes identities in keys of the store, so that they do not reveal them. Equal in all processes. */
  readonly nameKey: Uint8Array;
  /** Milliseconds since the epoch; defaults to the clocks of this process and the store. */
  readonly now?: () => number;
}

/** A bucket of nobody, to test the script. */
export const trialRun = { keys: ['kith:{trial}'], args: ['take', 1, '', 1, 1] } as const;

/** Makes a limiter that does not decide while the store does not answer. */
export function createStoreLimiter({ policies, store, nameKey, now }: StoreLimiterParts): Limiter {
  const name = (text: string) => createHmac('sha256', nameKey).update(text).digest('base64url').slice(0, 22);

  /** The key; buckets of one group share a hash tag, so that a cluster keeps them on one node. Changed limits start new keys. */
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
