/** Restores or copies list entries with their own ids, authors and times. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { JsonObject } from '../../lib/json.ts';
import { writeJson } from '../../lib/json-writer.ts';
import { whole } from '../../lib/long-text.ts';
import { sql } from '../../postgres/sql.ts';
import { earlierColumns, earlierEntry, leaveList } from './list-history.ts';
import type { StoredList } from './stored-list.ts';

/** An entry with the rest of its row: `id`, `object_id`, `entry_fields`, `created_by`, `created_at`. */
export interface EntryImage {
  readonly recordId: string;
  readonly image: JsonObject;
}

/** Inserts these entries into the locked list, or overwrites those of the same records; the records are locked, too. */
export async function putEntries(
  call: Call,
  tx: WorkspaceTransaction,
  list: StoredList,
  entries: readonly EntryImage[],
): Promise<{ readonly added: number; readonly altered: number }> {
  if (entries.length === 0) return { added: 0, altered: 0 };
  const table = call.workspace.table('_list_entries');
  const wanted = entries.map(({ recordId, image }) => ({ ...image, record_id: recordId }));
  const rows = whole(await writeJson(wanted));
  const byRecord = entries.map(({ recordId, image }) => [recordId, image['entry_fields'] ?? {}]);
  const values = sql`(${whole(await writeJson(Object.fromEntries(byRecord)))}::jsonb -> e.record_id::text)`;
  const { rows: altered } = await tx.run(sql`select ${earlierColumns} from ${table} e
    where e.list_id = ${list.id}::uuid and e.record_id = any(${entries.map(({ recordId }) => recordId)}::uuid[])
      and e.entry_fields is distinct from ${values} order by e.id for update of e`);
  const { rows: added } = await tx.run(sql`insert into ${table}
      (id, list_id, object_id, record_id, entry_fields, created_by, created_at)
    select g.id, ${list.id}::uuid, g.object_id, g.record_id, g.entry_fields, g.created_by, g.created_at
    from jsonb_to_recordset(${rows}::jsonb) g (id uuid, object_id uuid, record_id uuid, entry_fields jsonb, created_by uuid, created_at timestamptz)
    order by g.record_id on conflict (list_id, record_id) do nothing returning record_id`);
  if (altered.length > 0) {
    const ids = altered.map(([id]) => id ?? '');
    await tx.run(sql`update ${table} e set entry_fields = ${values} where e.id = any(${ids}::uuid[])`);
  }
  const change = { added: added.map(([id]) => id ?? ''), altered: altered.map(earlierEntry) };
  const counts = { added: added.length, altered: altered.length };
  if (counts.added + counts.altered > 0) await leaveList(call, tx, list.id, { action: 'update', ...change });
  return counts;
}
