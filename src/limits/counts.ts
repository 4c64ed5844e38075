/** What this process has seen of limits, for /metrics. */
import type { PolicyId } from './policies.ts';

const denied = new Map<PolicyId, number>();
const uncounted = new Map<PolicyId, number>();
let storeUp: boolean | undefined;

/** Notes a request that a budget denied. */
export function noteDenied(policy: PolicyId): void {
  denied.set(policy, (denied.get(policy) ?? 0) + 1);
}

/** Notes a request that nobody could count, and that was allowed. */
export function noteUncounted(policy: PolicyId): void {
  uncounted.set(policy, (uncounted.get(policy) ?? 0) + 1);
}

/** Notes whether the shared store counts; undefined where there is none. */
export function noteStore(isUp: boolean | undefined): void {
  storeUp = isUp;
}

/** All that was noted since the process began. */
export function limitCounts(): {
  readonly denied: ReadonlyMap<PolicyId, number>;
  readonly uncounted: ReadonlyMap<PolicyId, number>;
  readonly storeUp: boolean | undefined;
} {
  return { denied, uncounted, storeUp };
}
