/** The caller, as stored in the organization's tables. */
import type { RoleDef } from '../model/model.ts';

export interface Caller {
  readonly organizationId: string;
  readonly datasourceId: string;
  /** The person's id, across organizations. */
  readonly userId: string;
  readonly workspaceUserId: string;
  readonly role: RoleDef;
  /** Null without a token: a signed-in person, or the command line on the machine itself. */
  readonly tokenId: string | null;
  /** Browser session id; absent for tokens. */
  readonly sessionId?: string;
  /** The token's scopes; empty without a token. */
  readonly scopes: readonly string[];
}

/**
 * The scopes as part of a cache key, in any order. Every cache of a caller's data that is not re-read with the
 * caller's own check must include them.
 */
export function scopesKey({ scopes, sessionId }: Pick<Caller, 'scopes' | 'sessionId'>): string {
  // No scope has this name, so caches of tokens and of signed-in people stay apart.
  return sessionId === undefined ? scopes.toSorted().join(' ') : 'SIGNED IN';
}
