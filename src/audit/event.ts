/** Entries of the audit: who did what that matters for the organization. They contain no record values and no secrets. */

/** The kinds of entries. `audit.broken`: the service found that the audit was manipulated. */
export const auditActions = [
  'organization.created',
  'user.created',
  'user.changed',
  'token.created',
  'token.revoked',
  'app.connected',
  'app.disconnected',
  'role.changed',
  'model.changed',
  'export',
  'import',
  'merge',
  'unmerge',
  'send',
  'admin.denied',
  'signin',
  'signout',
  'invitation.created',
  'invitation.accepted',
  'invitation.withdrawn',
  'account.connected',
  'account.removed',
  'audit.broken',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** Details: metadata names, ids, counts. */
export interface AuditSubject {
  readonly [name: string]: string | number | boolean | null | readonly string[] | AuditSubject;
}

export interface AuditEvent {
  readonly action: AuditAction;
  readonly subject: AuditSubject;
}

/** Who did it, and from where. */
export interface AuditAuthor {
  /** A workspace user; null for the command line and the service. */
  readonly actorId: string | null;
  readonly means: 'api' | 'mcp' | 'agent' | 'cli' | 'system';
  readonly agent: string | null;
  readonly tokenId: string | null;
  /** The answer's `X-Request-Id`. */
  readonly request: string | null;
  /** The client's address, if known. */
  readonly address: string | null;
}

/** The person at the command line. */
export const theOperator: AuditAuthor = {
  actorId: null,
  means: 'cli',
  agent: null,
  tokenId: null,
  request: null,
  address: null,
};

/** The service itself. */
export const theService: AuditAuthor = { ...theOperator, means: 'system' };
