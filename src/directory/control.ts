/** Reads the control schema `kith`, which `provision/migrations/control` creates. */
import type { Database, Row } from '../postgres/database.ts';
import { statement, type Sql } from '../postgres/sql.ts';

/** The affinity of the control schema: all its statements go to the same connections. */
export const affinity = 'kith';

/** The rows of one statement on the control schema. */
export async function controlRows(main: Database, query: Sql): Promise<readonly Row[]> {
  return (await main.run(affinity, statement(query))).rows;
}

/** A non-null column. */
export function textOf(row: Row | undefined, at: number): string {
  const cell = row?.[at];
  if (typeof cell !== 'string') throw new Error('The control schema lacks a value');
  return cell;
}
