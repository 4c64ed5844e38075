/** Remembers refusals until they end, so that no other process is asked meanwhile. */
import { bytesOfText, Lru } from '../lib/lru.ts';
import type { Bucket } from './buckets.ts';
import type { Limiter, LimitDecision } from './limiter.ts';

interface Denial {
  readonly decision: LimitDecision;
  /** By `performance.now`. */
  readonly until: number;
}

/** Wraps a limiter; it is not asked about buckets known to be full. */
export function rememberingDenials(limiter: Limiter): Limiter {
  // A forgotten refusal is asked for again, so its loss does no harm.
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
      // Counts to take back must be passed on in any case.
      const denied = beside.length === 0 ? buckets.map(known).find(Boolean) : undefined;
      if (denied) return [denied];
      const decisions = await limiter.take(buckets, beside);
      for (const decision of decisions ?? []) {
        const bucket = buckets.find(({ policy }) => policy === decision.policy);
        if (decision.allowed || !bucket) continue;
        const until = performance.now() + decision.resetAfterMillis;
        denials.set(`${bucket.policy} ${bucket.identity}`, { decision, until });
      }
      return decisions;
    },
    look: (buckets) => limiter.look(buckets),
  };
}

function stillDenied(decision: LimitDecision, left: number): LimitDecision {
  const seconds = Math.ceil(left / 1000);
  return { ...decision, resetAfterMillis: left, resetAfterSeconds: seconds, retryAfterSeconds: seconds };
}
