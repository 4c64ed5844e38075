/** Organizations whose creation or deletion was interrupted; they are hidden. */
import type { Database } from '../postgres/database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';
import { controlRows, textOf } from './control.ts';
import type { Organization } from './organizations.ts';

type UnfinishedOrganization = Omit<Organization, 'schemaVersion'>;

/** Those started before `time`, in milliseconds. */
export async function unfinishedOrganizations(
  main: Database,
  time: number,
): Promise<readonly UnfinishedOrganization[]> {
  const query = sql`select id, name, schema_name, datasource_id from kith.organizations
    where state = 'provisioning' and created_at < to_timestamp(${time / 1000}) order by created_at, id`;
  return (await controlRows(main, query)).map((row) => ({
    id: textOf(row, 0),
    name: textOf(row, 1),
    schema: textOf(row, 2),
    datasourceId: textOf(row, 3),
  }));
}

/** Removes its remains; `database` is its datasource's. */
export async function removeUnfinished(
  main: Database,
  database: Database,
  { id, schema }: Pick<UnfinishedOrganization, 'id' | 'schema'>,
): Promise<void> {
  await database.run(id, statement(sql`drop schema if exists ${identifier(schema)} cascade`));
  await controlRows(main, sql`delete from kith.tokens where organization_id = ${id}::uuid`);
  await controlRows(main, sql`delete from kith.organizations where id = ${id}::uuid and state = 'provisioning'`);
}
