/** The roles of an organization. */
import { identifier, sql, statement } from '../postgres/sql.ts';
import type { ProvisionDeps } from './deps.ts';

export interface RoleInfo {
  readonly id: string;
  readonly name: string;
  readonly is_admin: boolean;
  /** The number of users, inactive ones included. */
  readonly users: number;
}

/** The roles in model order. */
export async function listRoles(
  { directory }: ProvisionDeps,
  organizationId: string,
): Promise<{ readonly roles: readonly RoleInfo[] }> {
  const organization = await directory.requireOrganization(organizationId);
  const database = await directory.databaseOf(organization);
  const { schema } = organization;
  const query = sql`select r.id, r.name, r.is_admin,
      (select count(*) from ${identifier(schema, '_users')} u where u.role_id = r.id)
    from ${identifier(schema, '_roles')} r order by r.position, r.name`;
  const { rows } = await database.run(organization.id, statement(query));
  return {
    roles: rows.map(([id, name, isAdmin, users]) => ({
      id: id ?? '',
      name: name ?? '',
      is_admin: isAdmin === 't',
      users: Number(users),
    })),
  };
}
