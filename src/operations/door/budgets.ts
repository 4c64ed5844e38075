/** Which budgets the operations use beside those of the surface, and whose. [spec: Rate limits] */
import type { Caller } from '../../access/caller.ts';
import type { PolicyId } from '../../limits/limiter.ts';

/** What an operation costs: `global` and `long`, which may take more time, are counted by the surface alone, against api:global. */
export type Cost = 'global' | 'long' | 'expensive' | 'bulk';

/** Where a call without a token comes from. */
export interface Sender {
  /** As budgets count it: an IPv4 address, or a network of IPv6. */
  readonly address: string;
}

/** A policy, and what it counts together: calls for which `of` gives the same text. */
export interface Budget<Of extends readonly unknown[]> {
  readonly policy: PolicyId;
  of(...known: Of): string;
}

/** The budget beside api:global that a caller's operation uses by its cost. */
export const budgetsByCost: Readonly<Record<Cost, Budget<[Caller]> | undefined>> = {
  global: undefined,
  long: undefined,
  expensive: { policy: 'api:expensive', of: ({ workspaceUserId }) => workspaceUserId },
  bulk: { policy: 'api:bulk', of: ({ organizationId }) => organizationId },
};

/** The budget of messages that really go out: what an operation costs is counted whether or not it sends any. */
export const sendBudget: Budget<[Caller]> = {
  policy: 'api:messaging-send',
  of: ({ workspaceUserId }) => workspaceUserId,
};
