/** Compares the schemas of a database with this program's version; changes nothing. */
import type { Directory, Organization } from '../directory/directory.ts';
import { messageOf } from '../lib/thrown.ts';
import { loadModel } from '../model/load.ts';
import type { Database } from '../postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../postgres/sql.ts';
import { missingIndexes } from './large-indexes.ts';
import { toleratedVersions } from './migrate.ts';
import type { ControlMigration, OrganizationMigration } from './migration.ts';
import { allMigrations, latestVersion } from './migrations.ts';

export interface SchemaStatus {
  /** `kith`, or the organization's schema. */
  readonly schema: string;
  /** Null where it could not be read. */
  readonly version: number | null;
  /** The version of this program. */
  readonly latest: number;
  /** `newer`: one version ahead, which this program tolerates. `unknown`: unreadable, for `reason`. */
  readonly state: 'up to date' | 'behind' | 'newer' | 'too new' | 'unknown';
  /** Migrations that `kith migrate` would run, and indexes that it would create. */
  readonly pending: readonly string[];
  readonly reason?: string;
}

/** The control schema first, then the organizations, oldest first; none for an empty database. */
export async function migrationStatus(
  main: Database,
  directory: Pick<Directory, 'organizations' | 'databaseOf'>,
): Promise<readonly SchemaStatus[]> {
  const version = await controlVersion(main);
  const control = statusOf('kith', version, allMigrations.control);
  if (version === 0) return [control];
  const schemas = [control];
  for (const organization of await directory.organizations()) {
    schemas.push(await organizationStatus(directory, organization));
  }
  return schemas;
}

async function controlVersion(main: Database): Promise<number> {
  const isThere = sql`select to_regclass('kith.migrations') is not null`;
  if ((await main.run('kith', statement(isThere))).rows[0]?.[0] !== 't') return 0;
  return numberOf(main, 'kith', sql`select coalesce(max(version), 0) from kith.migrations`);
}

async function organizationStatus(
  directory: Pick<Directory, 'databaseOf'>,
  organization: Organization,
): Promise<SchemaStatus> {
  const { id, schema } = organization;
  try {
    const database = await directory.databaseOf(organization);
    const query = sql`select schema_version from ${identifier(schema, '_organization')}`;
    const status = statusOf(schema, await numberOf(database, id, query), allMigrations.organization);
    // The directory has the latest version only when everything is done, including concurrent index creation.
    if (status.state !== 'up to date' || organization.schemaVersion >= status.latest) return status;
    const model = await loadModel(database, organization);
    const missing = await missingIndexes(database, model, allMigrations.organization);
    return missing.length === 0 ? status : { ...status, state: 'behind', pending: missing };
  } catch (error) {
    const reason = messageOf(error);
    const latest = latestVersion(allMigrations.organization);
    return { schema, version: null, latest, state: 'unknown', pending: [], reason };
  }
}

function statusOf(
  schema: string,
  version: number,
  migrations: readonly (ControlMigration | OrganizationMigration)[],
): SchemaStatus {
  const latest = latestVersion(migrations);
  const pending = migrations.filter((migration) => migration.version > version).map(({ name }) => name);
  const ahead = version > latest + toleratedVersions ? 'too new' : version > latest ? 'newer' : 'up to date';
  return { schema, version, latest, state: pending.length > 0 ? 'behind' : ahead, pending };
}

async function numberOf(database: Database, affinity: string, query: Sql): Promise<number> {
  return Number((await database.run(affinity, statement(query))).rows[0]?.[0]);
}
