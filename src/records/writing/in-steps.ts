/**
 * A write of rows on Citus: a transaction of statements that each go to the worker that holds the organization. A
 * statement that writes twice would be split over every worker: its parts would wait for each other on separate
 * connections, and one absent worker would stop all writes.
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { Cell, Row } from '../../postgres/database.ts';
import { identifier, join, sql, withClauses, type Sql } from '../../postgres/sql.ts';
import { authorOf, leaveEntries, leaveStateOf, leftRows } from './leave.ts';
import { rowsAdded, type Judged, type RowWrite } from './row-write.ts';

/**
 * Judges the rows under locks, then writes those that pass every check and change. The transaction has checked the
 * caller.
 */
export async function writeInSteps(call: Call, tx: WorkspaceTransaction, write: RowWrite): Promise<Judged> {
  const { checks, columns, object, action } = write;
  const facts = [
    write.id,
    sql`${write.before}::text`,
    sql`${write.links}::text`,
    write.differs ?? sql`true`,
    ...checks.map(({ condition }) => condition),
    ...columns.map(({ value }) => value),
  ];
  const { rows } = await tx.run(sql`${withClauses(write.reads)} select ${join(facts, ', ')} from ${write.from}`);
  const seen = rows.map((row) => judgedRow(row, checks.length));
  const passed = seen.filter(({ held, differs }) => differs && held.every(Boolean));
  if (passed.length > 0) {
    await change(call, tx, write, passed);
    const entry = { objectId: object.id, action };
    const author = authorOf(call);
    await tx.run(leaveEntries(author, entry, leftRows(passed)));
    await tx.run(leaveStateOf(author, entry, rowsAdded[action], passed.length));
  }
  return new Map(seen.map(({ id, held }) => [id, held]));
}

interface JudgedRow {
  readonly id: string;
  readonly before: string | null;
  readonly links: string | null;
  readonly differs: boolean;
  readonly held: readonly boolean[];
  /** The values of the columns. */
  readonly cells: readonly Cell[];
}

function judgedRow([id, before = null, links = null, differs, ...rest]: Row, checks: number): JudgedRow {
  return {
    id: id ?? '',
    before,
    links,
    differs: differs === 't',
    held: rest.slice(0, checks).map((held) => held === 't'),
    cells: rest.slice(checks),
  };
}

/** Parameters per statement; PostgreSQL allows 65,535. */
const mostParameters = 30_000;

/**
 * New rows are sent as lists of values: rows from a select would be copied, and a failed copy reports only its text.
 * Changed rows with equal values share a statement: one for all could not be routed to a single worker.
 */
async function change(
  call: Call,
  tx: WorkspaceTransaction,
  write: RowWrite,
  rows: readonly JudgedRow[],
): Promise<void> {
  const table = call.workspace.table(write.object.table);
  const names = write.columns.map(({ name }) => identifier(name));
  const valuesOf = ({ cells }: JudgedRow) =>
    write.columns.map(({ type }, at): Sql => sql`${cells[at] ?? null}::${type}`);
  if (write.action === 'create') {
    const atOnce = Math.floor(mostParameters / names.length);
    for (let at = 0; at < rows.length; at += atOnce) {
      const lists = rows.slice(at, at + atOnce).map((row) => sql`(${join(valuesOf(row), ', ')})`);
      await tx.run(sql`insert into ${table} (${join(names, ', ')}) values ${join(lists, ', ')}`);
    }
    return;
  }
  const groups = rows.length === 1 ? [rows] : Map.groupBy(rows, ({ cells }) => JSON.stringify(cells)).values();
  for (const alike of groups) {
    const set = valuesOf(alike[0]!).map((value, at) => sql`${names[at] ?? sql``} = ${value}`);
    await tx.run(sql`update ${table} set ${join(set, ', ')} where id = any(${alike.map(({ id }) => id)}::uuid[])`);
  }
}
