/** Rate limits: true sliding windows, counted per policy and identity. [spec: Rate limits] */
import { KithError } from '../errors.ts';
import type { Bucket } from './buckets.ts';
import { noteDenied, noteUncounted } from './counts.ts';
import type { Policies, Policy, PolicyId } from './policies.ts';

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

/** In the order of the buckets; undefined where nobody can tell. */
export type Told = readonly LimitDecision[] | Promise<readonly LimitDecision[] | undefined>;

export interface Limiter {
  readonly policies: Policies;
  /**
   * Counts one request in all of the buckets, or in none: then there is one decision, that of the first which denies it, and
   * in those `beside` the latest request, which is the same one, no longer counts. Undefined where nobody can tell: it is
   * allowed.
   */
  take(buckets: readonly Bucket[], beside?: readonly Bucket[]): Told;
  /** What the buckets hold, as if a request were about to come; counts nothing. */
  look(buckets: readonly Bucket[]): Told;
}

/** What one bucket holds, and whether it admits a request. */
export interface BucketState {
  readonly allowed: boolean;
  readonly count: number;
  /** Until the oldest request leaves the window; 0 where there is none. */
  readonly leavesInMillis: number;
}

/** A decision as it is told. `now` is in milliseconds since the epoch. */
export function decisionOf(
  policy: PolicyId,
  { limit, windowSeconds }: Policy,
  { allowed, count, leavesInMillis }: BucketState,
  now: number,
): LimitDecision {
  // What is counted at one moment and told at another can be some milliseconds apart.
  const resetAfterSeconds = Math.min(windowSeconds, Math.ceil(leavesInMillis / 1000));
  return {
    policy,
    allowed,
    limit,
    windowSeconds,
    remaining: limit - count,
    reset: Math.ceil((now + leavesInMillis) / 1000),
    resetAfterSeconds,
    resetAfterMillis: leavesInMillis,
    retryAfterSeconds: allowed ? 0 : resetAfterSeconds,
  };
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
 * Counts one request in all of the buckets, and adds what it used to `decisions`; a promise where another one counts. Nothing is
 * counted without a limiter. Throws RateLimited where a budget is used up: then it counts in none, nor in those `beside`.
 */
export function count(
  limiter: Limiter | undefined,
  buckets: readonly Bucket[],
  decisions: LimitDecision[],
  beside: readonly Bucket[] = [],
): Promise<void> | undefined {
  const settle = (told: readonly LimitDecision[] | undefined) => {
    if (!told) for (const { policy } of buckets) noteUncounted(policy);
    else {
      decisions.push(...told);
      refuse(told);
    }
  };
  const told = limiter?.take(buckets, beside);
  if (told instanceof Promise) return told.then(settle);
  if (limiter) settle(told);
  return undefined;
}

/** Throws RateLimited where one of the buckets is used up; counts nothing. */
export async function refuseWhereUsedUp(limiter: Limiter | undefined, buckets: readonly Bucket[]): Promise<void> {
  refuse((await limiter?.look(buckets)) ?? []);
}

function refuse(told: readonly LimitDecision[]): void {
  const denied = told.find(({ allowed }) => !allowed);
  if (!denied) return;
  noteDenied(denied.policy);
  throw new RateLimited(denied);
}
