/**
 * API tokens of an organization's users. The rows contain no secret: a token is its row, signed. [spec:
 * Authentication]
 */
import { theOperator, type AuditAuthor } from '../audit/event.ts';
import { errors, quoted } from '../errors.ts';
import { takePlace } from '../model/caps.ts';
import { identifier, sql, statement, trusted, type Sql } from '../postgres/sql.ts';
import { leaveAudit } from './audit.ts';
import type { ProvisionDeps } from './deps.ts';
import { endToken, insertToken, newToken, signRow, tokensOf, tokenSubject, type NewToken } from './token-row.ts';
import { findUser } from './users.ts';

export interface NewUserToken extends NewToken {
  /** The address of the user whom the token acts for. */
  readonly email: string;
}

export interface TokenInfo {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly email: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

/**
 * Creates a token. Throws NOT_FOUND for an unknown user, VALIDATION_ERROR for an invalid name, scope or lifetime, or
 * too many tokens. The token's text is returned only here.
 */
export async function createToken(
  deps: ProvisionDeps,
  organizationId: string,
  input: NewUserToken,
  by: AuditAuthor = theOperator,
): Promise<{ readonly tokenId: string; readonly token: string }> {
  const { directory } = deps;
  const organization = await directory.requireOrganization(organizationId);
  const database = await directory.databaseOf(organization);
  const token = newToken(deps, input);
  const workspaceUserId = await findUser(database, organization.id, organization.schema, input.email);
  await directory.addToken(token.id, organization.id);
  const tokens = tokensOf(organization.schema, workspaceUserId, deps.clock.now());
  await database.transaction(organization.id, async (tx) => {
    await takePlace((query) => tx.run(statement(query)), organization.schema, tokens);
    await tx.run(statement(insertToken(organization.schema, workspaceUserId, token)));
    await leaveAudit(deps, tx, organization, by, {
      action: 'token.created',
      subject: tokenSubject(token, workspaceUserId),
    });
  });
  return { tokenId: token.id, token: await signRow(deps, organization.id, token) };
}

/** All tokens, oldest first, including revoked ones. */
export async function listTokens(
  deps: ProvisionDeps,
  organizationId: string,
): Promise<{ readonly tokens: readonly TokenInfo[] }> {
  const organization = await deps.directory.requireOrganization(organizationId);
  const database = await deps.directory.databaseOf(organization);
  const query = sql`select t.id, t.name, to_json(t.scopes)::text, u.email, ${isoTime('t.created_at')}, ${isoTime('t.expires_at')},
      ${isoTime('t.last_used_at')}, ${isoTime('t.revoked_at')}
    from ${identifier(organization.schema, '_tokens')} t
      join ${identifier(organization.schema, '_users')} u on u.id = t.workspace_user_id
    order by t.created_at, t.id`;
  const { rows } = await database.run(organization.id, statement(query));
  const tokens = rows.map(([id, name, scopes, email, createdAt, expiresAt, lastUsedAt, revokedAt]) => ({
    id: id ?? '',
    name: name ?? '',
    scopes: JSON.parse(scopes ?? '[]') as string[],
    email: email ?? '',
    created_at: createdAt ?? '',
    expires_at: expiresAt ?? null,
    last_used_at: lastUsedAt ?? null,
    revoked_at: revokedAt ?? null,
  }));
  return { tokens };
}

/** Revokes a token; effective from the next request. Idempotent; throws NOT_FOUND for an unknown token. */
export async function revokeToken(
  deps: ProvisionDeps,
  tokenId: string,
  by: AuditAuthor = theOperator,
): Promise<{ readonly tokenId: string; readonly revoked: true }> {
  const organization = await deps.directory.organizationOfToken(tokenId);
  if (organization === undefined) throw noToken(tokenId);
  const database = await deps.directory.databaseOf(organization);
  const { schema } = organization;
  await database.transaction(organization.id, async (tx) => {
    const ended = await endToken((query) => tx.run(statement(query)), { schema, id: tokenId }, deps.clock.now());
    if (!ended) throw noToken(tokenId);
    if (!ended.isNew) return;
    const subject = { token: ended.id, user: ended.workspaceUserId };
    await leaveAudit(deps, tx, organization, by, { action: 'token.revoked', subject });
  });
  return { tokenId: tokenId.toLowerCase(), revoked: true };
}

/** Signs an existing token's row again, for the demo, whose token is shown at every start. Throws NOT_FOUND. */
export async function signTokenAgain(deps: ProvisionDeps, organizationId: string, tokenId: string): Promise<string> {
  const organization = await deps.directory.requireOrganization(organizationId);
  const database = await deps.directory.databaseOf(organization);
  const query = sql`select extract(epoch from created_at)::bigint, extract(epoch from expires_at)::bigint
    from ${identifier(organization.schema, '_tokens')} where id = ${tokenId}::uuid`;
  const { rows } = await database.run(organization.id, statement(query));
  const [row] = rows;
  if (row === undefined) throw noToken(tokenId);
  const expiresAt = row[1] ?? null;
  const times = { issuedAt: Number(row[0]), expiresAt: expiresAt === null ? null : Number(expiresAt) };
  return signRow(deps, organization.id, { id: tokenId, ...times });
}

/** `column` must be a name from this file. */
function isoTime(column: string): Sql {
  return sql`to_char(${trusted(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

function noToken(tokenId: string): Error {
  return errors.notFound(`There is no token ${quoted(tokenId)}`);
}
