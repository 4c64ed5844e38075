/** Which budgets operations count against besides those of the surface. [spec: Rate limits] */
import type { Call } from '../../access/call.ts';
import type { Caller } from '../../access/caller.ts';
import { bucketOf, countedPer, type Bucket, type KnownFor } from '../../limits/buckets.ts';
import { count, type Limiter, type LimitDecision } from '../../limits/limiter.ts';
import type { PolicyId, policyTable } from '../../limits/policies.ts';

/** The cost of an operation. `global` and `long` (which has a longer deadline) are counted by the surface only, against api:global. */
export type Cost = 'global' | 'long' | 'expensive' | 'bulk';

/** The origin of a call without a token. */
export interface Sender {
  /** The key of rate limits: an IPv4 address, or an IPv6 network. */
  readonly address: string;
}

/** A policy, and how the values of its key are found. */
export type Budget<Of extends readonly unknown[]> = {
  [P in PolicyId]: { readonly policy: P; of(...from: Of): KnownFor<P> };
}[PolicyId];

/** The budget by cost, besides api:global. */
const policyByCost = {
  global: undefined,
  long: undefined,
  expensive: 'api:expensive',
  bulk: 'api:bulk',
} as const satisfies Readonly<Record<Cost, PolicyId | undefined>>;

/** The policies of callers that some operation uses. Messaging counts messages that are really sent. */
const callersPolicies = ['api:global', 'api:expensive', 'api:bulk', 'api:messaging-send'] as const;

/** A policy that an operation can name for itself, since its key consists of the caller's properties. */
export type OwnPolicy = {
  [P in PolicyId]: (typeof policyTable)[P]['key'][number] extends keyof Caller ? P : never;
}[PolicyId];

/** The parts of an operation that decide what it counts against. */
interface Counted {
  readonly cost: Cost;
  readonly policies?: readonly OwnPolicy[];
}

/**
 * Counts an operation against the budgets of its cost and its own policies, in all of them or in none, and adds the
 * decisions to those of the request. Throws RATE_LIMITED.
 */
export async function countCost(
  limiter: Limiter | undefined,
  caller: Caller,
  { cost, policies = [] }: Counted,
  decisions: LimitDecision[],
): Promise<void> {
  const ofCost = policyByCost[cost];
  await countFor(limiter, caller, [...(ofCost ? [ofCost] : []), ...policies], decisions);
}

/** Whether an operation counts against more than the surface's budgets. */
export function isCounted({ cost, policies = [] }: Counted): boolean {
  return policyByCost[cost] !== undefined || policies.length > 0;
}

/** `Call.countSend` and `Call.budgets`; `decisions` are those of the request. */
export function budgetsOf(
  limiter: Limiter | undefined,
  caller: Caller,
  decisions: LimitDecision[],
): Pick<Call, 'countSend' | 'budgets'> {
  return {
    countSend: () => countFor(limiter, caller, ['api:messaging-send'], decisions),
    async budgets() {
      if (!limiter) return [];
      const states = await limiter.look(callersPolicies.map((policy) => bucketOf(policy, caller)));
      const known = new Map([...decisions, ...(states ?? [])].map((decision) => [decision.policy, decision]));
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
 * The bucket that the surface has counted for this request, to be given back if another budget denies it. The address's
 * budget is never given back, nor is anything counted for an earlier part of the request.
 */
function countedBefore(caller: Caller, decisions: readonly LimitDecision[]): readonly Bucket[] {
  const counted = decisions.filter(({ policy }) => policy !== 'api:ip');
  return counted.length === 1 && counted[0]?.policy === 'api:global' ? [bucketOf('api:global', caller)] : [];
}
