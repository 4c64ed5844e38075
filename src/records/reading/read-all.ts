/** Which connection a statement takes that may look at every row of an object. */
import type { Call } from '../../access/call.ts';
import { bytesOfText, Lru } from '../../lib/lru.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import type { Statement } from '../../postgres/sql.ts';

/** So many rows are read in the time that others may wait behind them. */
const quickRows = 50_000;

/** How many rows objects had when they were last looked at, by their ids. */
const lastRows = new Lru<string, number>({ name: 'row_counts', maxBytes: 2 * 1024 * 1024, bytesOf: bytesOfText });

interface Plan<Answer> {
  readonly statement: Statement;
  /** The version of what is remembered, with which the statement reads few rows; undefined where nothing is. */
  readonly remembered: string | undefined;
  /** Its first column is the version; when that is the remembered one, the plan reads its answer from this alone. */
  readonly check?: Statement | undefined;
  read(rows: readonly Row[]): Answer | Promise<Answer>;
}

/** Sends the plan's statement: to a shared connection where it is quick, else to one of its own. */
export async function readAll<Answer extends { readonly rows: number }>(
  call: Call,
  object: ObjectDef,
  plan: Plan<Answer>,
): Promise<Answer> {
  const answer = await plan.read(await rowsOf(call, plan, isLarge(object)));
  noteRows(object, answer.rows);
  return answer;
}

/** Whether others would wait too long behind a look at every row of the object, and of so many as large ones; also where its size is not known. */
export function isLarge({ id }: ObjectDef, objects = 1): boolean {
  return (lastRows.get(id) ?? Infinity) > quickRows / objects;
}

/** Keeps how many rows the object was seen to have. */
export function noteRows({ id }: ObjectDef, rows: number): void {
  lastRows.set(id, rows);
}

async function rowsOf({ workspace }: Call, plan: Plan<unknown>, isLarge: boolean): Promise<readonly Row[]> {
  const { statement, remembered, check } = plan;
  if (!isLarge || (remembered !== undefined && !check)) return (await workspace.read(statement))[0]?.rows ?? [];
  if (check) {
    const [found] = await workspace.read(check);
    if (found?.rows[0]?.[0] === remembered) return found?.rows ?? [];
  }
  return (await workspace.readAlone(statement)).rows;
}
