/** Falls back to another limiter for strict policies. */
import type { Bucket } from './buckets.ts';
import type { Limiter } from './limiter.ts';
import { rowOf } from './policies.ts';

/** Asks `then` about strict policies that `first` cannot decide. */
export function strictly(first: Limiter, then: Limiter): Limiter {
  const strict = (buckets: readonly Bucket[]) => buckets.filter(({ policy }) => rowOf(policy).isStrict);
  return {
    policies: first.policies,
    async take(buckets, beside) {
      const decisions = await first.take(buckets, beside);
      if (decisions) return decisions;
      const left = strict(buckets);
      return left.length === 0 ? undefined : then.take(left);
    },
    async look(buckets) {
      const decisions = await first.look(buckets);
      if (decisions) return decisions;
      const left = strict(buckets);
      return left.length === buckets.length ? then.look(left) : undefined;
    },
  };
}
