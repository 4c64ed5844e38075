/** Which budgets the operations use beside those of the surface, and whose. [spec: Rate limits] */
import type { Call } from '../../access/call.ts';
import type { Caller } from '../../access/caller.ts';
import { bucketOf, countedPer, type Bucket, type KnownFor } from '../../limits/buckets.ts';
import { count, type Limiter, type LimitDecision } from '../../limits/limiter.ts';
import type { PolicyId, policyTable } from '../../limits/policies.ts';

/** What an operation costs: `global` and `long`, which may take more time, are counted by the surface alone, against api:global. */
export type Cost = 'global' | 'long' | 'expensive' | 'bulk';

/** Where a call without a token comes from. */
export interface Sender {
  /** As budgets count it: an IPv4 address, or a network of IPv6. */
  readonly address: string;
}

/** A policy, and what there is to know by which it counts. */
export type Budget<Of extends readonly unknown[]> = {
  [P in PolicyId]: { readonly policy: P; of(...from: Of): KnownFor<P> };
}[PolicyId];

/** The budget beside api:global that a caller's operation uses by its cost. */
const policyByCost = {
  global: undefined,
  long: undefined,
  expensive: 'api:expensive',
  bulk: 'api:bulk',
} as const satisfies Readonly<Record<Cost, PolicyId | undefined>>;

/** Those of a caller that some operation uses. That of messages is for those that really go out, whatever an operation costs. */
const callersPolicies = ['api:global', 'api:expensive', 'api:bulk', 'api:messaging-send'] as const;

/** A policy that is an operation's own: all that it counts by is known of a caller. */
export type OwnPolicy = {
  [P in PolicyId]: (typeof policyTable)[P]['key'][number] extends keyof Caller ? P : never;
}[PolicyId];

/** What an operation says of its budgets. */
interface Counted {
  readonly cost: Cost;
  readonly policies?: readonly OwnPolicy[];
}

/** Counts an operation by its cost and its own policies, in all of them or in none, and adds that to the decisions of the request. Throws RATE_LIMITED. */
export async function countCost(
  limiter: Limiter | undefined,
  caller: Caller,
  { cost, policies = [] }: Counted,
  decisions: LimitDecision[],
): Promise<void> {
  const ofCost = policyByCost[cost];
  await countFor(limiter, caller, [...(ofCost ? [ofCost] : []), ...policies], decisions);
}

/** Whether an operation uses a budget beside those of the surface. */
export function isCounted({ cost, policies = [] }: Counted): boolean {
  return policyByCost[cost] !== undefined || policies.length > 0;
}

/** What an operation may do with the budgets of its caller itself. `decisions` are those of the request. */
export function budgetsOf(
  limiter: Limiter | undefined,
  caller: Caller,
  decisions: LimitDecision[],
): Pick<Call, 'countSend' | 'budgets'> {
  return {
    countSend: () => countFor(limiter, caller, ['api:messaging-send'], decisions),
    async budgets() {
      if (!limiter) return [];
      const told = await limiter.look(callersPolicies.map((policy) => bucketOf(policy, caller)));
      const known = new Map([...decisions, ...(told ?? [])].map((decision) => [decision.policy, decision]));
      const policies = known.has('api:ip') ? (['api:ip', ...callersPolicies] as const) : callersPolicies;
      return policies.map((policy) => {
        const { limit, windowSeconds } = limiter.policies[policy];
        const { remaining = null, reset = null } = known.get(policy) ?? {};
        return { policy, countedPer: countedPer(policy), limit, windowSeconds, remaining, reset };
      });
    },
  };
}

async function countFor(
  limiter: Limiter | undefined,
  caller: Caller,
  policies: readonly OwnPolicy[],
  decisions: LimitDecision[],
): Promise<void> {
  const buckets = policies.map((policy) => bucketOf(policy, caller));
  if (buckets.length > 0) await count(limiter, buckets, decisions, countedBefore(caller, decisions));
}

/**
 * What a surface has counted already for this request alone: where another budget denies it, it counts in neither. What its
 * address used it has used, and what was counted for an earlier part of the request stays.
 */
function countedBefore(caller: Caller, decisions: readonly LimitDecision[]): readonly Bucket[] {
  const counted = decisions.filter(({ policy }) => policy !== 'api:ip');
  return counted.length === 1 && counted[0]?.policy === 'api:global' ? [bucketOf('api:global', caller)] : [];
}
