/**
 * What leads into an organization from outside, which stands in the control schema and not in the organization's own: tokens, invitations, and hooks of
 * providers.
 */

export interface PendingInvitation {
  readonly id: string;
  readonly email: string;
  readonly roleId: string;
  /** A workspace user. */
  readonly invitedBy: string;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface NewInvitation {
  readonly email: string;
  readonly roleId: string;
  /** What the mail says beside. */
  readonly roleName: string;
  readonly organizationName: string;
  readonly inviter: string;
}

/** The doors of the caller's organization. */
export interface Doors {
  /** To be called before the token's row is written: from then on the token leads here. */
  enterToken(tokenId: string): Promise<void>;
  /** The text of a token that has been entered. Times are in seconds. */
  signToken(token: {
    readonly id: string;
    readonly issuedAt: number;
    readonly expiresAt: number | null;
  }): Promise<string>;
  /** To be called before the account is written: from then on what its provider tells leads here. */
  enterHook(integrationId: string, owner: string): Promise<void>;
  /** Whether it led here until now. */
  removeHook(integrationId: string): Promise<boolean>;
  /** Where the provider of an account calls in; undefined where the operator has told no address of the service. */
  hookUrl(provider: string, integrationId: string): string | undefined;
  /** Those that were not used, oldest first. */
  invitations(): Promise<readonly PendingInvitation[]>;
  /** Takes the place of an earlier one to that address; the link goes to the mailbox alone. */
  invite(invitation: NewInvitation): Promise<PendingInvitation>;
  /** False where there is none of that id. */
  withdrawInvitation(id: string): Promise<boolean>;
  /** Counts one against the organization's budget. Throws RATE_LIMITED as an error of the operation: the request itself was within its budgets. */
  countInvitation(): Promise<void>;
}
