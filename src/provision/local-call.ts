/** A call without a token: what this machine itself does to an organization, in the name of the oldest active admin. */
import type { Call, Means } from '../access/call.ts';
import type { Caller } from '../access/caller.ts';
import { policiesFor } from '../access/policies.ts';
import { openWorkspace } from '../access/workspace.ts';
import { errors, quoted } from '../errors.ts';
import { loadModel } from '../model/load.ts';
import type { Database } from '../postgres/database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';
import type { ProvisionDeps } from './deps.ts';

/** Throws NOT_FOUND for an unknown organization, CONFLICT for one without an active admin. `warn` gets the call's warnings. */
export async function localCall(
  { directory, clock }: ProvisionDeps,
  organizationId: string,
  means: Means,
  warn: (message: string) => void,
): Promise<Call> {
  const organization = await directory.requireOrganization(organizationId);
  const database = await directory.databaseOf(organization);
  const model = await loadModel(database, organization);
  const admin = await oldestAdmin(database, organization.id, organization.schema);
  const role = admin && model.roles.get(admin.roleId);
  if (!role) throw errors.conflict(`Organization ${quoted(model.organizationName)} has no active admin to act for`);
  const { userId, workspaceUserId } = admin;
  const { id, datasourceId } = organization;
  const caller: Caller = { organizationId: id, datasourceId, userId, workspaceUserId, role, tokenId: null, scopes: [] };
  const now = clock.now();
  return {
    caller,
    model,
    visibility: policiesFor(role, workspaceUserId),
    workspace: openWorkspace(database, caller, model, now),
    now,
    timeZone: model.timeZone,
    means,
    warn,
  };
}

async function oldestAdmin(database: Database, organizationId: string, schema: string) {
  const query = sql`select u.id, u.user_id, u.role_id
    from ${identifier(schema, '_users')} u join ${identifier(schema, '_roles')} r on r.id = u.role_id
    where r.is_admin and u.is_active order by u.created_at, u.id limit 1`;
  const { rows } = await database.run(organizationId, statement(query));
  const [workspaceUserId, userId, roleId] = rows[0] ?? [];
  return workspaceUserId && userId && roleId ? { workspaceUserId, userId, roleId } : undefined;
}
