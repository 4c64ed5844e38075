/** Reads an organization's tables from the database, and their rows as text that is the same on every PostgreSQL. */
import { createHash } from 'node:crypto';
import { systemTables } from '../model/system-tables.ts';
import type { TakeRows } from '../postgres/copy.ts';
import type { Transaction } from '../postgres/database.ts';
import { identifier, join, sql, statement, type Sql } from '../postgres/sql.ts';

export interface Table {
  readonly name: string;
  /** Names and types, sorted by name. */
  readonly columns: readonly (readonly [name: string, type: string])[];
  /** The primary key. */
  readonly key: readonly string[];
}

/** The rows of a table in the order of its primary key. */
export interface Content {
  readonly rows: number;
  /** Over the rows in COPY's text format. */
  readonly sha256: string;
}

/** Tables with foreign keys between them, referenced ones first. */
export const linkedTables: readonly string[] = systemTables.filter(({ isLinked }) => isLinked).map(({ name }) => name);

/** All tables of the schema, in an order in which they can be filled; none if the schema does not exist. */
export async function tablesOf(tx: Transaction, schema: string): Promise<readonly Table[]> {
  const query = sql`select c.relname,
      (select json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod)) order by a.attname)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)::text,
      (select json_agg(a.attname order by k.at) from pg_index i, unnest(i.indkey::int2[]) with ordinality k (attnum, at), pg_attribute a
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum)::text
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind in ('r', 'p') order by c.relname`;
  const { rows } = await tx.run(statement(query));
  const tables = rows.map(([name, columns, key]) => ({
    name: name ?? '',
    columns: JSON.parse(columns ?? '[]') as Table['columns'],
    key: JSON.parse(key ?? '[]') as string[],
  }));
  return tables.toSorted((one, other) => rankOf(one) - rankOf(other));
}

function rankOf({ name }: Table): number {
  const at = linkedTables.indexOf(name);
  return at < 0 ? linkedTables.length : at;
}

/** Passes the rows on in the order of the primary key; `where` is a condition on `t`. */
export async function readRows(
  tx: Transaction,
  schema: string,
  table: Table,
  take: TakeRows = () => Promise.resolve(),
  where: Sql = sql`true`,
): Promise<Content> {
  const hash = createHash('sha256');
  const columns = table.columns.map(([name]) => sql`t.${identifier(name)}`);
  const keys = table.key.map((name) => sql`t.${identifier(name)}`);
  const query = sql`copy (select ${join(columns, ', ')} from ${identifier(schema, table.name)} t
    where ${where} order by ${join(keys, ', ')}) to stdout`;
  const rows = await tx.copyOut(statement(query).text, (chunk) => {
    hash.update(chunk);
    return take(chunk);
  });
  return { rows, sha256: hash.digest('hex') };
}

/** Writes the rows that `feed` reads into `into`, which has the columns of `table`; returns their number. */
export function writeRows(
  tx: Transaction,
  into: Sql,
  table: Pick<Table, 'columns'>,
  feed: (write: TakeRows) => Promise<unknown>,
): Promise<number> {
  const columns = table.columns.map(([name]) => identifier(name));
  const query = sql`copy ${into} (${join(columns, ', ')}) from stdin`;
  return tx.copyIn(statement(query).text, async (write) => void (await feed(write)));
}

/** Advances the sequence of history beyond the copied rows. */
export async function continueHistory(tx: Transaction, schema: string): Promise<void> {
  const last = await tx.run(statement(sql`select max(id) from ${identifier(schema, '_history')}`));
  const id = last.rows[0]?.[0] ?? null;
  if (id === null) return;
  // A separate statement: together with the table, Citus would set another server's sequence.
  const sequence = sql`pg_get_serial_sequence(${`"${schema}"._history`}, 'id')`;
  await tx.run(statement(sql`select setval(${sequence}, ${id}::bigint)`));
}

/** Disables the idle timeout, as the transaction may wait for the one that feeds it. */
export async function mayBeIdle(tx: Transaction): Promise<void> {
  await tx.script('set local idle_in_transaction_session_timeout = 0');
}

/** Makes the transaction a read-only snapshot. */
export async function freeze(tx: Transaction): Promise<void> {
  await tx.script('set transaction isolation level repeatable read, read only');
  await mayBeIdle(tx);
}
