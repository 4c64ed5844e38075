/**
 * Connections of apps: a person's consent gives a row of `_tokens` in the organization, and every request of the app is
 * checked against it like any token. The app renews it; revoking it ends everything the app was given.
 */
import { theService, type AuditAuthor, type AuditSubject } from '../audit/event.ts';
import { whereItLies } from '../directory/where-it-lies.ts';
import { isUuid } from '../lib/id.ts';
import { identifier, sql, statement, type Sql } from '../postgres/sql.ts';
import { leaveAudit } from '../provision/audit.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import { endToken, type EndedToken } from '../provision/token-row.ts';
import { time } from '../signin/links.ts';

/** The app as shown to the person. */
export interface ConnectedApp {
  /** The client id: issued here, or the URL of a document. */
  readonly id: string;
  /** As given by the app itself. */
  readonly name: string;
  /** The destination of its redirect: a host, or a program's scheme. */
  readonly host: string;
  /** The URL of the requested interface. */
  readonly resource: string;
}

/** The organization and row of a connection. */
export interface ConnectionPlace {
  readonly organizationId: string;
  /** The id of its row and of the consent. */
  readonly tokenId: string;
}

export interface Connections {
  /**
   * Renews the connection for an hour, and its refresh for as long as apps may be idle, but not beyond `until`. Undefined
   * if it was ended or its user is not active. Times are in seconds.
   */
  renew(
    place: ConnectionPlace,
    until: number,
  ): Promise<{ readonly issuedAt: number; readonly expiresAt: number } | undefined>;
  /** Ends the connection with an audit entry; ending it again does nothing. */
  end(place: ConnectionPlace, why: string): Promise<void>;
}

/** The lifetime of an access token, in seconds. */
export const accessSeconds = 3_600;
/** The longest that an app may be idle, in seconds. */
export const idleSeconds = 30 * 24 * 3_600;
/** The longest lifetime of a connection, in seconds. */
export const longestSeconds = 365 * 24 * 3_600;

/** Makes the connections of all organizations. */
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
      directory.forget(place.organizationId); // it may have the location before a move
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

/** The audit details of an ended connection. */
export function endedConnection({ id, name, workspaceUserId }: EndedToken) {
  return { token: id, app: name, user: workspaceUserId } satisfies AuditSubject;
}

/** Whether the row `t` of `_tokens` is a connection that is active at `now`, in milliseconds. */
export function isConnected(now: number): Sql {
  return sql`(t.app is not null and t.revoked_at is null and t.connected_until > ${time(now)})`;
}

/** The account id of a workspace user for the library, which knows no organizations. */
export function accountOf(organizationId: string, workspaceUserId: string): string {
  return `${organizationId}/${workspaceUserId}`;
}

/** The organization in an account id; '' if invalid. */
export function organizationOf(account: unknown): string {
  return typeof account === 'string' ? (account.split('/')[0] ?? '') : '';
}
