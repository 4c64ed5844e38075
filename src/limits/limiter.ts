/** Rate limits: true sliding windows per policy and identity. [spec: Rate limits] */
import { KithError } from '../errors.ts';
import type { Bucket } from './buckets.ts';
import { noteDenied, noteUncounted } from './counts.ts';
import type { Policies, Policy, PolicyId } from './policies.ts';

/** The state of one budget after a request, as in headers. */
export interface LimitDecision {
  readonly policy: PolicyId;
  readonly allowed: boolean;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Epoch seconds at which the oldest counted request leaves the window. */
  readonly reset: number;
  /** Whole seconds until then. */
  readonly resetAfterSeconds: number;
  /** Milliseconds until then. */
  readonly resetAfterMillis: number;
  /** Whole seconds until the next request would be admitted; 0 if this one was. */
  readonly retryAfterSeconds: number;
}

/** In the order of the buckets; undefined if the limiter cannot decide. */
export type Decisions = readonly LimitDecision[] | Promise<readonly LimitDecision[] | undefined>;

export interface Limiter {
  readonly policies: Policies;
  /**
   * Counts one request in all buckets or in none. If a bucket refuses, its decision is the only one, and the latest request
   * in the buckets `beside`, which is this one, is taken back. Undefined if the limiter cannot decide: the request is
   * allowed.
   */
  take(buckets: readonly Bucket[], beside?: readonly Bucket[]): Decisions;
  /** The state of the buckets for a request, without counting it. */
  look(buckets: readonly Bucket[]): Decisions;
}

/** The state of a bucket, and whether it admits a request. */
export interface BucketState {
  readonly allowed: boolean;
  readonly count: number;
  /** Until the oldest request leaves the window; 0 if there is none. */
  readonly leavesInMillis: number;
}

/** The decision for a bucket's state; `now` is in milliseconds since the epoch. */
export function decisionOf(
  policy: PolicyId,
  { limit, windowSeconds }: Policy,
  { allowed, count, leavesInMillis }: BucketState,
  now: number,
): LimitDecision {
  // Counting and reporting can be some milliseconds apart.
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

/** Thrown if a budget is used up; contains what the 429 answer needs. */
export class RateLimited extends KithError {
  readonly decision: LimitDecision;
  constructor(decision: LimitDecision) {
    super('RATE_LIMITED', `Too many requests: ${decision.policy} allows ${decision.limit} in its window`);
    this.decision = decision;
  }
}

/**
 * Counts one request in all buckets, and adds their decisions to `decisions`; returns a promise if another process counts.
 * Without a limiter it does nothing. Throws RateLimited if a budget is used up: then nothing is counted, and the buckets
 * `beside` give back.
 */
export function count(
  limiter: Limiter | undefined,
  buckets: readonly Bucket[],
  decisions: LimitDecision[],
  beside: readonly Bucket[] = [],
): Promise<void> | undefined {
  const settle = (own: readonly LimitDecision[] | undefined) => {
    if (!own) for (const { policy } of buckets) noteUncounted(policy);
    else {
      decisions.push(...own);
      refuse(own);
    }
  };
  const own = limiter?.take(buckets, beside);
  if (own instanceof Promise) return own.then(settle);
  if (limiter) settle(own);
  return undefined;
}

/** Throws RateLimited if a bucket is used up, without counting. */
export async function refuseWhereUsedUp(limiter: Limiter | undefined, buckets: readonly Bucket[]): Promise<void> {
  refuse((await limiter?.look(buckets)) ?? []);
}

function refuse(own: readonly LimitDecision[]): void {
  const denied = own.find(({ allowed }) => !allowed);
  if (!denied) return;
  noteDenied(denied.policy);
  throw new RateLimited(denied);
}
