/** `If-Match`: a write goes on only from a state that the client has seen. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { ObjectDef } from '../../model/model.ts';
import { planGet } from '../../query/plan-get.ts';
import type { ExpectedStates } from './etag.ts';

/** Whether the record, locked by the transaction, is in one of the expected states. */
export async function isAsExpected(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  id: string,
  expected: ExpectedStates,
): Promise<boolean> {
  if (!expected) return true;
  const plan = planGet(call, object, id);
  const found = await plan.read((await tx.run(plan.statement)).rows);
  return typeof found?.tag === 'string' && expected.includes(found.tag);
}
