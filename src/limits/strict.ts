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
      const told = await first.take(buckets, beside);
      if (told) return told;
      const left = strict(buckets);
      return left.length === 0 ? undefined : then.take(left);
    },
    async look(buckets) {
      const told = await first.look(buckets);
      if (told) return told;
      const left = strict(buckets);
      return left.length === buckets.length ? then.look(left) : undefined;
    },
  };
}
