/** Restores relations that a merge moved from the duplicate to the master. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { sql } from '../../postgres/sql.ts';
import { laterEdits } from './later-edits.ts';
import { leadsTo, pointersTo } from './pointers.ts';
import { pointerImage, setPointer } from './repoint.ts';
import type { GivingBack } from './giving-back.ts';
import { unreported } from './unreported.ts';

/** Restores those that still lead to the master. One that was set to the master since is ambiguous, and stays. */
export async function giveBackRelations(call: Call, tx: WorkspaceTransaction, giving: GivingBack): Promise<void> {
  const { object, masterId, id, moved, touched, ambiguous, count } = giving;
  for (const pointer of pointersTo(call.model, object)) {
    const { source, field } = pointer;
    const recorded = moved.pointed[field.id] ?? [];
    if (recorded.length === 0) continue;
    const { rows } = await tx.run(sql`select t.id from ${call.workspace.table(source.table)} t
      where t.id = any(${recorded}::uuid[]) and ${leadsTo(pointer, object, [masterId])} order by t.id`);
    const there = rows.map(([found]) => found ?? '');
    const edits = await laterEdits(call, tx, source.id, there, giving);
    const hidden = await unreported(call, tx, source, there);
    const back = there.filter((record) => !edits.field(record, field.id));
    for (const record of there) {
      if (edits.field(record, field.id) && !hidden.has(record))
        ambiguous.add({
          object_name: source.name,
          record_id: record,
          field: field.name,
          reason: 'it led to the duplicate, and was set to the master since',
        });
    }
    if (back.length === 0) continue;
    await setPointer(call, tx, pointer, back, id);
    for (const record of back) {
      touched.field(source, record, field.id, pointerImage(pointer, object.name, masterId));
      if (!hidden.has(record)) count(field.id);
    }
  }
}
