/** Chooses the connection for a statement that may read every row of an object. */
import type { Call } from '../../access/call.ts';
import { bytesOfText, Lru } from '../../lib/lru.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import type { Statement } from '../../postgres/sql.ts';

/** Rows that can be read while others wait. */
const quickRows = 50_000;

/** The last known number of rows, by object id. */
const lastRows = new Lru<string, number>({ name: 'row_counts', maxBytes: 2 * 1024 * 1024, bytesOf: bytesOfText });

interface Plan<Answer> {
  readonly statement: Statement;
  /** The version of the cached result that saves reading rows; undefined without one. */
  readonly remembered: string | undefined;
  /** Its first column is the version; if that is `remembered`, its answer is all that the plan needs. */
  readonly check?: Statement | undefined;
  read(rows: readonly Row[]): Answer | Promise<Answer>;
}

/** Sends the plan's statement on a shared connection where it is fast, else on its own. */
export async function readAll<Answer extends { readonly rows: number }>(
  call: Call,
  object: ObjectDef,
  plan: Plan<Answer>,
): Promise<Answer> {
  const answer = await plan.read(await rowsOf(call, plan, isLarge(object)));
  noteRows(object, answer.rows);
  return answer;
}

/**
 * Whether reading every row of this many objects of that size would block others too long; also where the size is
 * unknown.
 */
export function isLarge({ id }: ObjectDef, objects = 1): boolean {
  return (lastRows.get(id) ?? Infinity) > quickRows / objects;
}

/** Records the object's number of rows. */
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
  return (await workspace.readOnPlainClient(statement)).rows;
}
