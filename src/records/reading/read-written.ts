/** A record that was just written, as its writer sees it. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { LongText } from '../../lib/long-text.ts';
import type { ObjectDef } from '../../model/model.ts';
import { planGet } from '../../query/plan-get.ts';
import { selectRecord } from '../../query/selection.ts';

/** The record as JSON text and the tag of its state, or null where its writer may not see what it has written. */
export type Written = { readonly json: LongText; readonly tag: string } | null;

/**
 * Whether the statement that writes a record can give it, too: not on Citus, where that is several; and not where a record shows
 * rows of its own table, which such a statement still sees as they were.
 */
export function isReadWithItsWrite(call: Call, object: ObjectDef): boolean {
  return call.workspace.engine !== 'citus' && !selectRecord(object, call, 'written', 'detail').looksBack;
}

/** Reads it by a statement of its own in the transaction that has written it. */
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
