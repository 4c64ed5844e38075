/** Loads the caller from the organization's tables. */
import { parseJson } from '../lib/json.ts';
import { buildRole } from '../model/build.ts';
import type { OrganizationRef, StoredRole } from '../model/definition.ts';
import type { Database } from '../postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../postgres/sql.ts';
import type { Caller } from './caller.ts';

export interface LoadedCaller extends Omit<Caller, 'organizationId' | 'datasourceId'> {
  /** The current version and epoch of the model. */
  readonly modelVersion: string;
  readonly epoch: string;
}

type CallerDocument = Omit<LoadedCaller, 'role'> & { readonly role: StoredRole };

/**
 * Loads the caller of a token. Null when the token is unknown, revoked or expired at `now` (milliseconds), its user
 * is inactive, or the organization has moved away from this schema.
 */
export async function loadCaller(
  database: Database,
  organization: OrganizationRef,
  tokenId: string,
  now: number,
): Promise<LoadedCaller | null> {
  const { schema } = organization;
  const holder = sql`join ${identifier(schema, '_tokens')} t on t.workspace_user_id = u.id and t.id = ${tokenId}::uuid
    and t.revoked_at is null and (t.expires_at is null or t.expires_at > to_timestamp(${now}::double precision / 1000))`;
  return readCaller(database, organization, callerQuery(schema, sql`t.scopes`, sql`t.id`, holder));
}

/** The organization's oldest active admin, as whom the local command line acts; null when there is none. */
export async function loadAdmin(database: Database, organization: OrganizationRef): Promise<LoadedCaller | null> {
  const query = sql`${callerQuery(organization.schema, sql`array[]::text[]`, sql`null`, sql``)} and r.is_admin order by u.created_at, u.id limit 1`;
  return readCaller(database, organization, query);
}

/** The user without a token; null when inactive. */
export async function loadUser(
  database: Database,
  organization: OrganizationRef,
  workspaceUserId: string,
): Promise<LoadedCaller | null> {
  const query = sql`${callerQuery(organization.schema, sql`array[]::text[]`, sql`null`, sql``)} and u.id = ${workspaceUserId}::uuid`;
  return readCaller(database, organization, query);
}

async function readCaller(database: Database, organization: OrganizationRef, query: Sql): Promise<LoadedCaller | null> {
  const [result] = await database.read(organization.id, [statement(query)]);
  const document = result?.rows[0]?.[0];
  if (typeof document !== 'string') return null;
  // The statement below writes exactly these keys.
  const { role, ...caller } = parseJson(document) as unknown as CallerDocument;
  return { ...caller, role: buildRole(role) };
}

function callerQuery(schema: string, scopes: Sql, tokenId: Sql, holder: Sql): Sql {
  return sql`select json_build_object(
      'userId', u.user_id, 'workspaceUserId', u.id, 'tokenId', ${tokenId}, 'scopes', ${scopes},
      'role', json_build_object('id', r.id, 'name', r.name, 'is_admin', r.is_admin, 'permissions', r.permissions),
      'modelVersion', o.model_version::text, 'epoch', o.epoch::text)::text
    from ${identifier(schema, '_users')} u
      join ${identifier(schema, '_roles')} r on r.id = u.role_id
      cross join ${identifier(schema, '_organization')} o ${holder}
    where u.is_active and not o.moved`;
}
