/**
 * What an app holds by a person's consent, in the organization of that person: a row of `_tokens`, which every request of the app is
 * checked against like any other token. The app renews it; whoever ends it ends all that the app was given.
 */
import { theService, type AuditAuthor, type AuditSubject } from '../audit/event.ts';
import { whereItLies } from '../directory/where-it-lies.ts';
import { isUuid } from '../lib/id.ts';
import { identifier, sql, statement, type Sql } from '../postgres/sql.ts';
import { leaveAudit } from '../provision/audit.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import { endToken, type EndedToken } from '../provision/token-row.ts';
import { time } from '../signin/links.ts';

/** Which app, as the person was told when it asked. */
export interface ConnectedApp {
  /** The client id: one that was given here, or the address of a document. */
  readonly id: string;
  /** By its own account. */
  readonly name: string;
  /** Where the person was sent back to: a host, or the scheme of a program. */
  readonly host: string;
  /** The address of the interface that it asked for. */
  readonly resource: string;
}

/** Where a connection lies. */
export interface ConnectionPlace {
  readonly organizationId: string;
  /** The id of its row, which is that of the consent, too. */
  readonly tokenId: string;
}

export interface Connections {
  /**
   * Makes the connection good for an hour more, and renewable for as long as apps may be idle, but not beyond `until`. Undefined
   * where it was ended, or its user is not active. Times are in seconds.
   */
  renew(
    place: ConnectionPlace,
    until: number,
  ): Promise<{ readonly issuedAt: number; readonly expiresAt: number } | undefined>;
  /** Ends it, and says why in the audit. Once is enough. */
  end(place: ConnectionPlace, why: string): Promise<void>;
}

/** How long an access token is good, in seconds. */
export const accessSeconds = 3_600;
/** An app that does not come for so long has to ask again, in seconds. */
export const idleSeconds = 30 * 24 * 3_600;
/** And each does after so long. */
export const longestSeconds = 365 * 24 * 3_600;

/** Connections of all organizations. */
export function createConnections(provision: ProvisionDeps): Connections {
  const { directory, clock } = provision;
  const renewed = async ({ organizationId, tokenId }: ConnectionPlace, until: number) => {
    const issuedAt = Math.floor(clock.now() / 1000);
    const expiresAt = issuedAt + accessSeconds;
    const isThere = await whereItLies(directory, organizationId, async (database, { schema }) => {
      const query = sql`update ${identifier(schema, '_tokens')} t set expires_at = ${time(expiresAt * 1000)},
          connected_until = ${time(Math.min(issuedAt + idleSeconds, until) * 1000)}
        where t.id = ${tokenId}::uuid and ${isConnected(clock.now())}
          and exists (select from ${identifier(schema, '_users')} u where u.id = t.workspace_user_id and u.is_active)
          and not exists (select from ${identifier(schema, '_organization')} o where o.moved) returning t.id`;
      return (await database.run(organizationId, statement(query))).rows.length > 0;
    });
    return isThere ? { issuedAt, expiresAt } : undefined;
  };
  return {
    async renew(place, until) {
      if (!isUuid(place.organizationId) || !isUuid(place.tokenId)) return undefined;
      const times = await renewed(place, until);
      if (times) return times;
      directory.forget(place.organizationId); // it may remember where the organization was before it moved
      return renewed(place, until);
    },
    async end({ organizationId, tokenId }, why) {
      await whereItLies(directory, organizationId, async (database, organization) => {
        const row = { schema: organization.schema, id: tokenId };
        await database.transaction(organizationId, async (tx) => {
          const ended = await endToken((query) => tx.run(statement(query)), row, clock.now());
          if (!ended?.isNew) return;
          const by: AuditAuthor = { ...theService, tokenId };
          const subject = { ...endedConnection(ended), why };
          await leaveAudit(provision, tx, organization, by, { action: 'app.disconnected', subject });
        });
      });
    },
  };
}

/** What the audit tells of a connection that was ended. */
export function endedConnection({ id, name, workspaceUserId }: EndedToken) {
  return { token: id, app: name, user: workspaceUserId } satisfies AuditSubject;
}

/** Whether the row `t` of `_tokens` is a connection that goes on at `now`, in milliseconds. */
export function isConnected(now: number): Sql {
  return sql`(t.app is not null and t.revoked_at is null and t.connected_until > ${time(now)})`;
}

/** How a workspace user is named to the library, which knows no organizations. */
export function accountOf(organizationId: string, workspaceUserId: string): string {
  return `${organizationId}/${workspaceUserId}`;
}

/** The organization of such a name; '' where it is none. */
export function organizationOf(account: unknown): string {
  return typeof account === 'string' ? (account.split('/')[0] ?? '') : '';
}
