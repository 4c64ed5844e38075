/** Who is calling, as the organization's own tables say. */
import type { RoleDef } from '../model/model.ts';

export interface Caller {
  readonly organizationId: string;
  readonly datasourceId: string;
  /** The person, across organizations. */
  readonly userId: string;
  readonly workspaceUserId: string;
  readonly role: RoleDef;
  /** Null where no token was used: a signed-in person, or the command line on the machine itself. */
  readonly tokenId: string | null;
  /** That of a signed-in person's browser. */
  readonly sessionId?: string;
  /** Those of the token; none where no token was used. */
  readonly scopes: readonly string[];
}

/**
 * The scopes as a part of a key, in whatever order they were given. Whatever is remembered of a caller, and was not read from
 * the database with the caller's own statement, has them in its key: no other scopes may be shown it.
 */
export function scopesKey({ scopes, sessionId }: Pick<Caller, 'scopes' | 'sessionId'>): string {
  // No scope has such a name: what is remembered for tokens and for signed-in people stays apart.
  return sessionId === undefined ? scopes.toSorted().join(' ') : 'SIGNED IN';
}
