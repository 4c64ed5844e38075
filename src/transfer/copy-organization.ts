/** Copies a whole organization from one cluster to another, in one snapshot: schema, rows, and a proof of equality. */
import { errors, quoted } from '../errors.ts';
import type { OrganizationRef } from '../model/definition.ts';
import { modelQuery, readStoredModel } from '../model/load.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import { isSameDatabase } from '../postgres/same-database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';
import { createSchema } from '../provision/create-schema.ts';
import { freeze, readRows, tablesOf, mayBeIdle, writeRows, type Table } from './tables.ts';

export interface Copied {
  readonly tables: readonly Table[];
  readonly rows: number;
  /** The versions that the tables were made from. */
  readonly versions: string;
  /** The oldest transaction whose changes may be missing: `xmin` of the snapshot, as `xid`. */
  readonly since: string;
}

/** Copies the organization, replacing one of that name at the target. Throws if both are one database, or the tables differ. */
export async function copyOrganization(
  source: Database,
  target: Database,
  organization: OrganizationRef,
  signal?: AbortSignal,
): Promise<Copied> {
  const { id, schema } = organization;
  const copy = async (from: Transaction): Promise<Copied> => {
    await freeze(from);
    const since = await cellOf(from, 'select pg_snapshot_xmin(pg_current_snapshot())');
    const versions = await versionsOf(from, schema);
    const model = await readStoredModel(await from.run(statement(modelQuery(schema))));
    const tables = await tablesOf(from, schema);
    let rows = 0;
    const fill = async (to: Transaction) => {
      await mayBeIdle(to);
      if (await isSameDatabase(from, to)) throw errors.validation('Both datasources are the same database');
      await to.script(`drop schema if exists "${schema}" cascade`);
      await createSchema(target.engine, to, organization, model);
      refuseOther(tables, await tablesOf(to, schema));
      for (const table of tables) rows += await copyTable(from, to, schema, table);
      // Marked as moved until it is complete, so that nothing uses it.
      await to.run(statement(sql`update ${identifier(schema, '_organization')} set moved = true`));
    };
    await target.transaction(id, fill, Infinity, signal);
    return { tables, rows, versions, since: String(BigInt(since) % 2n ** 32n) };
  };
  return source.transaction(id, copy, Infinity, signal);
}

/** A model change between copy and cut-over changes the versions. */
export function versionsOf(tx: Transaction, schema: string): Promise<string> {
  return cellOf(tx, `select model_version || '/' || schema_version || '/' || epoch from "${schema}"._organization`);
}

/** Copies all rows into an empty table; returns their number. Throws if they differ in the end. */
export async function copyTable(from: Transaction, to: Transaction, schema: string, table: Table): Promise<number> {
  let sent = { rows: 0, sha256: '' };
  await writeRows(to, identifier(schema, table.name), table, async (write) => {
    sent = await readRows(from, schema, table, write);
  });
  const arrived = await readRows(to, schema, table);
  if (arrived.sha256 !== sent.sha256) throw differs(table.name);
  return sent.rows;
}

/** The tables are created from the metadata and must equal those of the rows. Throws VALIDATION_ERROR if not. */
export function refuseOther(wanted: readonly Table[], made: readonly Table[]): void {
  for (const { name, columns } of wanted) {
    const twin = made.find((table) => table.name === name);
    const has = new Map(twin?.columns);
    const missing = columns.find(([column, type]) => has.get(column) !== type);
    if (!twin) throw errors.validation(`Table ${quoted(name)} of the original has no place here`);
    if (missing) {
      const column = `${quoted(missing[0])} (${quoted(missing[1])})`;
      throw errors.validation(`Table ${quoted(name)} cannot take column ${column} of the original`);
    }
  }
}

/** The error for a copy whose rows differ. */
export function differs(table: string): Error {
  return new Error(`The copy of table ${table} differs from the original`);
}

async function cellOf(tx: Transaction, text: string): Promise<string> {
  const { rows } = await tx.run({ text, values: [] });
  return rows[0]?.[0] ?? '';
}
