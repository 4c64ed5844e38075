/** What the audit tells: who did what that matters to whoever answers for the organization. Never values of records, never secrets. */

/** What happened. `audit.broken`: the service found that the audit had been changed from outside. */
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

/** Of what it tells: names of the metadata, ids, counts. */
export interface AuditSubject {
  readonly [name: string]: string | number | boolean | null | readonly string[] | AuditSubject;
}

export interface AuditEvent {
  readonly action: AuditAction;
  readonly subject: AuditSubject;
}

/** Who did it, and from where. */
export interface AuditAuthor {
  /** A workspace user; null for whoever sits at the machine itself, and for the service. */
  readonly actorId: string | null;
  readonly means: 'api' | 'mcp' | 'agent' | 'cli' | 'system';
  readonly agent: string | null;
  readonly tokenId: string | null;
  /** As the answer's `X-Request-Id` has it. */
  readonly request: string | null;
  /** The client's address, where it is known. */
  readonly address: string | null;
}

/** Whoever sits at the machine itself. */
export const theOperator: AuditAuthor = {
  actorId: null,
  means: 'cli',
  agent: null,
  tokenId: null,
  request: null,
  address: null,
};

/** The service by itself. */
export const theService: AuditAuthor = { ...theOperator, means: 'system' };
