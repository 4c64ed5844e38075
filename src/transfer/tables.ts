/** An organization's tables as they are in the database, and their rows as text that is the same on every PostgreSQL. */
import { createHash } from 'node:crypto';
import { systemTables } from '../model/system-tables.ts';
import type { TakeRows } from '../postgres/copy.ts';
import type { Transaction } from '../postgres/database.ts';
import { identifier, join, sql, statement, type Sql } from '../postgres/sql.ts';

export interface Table {
  readonly name: string;
  /** Name and type, in the order of the names. */
  readonly columns: readonly (readonly [name: string, type: string])[];
  /** The primary key. */
  readonly key: readonly string[];
}

/** What the rows of a table are, in the order of its primary key. */
export interface Content {
  readonly rows: number;
  /** Of the rows in COPY's text form. */
  readonly sha256: string;
}

/** Tables with foreign keys between them: what is referred to comes first. */
export const linkedTables: readonly string[] = systemTables.filter(({ isLinked }) => isLinked).map(({ name }) => name);

/** All tables of the schema, in an order in which they can be filled; none when there is no such schema. */
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

/** Hands over the rows in the order of the primary key; `where` is a condition on `t`. */
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

/** Writes what `feed` reads into `into`, which has the columns of `table`; the number of rows. */
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

/** New rows of history come after those that were copied. */
export async function continueHistory(tx: Transaction, schema: string): Promise<void> {
  const last = await tx.run(statement(sql`select max(id) from ${identifier(schema, '_history')}`));
  const id = last.rows[0]?.[0] ?? null;
  if (id === null) return;
  // By itself: together with the table, a sharded cluster would set the sequence of another server.
  const sequence = sql`pg_get_serial_sequence(${`"${schema}"._history`}, 'id')`;
  await tx.run(statement(sql`select setval(${sequence}, ${id}::bigint)`));
}

/** The transaction may wait for another one that it is fed by. */
export async function mayBeIdle(tx: Transaction): Promise<void> {
  await tx.script('set local idle_in_transaction_session_timeout = 0');
}

/** From here on the transaction sees the organization as it is now. */
export async function freeze(tx: Transaction): Promise<void> {
  await tx.script('set transaction isolation level repeatable read, read only');
  await mayBeIdle(tx);
}
