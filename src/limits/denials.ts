/** Denials that are remembered until their end, so that nothing is asked of another process meanwhile. */
import { bytesOfText, Lru } from '../lib/lru.ts';
import type { Bucket } from './buckets.ts';
import type { Limiter, LimitDecision } from './limiter.ts';

interface Denial {
  readonly decision: LimitDecision;
  /** On the clock of `performance.now`. */
  readonly until: number;
}

/** The same limiter; it is not asked about buckets that it has said are full, until they have room again. */
export function rememberingDenials(limiter: Limiter): Limiter {
  // Whose denial is pushed out is asked for again: what counts is counted by who answers.
  const denials = new Lru<string, Denial>({
    name: 'denials',
    maxBytes: 4 * 1024 * 1024,
    bytesOf: (key) => bytesOfText(key) + 200,
  });

  function known({ policy, identity }: Bucket): LimitDecision | undefined {
    const denial = denials.get(`${policy} ${identity}`);
    const left = denial ? denial.until - performance.now() : 0;
    return denial && left > 0 ? stillDenied(denial.decision, left) : undefined;
  }

  return {
    policies: limiter.policies,
    async take(buckets, beside = []) {
      // What is to count no longer has to be told in any case.
      const denied = beside.length === 0 ? buckets.map(known).find(Boolean) : undefined;
      if (denied) return [denied];
      const told = await limiter.take(buckets, beside);
      for (const decision of told ?? []) {
        const bucket = buckets.find(({ policy }) => policy === decision.policy);
        if (decision.allowed || !bucket) continue;
        const until = performance.now() + decision.resetAfterMillis;
        denials.set(`${bucket.policy} ${bucket.identity}`, { decision, until });
      }
      return told;
    },
    look: (buckets) => limiter.look(buckets),
  };
}

function stillDenied(decision: LimitDecision, left: number): LimitDecision {
  const seconds = Math.ceil(left / 1000);
  return { ...decision, resetAfterMillis: left, resetAfterSeconds: seconds, retryAfterSeconds: seconds };
}
