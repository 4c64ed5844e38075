/** Reads a record after a write, as its writer sees it. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { LongText } from '../../lib/long-text.ts';
import type { ObjectDef } from '../../model/model.ts';
import { planGet } from '../../query/plan-get.ts';
import { selectRecord } from '../../query/selection.ts';

/** The record as JSON text and the tag of its state, or null where the writer may not see it. */
export type Written = { readonly json: LongText; readonly tag: string } | null;

/**
 * Whether the writing statement can also return the record: not on Citus, where several statements write; and not
 * where a record shows rows of its own table, which the statement sees in their old state.
 */
export function isReadWithItsWrite(call: Call, object: ObjectDef): boolean {
  return call.workspace.engine !== 'citus' && !selectRecord(object, call, 'written', 'detail').looksBack;
}

/** Reads it by a separate statement in the writing transaction. */
export async function readWritten(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  id: string,
): Promise<Written> {
  const plan = planGet(call, object, id);
  const found = await plan.read((await tx.run(plan.statement)).rows);
  return found ? { json: found.record, tag: found.tag ?? '' } : null;
}
