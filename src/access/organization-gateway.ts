/** What leads into an organization from outside and is kept in the control schema: tokens, invitations, and hooks of providers. */

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
  /** The following are shown in the mail. */
  readonly roleName: string;
  readonly organizationName: string;
  readonly inviter: string;
}

/** Tokens, invitations and provider hooks of the caller's organization. */
export interface OrganizationGateway {
  /** Enters the token in the directory; call it before the token's row is written. */
  enterToken(tokenId: string): Promise<void>;
  /** Signs a token that was entered. Times are in seconds. */
  signToken(token: {
    readonly id: string;
    readonly issuedAt: number;
    readonly expiresAt: number | null;
  }): Promise<string>;
  /** Routes the provider's hook requests to this organization; call it before the account is written. */
  enterHook(integrationId: string, owner: string): Promise<void>;
  /** Removes the hook; returns whether it existed. */
  removeHook(integrationId: string): Promise<boolean>;
  /** The URL that the account's provider calls; undefined if no public address is configured. */
  hookUrl(provider: string, integrationId: string): string | undefined;
  /** Unused invitations, oldest first. */
  invitations(): Promise<readonly PendingInvitation[]>;
  /** Replaces an earlier invitation to the address; the link is sent by mail only. */
  invite(invitation: NewInvitation): Promise<PendingInvitation>;
  /** Returns false if there is no such invitation. */
  withdrawInvitation(id: string): Promise<boolean>;
  /** Counts one invitation against the organization's budget. Throws RATE_LIMITED as a plain KithError, since the request is within its own budgets. */
  countInvitation(): Promise<void>;
}
