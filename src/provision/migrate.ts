/** Migrates the control schema and all organizations' schemas. Concurrent processes run each step once. */
import { errors } from '../errors.ts';
import type { Directory, Organization } from '../directory/directory.ts';
import type { Clock } from '../lib/clock.ts';
import type { BuiltInObject } from '../model/built-in-objects.ts';
import { builtInObjects } from '../model/built-ins.ts';
import { newId } from '../lib/id.ts';
import { messageForLog } from '../lib/thrown.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../postgres/sql.ts';
import { addBuiltIns, type AddedBuiltIns } from './built-ins.ts';
import { enterMembers } from './enter-members.ts';
import { makeLargeIndexes } from './large-indexes.ts';
import type { ControlMigration, OrganizationMigration } from './migration.ts';
import { allMigrations, latestVersion } from './migrations.ts';

export interface AppliedMigration {
  /** `kith`, or the organization's schema. */
  readonly schema: string;
  readonly version: number;
  readonly name: string;
}

export interface FailedMigration {
  readonly schema: string;
  readonly message: string;
}

export interface MigrationResult {
  readonly applied: readonly AppliedMigration[];
  readonly failed: readonly FailedMigration[];
  /** Reports with remedies: the organization works, but lacks something. */
  readonly obstacles: readonly FailedMigration[];
}

export interface MigrateDeps {
  readonly main: Database;
  readonly directory: Directory;
  readonly clock: Clock;
}

/** Lock on `kith` during changes; any number unused elsewhere in the database. */
const controlLock = 7_215_460_001;
/** Organizations migrated concurrently. */
const concurrency = 4;
/** How many versions a schema may be ahead of the program, so that processes can be replaced one by one. */
export const toleratedVersions = 1;

/**
 * Migrates everything. Throws NOT_SUPPORTED when the control schema is newer than this program; a failed organization
 * is reported, and the others continue.
 */
export async function migrate(
  { main, directory, clock }: MigrateDeps,
  migrations = allMigrations,
  builtIns = builtInObjects,
): Promise<MigrationResult> {
  const applied = [...(await migrateControl(main, clock, migrations.control))];
  const failed: FailedMigration[] = [];
  const obstacles: FailedMigration[] = [];
  const latest = latestVersion(migrations.organization);
  const organizations = await directory.organizations();
  const waiting = organizations.filter(
    ({ schemaVersion }) => schemaVersion < latest || schemaVersion > latest + toleratedVersions,
  );
  const worker = async () => {
    for (let organization = waiting.shift(); organization; organization = waiting.shift()) {
      try {
        const done = await migrateOrganization({ directory, clock }, organization, migrations.organization, builtIns);
        applied.push(...done.applied);
        obstacles.push(...done.obstacles);
      } catch (error) {
        failed.push({ schema: organization.schema, message: messageForLog(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await enterMembers(directory, (schema, error) => failed.push({ schema, message: messageForLog(error) }));
  return { applied, failed, obstacles };
}

async function migrateControl(
  main: Database,
  clock: Clock,
  migrations: readonly ControlMigration[],
): Promise<readonly AppliedMigration[]> {
  return main.transaction('kith', async (tx) => {
    await tx.run(statement(sql`select pg_advisory_xact_lock(${controlLock}::bigint)`));
    await tx.script(`
      create schema if not exists kith;
      create table if not exists kith.migrations (version integer primary key, name text not null, applied_at timestamptz not null)`);
    const current = await numberOf(tx, sql`select coalesce(max(version), 0) from kith.migrations`);
    refuseNewer('This database', current, latestVersion(migrations));
    const pending = migrations.filter((migration) => migration.version > current);
    for (const { version, name, script } of pending) {
      await tx.script(script);
      await tx.run(
        statement(sql`insert into kith.migrations (version, name, applied_at)
        values (${version}::integer, ${name}, to_timestamp(${clock.now() / 1000}))`),
      );
    }
    await tx.run(
      statement(sql`insert into kith.datasources (id, name, url, engine, created_at)
      values (${newId()}::uuid, 'main', null, ${main.engine}, to_timestamp(${clock.now() / 1000}))
      on conflict (name) do nothing`),
    );
    return pending.map(({ version, name }) => ({ schema: 'kith', version, name }));
  });
}

async function migrateOrganization(
  { directory, clock }: Pick<MigrateDeps, 'directory' | 'clock'>,
  organization: Organization,
  migrations: readonly OrganizationMigration[],
  objects: readonly BuiltInObject[],
): Promise<Omit<MigrationResult, 'failed'>> {
  const database = await directory.databaseOf(organization);
  const { schema } = organization;
  const table = identifier(schema, '_organization');
  const latest = latestVersion(migrations);
  const bringUp = async (tx: Transaction) => {
    // Shares the row with writers, so these continue; changes of the workspace wait.
    const current = await numberOf(tx, sql`select schema_version from ${table} for no key update`);
    refuseNewer(`Schema ${schema}`, current, latest);
    const outstanding = migrations.filter((migration) => migration.version > current);
    if (current > latest) return { version: current, pending: outstanding, builtIns: undefined };
    if (outstanding.length > 0) {
      // Fail and retry rather than queue all requests of the organization behind a lock.
      await tx.script("set local lock_timeout = '2s'");
      for (const { script } of outstanding) await tx.script(script(`"${schema}"`));
      await tx.run(statement(sql`update ${table} set schema_version = ${latest}::integer`));
    }
    return { version: latest, pending: outstanding, builtIns: await addBuiltIns(tx, organization, current, objects) };
  };
  // The duration of a step depends on the size of the tables.
  const { version, pending, builtIns } = await database.transaction(organization.id, bringUp, Infinity);
  const { added = [], obstacles = [] } = builtIns ?? {};
  if (builtIns) await makeLargeIndexes(database, builtIns.model, migrations);
  await directory.setSchemaVersion(organization.id, knownVersion(version, obstacles));
  // A step may have rescheduled a job.
  if (pending.length > 0) await directory.wake(organization.id, clock.now());
  const later = pending.length > 0 ? [] : added.map((name) => ({ schema, version, name }));
  return {
    applied: [...pending.map(({ version: number, name }) => ({ schema, version: number, name })), ...later],
    obstacles: obstacles.map(({ text, remedy }) => ({ schema, message: `${text}: ${remedy}` })),
  };
}

/** The version for the directory: with obstacles one less, so that the next migration checks again. */
export function knownVersion(version: number, obstacles: AddedBuiltIns['obstacles']): number {
  return obstacles.length > 0 ? version - 1 : version;
}

async function numberOf(tx: Transaction, query: Sql): Promise<number> {
  const { rows } = await tx.run(statement(query));
  const cell = rows[0]?.[0];
  if (typeof cell !== 'string') throw new Error('The schema does not say which version it has');
  return Number(cell);
}

function refuseNewer(what: string, version: number, known: number): void {
  if (version <= known + toleratedVersions) return;
  throw errors.notSupported(
    `${what} was made by a newer Kith (its version is ${version}, this program knows ${known}): start the newer program`,
  );
}
