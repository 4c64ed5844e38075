/**
 * The write of a set of rows, one or many: found and locked in the order of ids, judged each by itself, written where every
 * check holds, and left behind in history and state. `write-rows.ts` has it carried out.
 */
import { errors, KithError, Mistakes, type FieldError } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Sql } from '../../postgres/sql.ts';

/** What must hold of a row for it to be written. */
export interface Check {
  /** Over what the write reads. */
  readonly condition: Sql;
  /** What it means for the record of that id that it does not hold. An error is told alone, problems of fields together. */
  readonly problem: (id: string) => FieldError | KithError;
}

/** What a column of a table is called and set to. */
export interface WrittenColumn {
  readonly name: string;
  readonly type: Sql;
  readonly value: Sql;
  /** Whether it is of type numeric. */
  readonly isNumber?: boolean;
}

/** Rows, and what must hold of each of them. */
export interface JudgedRows {
  /** Of the records, each once. */
  readonly ids: readonly string[];
  /** Clauses that find and lock the rows, and what they point at. */
  readonly reads: readonly Sql[];
  /** What is judged: one row per record that is there, over the clauses. */
  readonly from: Sql;
  /** The record's id, over `from`. */
  readonly id: Sql;
  /** In the order in which they are told. */
  readonly checks: readonly Check[];
  /** What it means that a record is not there. */
  readonly missing: (id: string) => KithError;
}

/** What is written of those rows of which every check holds. */
export interface RowWrite extends JudgedRows {
  readonly object: ObjectDef;
  readonly action: 'create' | 'update' | 'delete' | 'restore';
  readonly columns: readonly WrittenColumn[];
  /** Whether a row becomes another one, over `from`: else nothing happens to it. Null where it is written in any case. */
  readonly differs: Sql | null;
  /** jsonb over `from`, null where there was nothing before. */
  readonly before: Sql;
  /** `LinkChanges` as jsonb, over `from`; null where links do not change. */
  readonly links: Sql;
}

/** Of each record that was there: for each check whether it holds. */
export type Judged = ReadonlyMap<string, readonly boolean[]>;

/** Why records were not written, by their ids; all others were. */
export type Refusals = ReadonlyMap<string, KithError>;

/** What each row that is written adds to the number of the object's records. */
export const rowsAdded = { create: 1, update: 0, delete: -1, restore: 1 } as const;

/** What the checks say of the records that do not pass them. */
export function refusalsOf(rows: JudgedRows, judged: Judged): Refusals {
  const refusals = new Map<string, KithError>();
  for (const id of rows.ids) {
    const refused = refusalOf(rows, id, judged.get(id));
    if (refused) refusals.set(id, refused);
  }
  return refusals;
}

function refusalOf(
  { checks, missing }: JudgedRows,
  id: string,
  held: readonly boolean[] | undefined,
): KithError | undefined {
  if (!held) return missing(id);
  const mistakes = new Mistakes();
  for (const [at, check] of checks.entries()) {
    if (held[at]) continue;
    const problem = check.problem(id);
    if (problem instanceof KithError) return problem;
    if (!mistakes.concerns(problem.field)) mistakes.add(problem);
  }
  return mistakes.error();
}

/** Throws why a record was not written, if any was not. */
export function throwRefusal(refusals: Refusals): void {
  for (const error of refusals.values()) throw error;
}

/** A write of which nothing says why it did not happen. */
export function unexplained(): KithError {
  return errors.writeFailed(new Error('nothing was written and every check held'));
}
