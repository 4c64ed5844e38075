/** Writes `_pipeline_step_history`: the steps that records left, and the final ones that they entered. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { newId } from '../../lib/id.ts';
import { sql } from '../../postgres/sql.ts';
import type { Witnessed } from './step-changes.ts';

/** Inserts the rows in the transaction that moves the records. */
export async function insertWitnesses(
  call: Call,
  tx: WorkspaceTransaction,
  objectId: string,
  witnessed: readonly Witnessed[],
): Promise<void> {
  if (witnessed.length === 0) return;
  const { caller, changeSet } = call;
  await tx.run(sql`insert into ${call.workspace.table('_pipeline_step_history')}
    (id, object_id, record_id, pipeline_id, step_id, entered_at, left_at, actor_id, change_set)
    select w.id::uuid, ${objectId}::uuid, w.record_id::uuid, w.pipeline_id::uuid, w.step_id::uuid, w.entered_at::timestamptz, w.left_at::timestamptz,
      ${caller.workspaceUserId}::uuid, ${changeSet}::uuid
    from unnest(${witnessed.map(() => newId())}::text[], ${witnessed.map(({ recordId }) => recordId)}::text[], ${witnessed.map(({ pipeline }) => pipeline.id)}::text[],
      ${witnessed.map(({ step }) => step.id)}::text[], ${witnessed.map(({ enteredAt }) => enteredAt)}::text[],
      ${witnessed.map(({ leftAt }) => leftAt)}::text[]) w (id, record_id, pipeline_id, step_id, entered_at, left_at)`);
}
