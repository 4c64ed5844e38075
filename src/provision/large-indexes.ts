/** Creates indexes of a newer release on large tables without blocking readers and writers. */
import { setTimeout as pause } from 'node:timers/promises';
import { createIndex, objectIndexes, trashIndex, type FieldIndex } from '../model/ddl.ts';
import type { Model } from '../model/model.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import { identifier, sql, statement, trusted } from '../postgres/sql.ts';
import type { OrganizationMigration } from './migration.ts';

interface Wanted {
  readonly table: string;
  readonly index: FieldIndex;
}

/** Milliseconds between checks of another process that creates them. */
const lookAgainMs = 200;

/** Creates missing and unfinished indexes; waits while another process does so. */
export async function makeLargeIndexes(
  database: Database,
  model: Model,
  migrations: readonly OrganizationMigration[],
): Promise<void> {
  const { organizationId, schema } = model;
  const wanted = wantedIndexes(model, migrations);
  const lock = sql`select pg_try_advisory_xact_lock(hashtextextended(${`kith indexes ${schema}`}, 0))`;
  async function makeAlone(tx: Transaction): Promise<boolean> {
    if ((await tx.run(statement(lock))).rows[0]?.[0] !== 't') return false;
    // Also releases the snapshot of the last statement, for which the index creation would wait.
    await tx.script('set local idle_in_transaction_session_timeout = 0');
    await makeMissing(database, model, wanted);
    return true;
  }
  for (;;) {
    // Waiting for a lock keeps a snapshot, for which the index creation would wait in turn.
    const isDone = await database.transaction(organizationId, makeAlone, Infinity);
    if (isDone) return;
    await pause(lookAgainMs);
  }
}

/** The names of missing and unfinished indexes. */
export async function missingIndexes(
  database: Database,
  model: Model,
  migrations: readonly OrganizationMigration[],
): Promise<readonly string[]> {
  return (await missingOf(database, model, wantedIndexes(model, migrations))).map(({ index }) => index.name);
}

async function makeMissing(database: Database, model: Model, wanted: readonly Wanted[]): Promise<void> {
  const { organizationId, schema } = model;
  for (const { table, index } of await missingOf(database, model, wanted)) {
    const left = sql`drop index concurrently if exists ${identifier(schema, index.name)}`;
    for (const each of [left, createIndex(identifier(schema, table), index, true)])
      await database.run(organizationId, statement(each), Infinity);
  }
}

async function missingOf(
  database: Database,
  { organizationId, schema }: Model,
  wanted: readonly Wanted[],
): Promise<readonly Wanted[]> {
  const query = sql`select c.relname from pg_class c join pg_index i on i.indexrelid = c.oid
    where c.relnamespace = (select oid from pg_namespace where nspname = ${schema}) and i.indisvalid`;
  const known = new Set((await database.run(organizationId, statement(query))).rows.map(([name]) => name));
  return wanted.filter(({ index: { name } }) => !known.has(name));
}

/** The indexes of migrations, of trashes, and of contact addresses in later releases. */
function wantedIndexes({ objects }: Model, migrations: readonly OrganizationMigration[]): readonly Wanted[] {
  const ofMigrations = migrations
    .flatMap(({ indexes = [] }) => indexes)
    .map(({ name, table, definition }) => ({ table, index: { name, unique: false, definition: trusted(definition) } }));
  const ofObjects = [...objects.values()]
    .filter(({ kind }) => kind !== 'internal')
    .flatMap((object) => {
      const own = object.kind === 'builtIn' && object.name === 'contacts' ? objectIndexes(object) : [];
      return [trashIndex(object), ...own].map((index) => ({ table: object.table, index }));
    });
  return [...ofMigrations, ...ofObjects];
}
