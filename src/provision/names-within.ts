/** Names within an organization, for completing commands. */
import type { Directory } from '../directory/directory.ts';
import { identifier, sql, statement, type Sql } from '../postgres/sql.ts';

/** The names of objects with records, in model order. */
export function objectNames(directory: Directory, organizationId: string): Promise<readonly string[]> {
  return names(directory, organizationId, (schema) => {
    const table = identifier(schema, '_objects');
    return sql`(select * from ${table} where definition ->> 'kind' is null) o`;
  });
}

/** The names of roles, in model order. */
export function roleNames(directory: Directory, organizationId: string): Promise<readonly string[]> {
  return names(directory, organizationId, (schema) => identifier(schema, '_roles'));
}

async function names(directory: Directory, organizationId: string, table: (schema: string) => Sql): Promise<string[]> {
  const organization = await directory.requireOrganization(organizationId);
  const database = await directory.databaseOf(organization);
  const query = sql`select name from ${table(organization.schema)} order by position, name`;
  const { rows } = await database.run(organization.id, statement(query));
  return rows.map(([name]) => name ?? '');
}
