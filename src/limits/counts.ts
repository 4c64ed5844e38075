/** Counts about rate limits for /metrics. */
import type { PolicyId } from './policies.ts';

const denied = new Map<PolicyId, number>();
const uncounted = new Map<PolicyId, number>();
let storeUp: boolean | undefined;

/** Notes a refused request. */
export function noteDenied(policy: PolicyId): void {
  denied.set(policy, (denied.get(policy) ?? 0) + 1);
}

/** Notes a request that was allowed without being counted. */
export function noteUncounted(policy: PolicyId): void {
  uncounted.set(policy, (uncounted.get(policy) ?? 0) + 1);
}

/** Notes whether the shared store is available; undefined if there is none. */
export function noteStore(isUp: boolean | undefined): void {
  storeUp = isUp;
}

/** All counts since the process began. */
export function limitCounts(): {
  readonly denied: ReadonlyMap<PolicyId, number>;
  readonly uncounted: ReadonlyMap<PolicyId, number>;
  readonly storeUp: boolean | undefined;
} {
  return { denied, uncounted, storeUp };
}
