/** Removes the master from lists that it joined for the duplicate alone. The duplicate's own entries were kept. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { deleteEntries } from '../lists/entries.ts';
import { leaveList, listsObjectId } from '../lists/list-history.ts';
import { sql } from '../../postgres/sql.ts';
import { laterEdits } from './later-edits.ts';
import type { GivingBack } from './giving-back.ts';

/** Removes the entries; one edited since stays, and is reported. */
export async function giveBackEntries(call: Call, tx: WorkspaceTransaction, giving: GivingBack): Promise<void> {
  const { object, masterId, moved, siblings, ambiguous, count } = giving;
  const held = new Set([...siblings.values()].flatMap((merge) => Object.values(merge.moved?.entries ?? {})));
  const wanted = Object.values(moved.entries).filter((entry) => !held.has(entry));
  if (wanted.length === 0) return;
  const entries = call.workspace.table('_list_entries');
  await tx.run(sql`select l.id from ${call.workspace.table('_lists')} l
    where l.id = any(${Object.keys(moved.entries)}::uuid[]) order by l.id for key share of l`);
  await tx.run(sql`select e.id from ${entries} e
    where e.id = any(${wanted}::uuid[]) and e.record_id = ${masterId}::uuid order by e.id for update`);
  const { rows } = await tx.run(sql`select e.id, e.list_id from ${entries} e
    where e.id = any(${wanted}::uuid[]) and e.record_id = ${masterId}::uuid order by e.id`);
  const lists = rows.map(([, list]) => list ?? '');
  const edits = await laterEdits(call, tx, listsObjectId, lists, giving);
  for (const [entry, list] of rows) {
    if (edits.link(list ?? '', 'entries', masterId)) {
      const reason = `its entry on the list ${list} came from the duplicate, and was edited since`;
      ambiguous.add({ object_name: object.name, record_id: masterId, field: 'lists', reason });
      continue;
    }
    const removed = await deleteEntries(call, tx, [entry ?? '']);
    await leaveList(call, tx, list ?? '', { action: 'update', removed });
    count('lists');
  }
}
