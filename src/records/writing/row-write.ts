/**
 * The write of a set of rows: found and locked in id order, judged one by one, written where every check holds, and
 * recorded in history and state. `write-rows.ts` executes it.
 */
import { errors, KithError, Mistakes, type FieldError } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Sql } from '../../postgres/sql.ts';

/** A condition for a row to be written. */
export interface Check {
  /** SQL over the write's `from`. */
  readonly condition: Sql;
  /** The error for a record that fails. A KithError is reported alone, field errors together. */
  readonly problem: (id: string) => FieldError | KithError;
}

/** The name and the new value of a column. */
export interface WrittenColumn {
  readonly name: string;
  readonly type: Sql;
  readonly value: Sql;
  /** Whether it is of type numeric. */
  readonly isNumber?: boolean;
}

/** Rows and the checks on each of them. */
export interface JudgedRows {
  /** The record ids, without repetition. */
  readonly ids: readonly string[];
  /** Clauses that find and lock the rows and the targets of their references. */
  readonly reads: readonly Sql[];
  /** The rows to judge: one per existing record, over the clauses. */
  readonly from: Sql;
  /** The record's id, over `from`. */
  readonly id: Sql;
  /** In the order in which they are reported. */
  readonly checks: readonly Check[];
  /** The error for a missing record. */
  readonly missing: (id: string) => KithError;
}

/** What is written of the rows that pass every check. */
export interface RowWrite extends JudgedRows {
  readonly object: ObjectDef;
  readonly action: 'create' | 'update' | 'delete' | 'restore';
  readonly columns: readonly WrittenColumn[];
  /** Whether a row changes, over `from`: an unchanged row is not written. Null writes every row. */
  readonly differs: Sql | null;
  /**
   * The version of a row that was read without a lock, as xid, over `from`: no other version is written. Null for locked
   * and new rows.
   */
  readonly version: Sql | null;
  /** The before-image as jsonb over `from`; null where there was nothing before. */
  readonly before: Sql;
  /** `LinkChanges` as jsonb, over `from`; null where links do not change. */
  readonly links: Sql;
}

/** The result of each check, by the ids of existing records. */
export type Judged = ReadonlyMap<string, readonly boolean[]>;

/** Why records were not written, by id; all others were. */
export type Refusals = ReadonlyMap<string, KithError>;

/** The change of the object's record count per written row. */
export const rowsAdded = { create: 1, update: 0, delete: -1, restore: 1 } as const;

/** The refusals of the records that fail a check. */
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

/** Throws the first refusal, if any. */
export function throwRefusal(refusals: Refusals): void {
  for (const error of refusals.values()) throw error;
}

/** WRITE_FAILED: nothing was written although every check held. */
export function unexplained(): KithError {
  return errors.writeFailed(new Error('nothing was written and every check held'));
}
