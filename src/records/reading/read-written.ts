/** A record that was just written, read by a statement of its own in the same transaction. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { ObjectDef } from '../../model/model.ts';
import { planGet } from '../../query/plan-get.ts';
import { selectRecord } from '../../query/selection.ts';
import type { Written } from '../writing/write-record.ts';

/** Whether a record of the object shows rows of its own table, which the statement that writes it still sees as they were. */
export function mustReadAgain(call: Call, object: ObjectDef): boolean {
  return selectRecord(object, call, 'written', 'detail').looksBack;
}

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
