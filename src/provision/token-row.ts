/** Rows of `_tokens`: creating and signing them. */
import type { AuditSubject } from '../audit/event.ts';
import type { TokenClaims } from '../auth/tokens.ts';
import { newId } from '../lib/id.ts';
import { caps, type Capped } from '../model/caps.ts';
import type { Rows } from '../postgres/database.ts';
import { empty, identifier, instant, sql, type Sql } from '../postgres/sql.ts';
import { nameProblem, refuseProblems } from './checks.ts';
import type { ProvisionDeps } from './deps.ts';

export interface NewToken {
  readonly name: string;
  /** Defaults to `['mcp']`. */
  readonly scopes?: readonly string[];
  /** A number and a unit (s, m, h, d, w, y), such as `90d`; absent for no expiry. */
  readonly expiresIn?: string;
}

/** A row of `_tokens`; times in whole seconds, as in the signed token. */
export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly issuedAt: number;
  readonly expiresAt: number | null;
}

/** A row not stored yet. Throws VALIDATION_ERROR. */
export function newToken({ clock }: Pick<ProvisionDeps, 'clock'>, input: NewToken): TokenRow {
  const name = input.name.trim();
  const scopes = [...new Set(input.scopes?.map((scope) => scope.trim()) ?? ['mcp'])];
  const lifetime = input.expiresIn === undefined ? null : seconds(input.expiresIn);
  refuseProblems({
    name: nameProblem(name),
    scopes: scopes.length > 0 && scopes.every((scope) => /^[a-z0-9_.:-]{1,64}$/.test(scope)) ? undefined : scopeProblem,
    expires_in:
      lifetime === undefined ? 'must be a number and a unit, such as 90d, 12h or 30m, at most 100 years' : undefined,
  });
  const issuedAt = Math.floor(clock.now() / 1000);
  return { id: newId(), name, scopes, issuedAt, expiresAt: typeof lifetime === 'number' ? issuedAt + lifetime : null };
}

/** The audit subject of a new token. */
export function tokenSubject({ id, name, scopes, expiresAt }: TokenRow, workspaceUserId: string): AuditSubject {
  const expires = expiresAt === null ? null : new Date(expiresAt * 1000).toISOString();
  return { token: id, name, scopes, expires_at: expires, user: workspaceUserId };
}

/** The token's app, and how long the app may renew it, in milliseconds. */
export interface TokenOfApp {
  readonly app: object;
  readonly until: number;
}

/** Inserts the token for a user of the organization. */
export function insertToken(schema: string, workspaceUserId: string, token: TokenRow, ofApp?: TokenOfApp): Sql {
  const [columns, values] = ofApp
    ? [sql`, app, connected_until`, sql`, ${JSON.stringify(ofApp.app)}::jsonb, ${instant(ofApp.until)}`]
    : [empty, empty];
  return sql`insert into ${identifier(schema, '_tokens')}
      (id, workspace_user_id, name, scopes, created_at, expires_at${columns})
    values (${token.id}::uuid, ${workspaceUserId}::uuid, ${token.name}, ${token.scopes}::text[],
      to_timestamp(${token.issuedAt}::double precision), to_timestamp(${token.expiresAt}::double precision)${values})`;
}

/** A token to be ended. */
export interface EndedToken {
  readonly id: string;
  readonly workspaceUserId: string;
  readonly name: string;
  /** False where it had already been ended. */
  readonly isNew: boolean;
}

/**
 * Ends the token with that id if `which` holds for its row `t`; it is invalid from then on. Undefined if not found.
 * Run it in a transaction.
 */
export async function endToken(
  run: (query: Sql) => Promise<Rows>,
  { schema, id, which = sql`true` }: { readonly schema: string; readonly id: string; readonly which?: Sql },
  now: number,
): Promise<EndedToken | undefined> {
  const tokens = identifier(schema, '_tokens');
  const { rows } = await run(sql`select t.id, t.workspace_user_id, t.name, t.revoked_at from ${tokens} t
    where t.id = ${id}::uuid and ${which} for update`);
  const [found] = rows;
  if (!found) return undefined;
  const [ended, workspaceUserId, name, revokedAt] = found;
  if (revokedAt === null) await run(sql`update ${tokens} set revoked_at = ${instant(now)} where id = ${id}::uuid`);
  return { id: ended ?? '', workspaceUserId: workspaceUserId ?? '', name: name ?? '', isNew: revokedAt === null };
}

/** The user's limit of tokens, counting those valid at `now` (milliseconds) or renewable by an app. */
export function tokensOf(schema: string, workspaceUserId: string, now: number): Capped {
  const existing = sql`select from ${identifier(schema, '_tokens')}
    where workspace_user_id = ${workspaceUserId}::uuid and revoked_at is null
      and (expires_at is null or greatest(expires_at, connected_until) > ${instant(now)})`;
  return { what: 'tokens of a user: revoke one that is not needed', most: caps.tokensOfUser, existing };
}

/** The signed text of the row's token, `svc_…`. */
export function signRow(
  { tokens }: Pick<ProvisionDeps, 'tokens'>,
  organizationId: string,
  row: Omit<TokenRow, 'name' | 'scopes'> & Pick<TokenClaims, 'resource'>,
): Promise<string> {
  const { id: tokenId, issuedAt, expiresAt, resource } = row;
  const more = { ...(expiresAt !== null && { expiresAt }), ...(resource !== undefined && { resource }) };
  return tokens.sign({ tokenId, organizationId, issuedAt, ...more });
}

const scopeProblem = 'must be names of small letters, digits and _ . : -';
const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800, y: 31_536_000 };
const longestLifetime = 100 * 31_536_000;

function seconds(lifetime: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,10})([smhdwy])$/.exec(lifetime.trim()) ?? [];
  const result = Number(count) * (unitSeconds[unit] ?? 0);
  return result > 0 && result <= longestLifetime ? result : undefined;
}
