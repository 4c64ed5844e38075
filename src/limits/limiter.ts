/** Rate limits: true sliding windows, counted per policy and identity. [spec: Rate limits] */
import { KithError } from '../errors.ts';

export type PolicyId = 'api:ip' | 'api:global' | 'api:expensive' | 'api:bulk' | 'api:messaging-send';

/** What a request used of one budget, as its headers tell. */
export interface LimitDecision {
  readonly policy: PolicyId;
  readonly allowed: boolean;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Epoch seconds at which the window has room again: when the oldest request that it counts leaves it. */
  readonly reset: number;
  /** Whole seconds until then. */
  readonly resetAfterSeconds: number;
  /** The same to the millisecond. */
  readonly resetAfterMillis: number;
  /** Whole seconds until the next request would be admitted; 0 when this one was. */
  readonly retryAfterSeconds: number;
}

export interface Limiter {
  /** Counts one request against the budget; a denied one is not counted. Undefined where nobody can tell: it is allowed. */
  take(policy: PolicyId, identity: string): LimitDecision | Promise<LimitDecision | undefined>;
}

/** Thrown where a budget is used up; carries what the 429 answer needs. */
export class RateLimited extends KithError {
  readonly decision: LimitDecision;
  constructor(decision: LimitDecision) {
    super('RATE_LIMITED', `Too many requests: ${decision.policy} allows ${decision.limit} in its window`);
    this.decision = decision;
  }
}

/**
 * Counts one request against the budget of `identity`, and adds what it used to `decisions`. Nothing is counted without a
 * limiter. Throws RateLimited where the budget is used up.
 */
export async function count(
  limiter: Limiter | undefined,
  policy: PolicyId,
  identity: string,
  decisions: LimitDecision[],
): Promise<void> {
  const decision = await limiter?.take(policy, identity);
  if (!decision) return;
  decisions.push(decision);
  if (!decision.allowed) throw new RateLimited(decision);
}
