/** What changes of lists leave in history, from which they can be undone. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { Json } from '../../lib/json.ts';
import type { Row } from '../../postgres/database.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import { authorOf, leaveEntries, leftRows } from '../writing/leave.ts';

/** Stands in history for lists, which are no object of the metadata. */
export const listsObjectId = '00000000-0000-7000-8000-00000000115f';

/** An entry that is removed or changed, as it was. */
export interface EarlierEntry {
  readonly id: string;
  readonly recordId: string;
  /** All else that its row has, as JSON text. */
  readonly image: string;
}

/** The columns of `e` that `earlierEntry` reads. */
export const earlierColumns: Sql = sql`e.id, e.record_id, jsonb_build_object('id', e.id, 'object_id', e.object_id,
  'entry_fields', e.entry_fields, 'created_by', e.created_by, 'created_at', e.created_at)`;

/** The entry in a row that begins with `earlierColumns`. */
export function earlierEntry([id, recordId, image]: Row): EarlierEntry {
  return { id: id ?? '', recordId: recordId ?? '', image: image ?? 'null' };
}

/** What was done to a list. `entries` speaks of records by their ids. */
export interface ListChange {
  readonly action: 'create' | 'update' | 'delete';
  /** What was changed of the list itself, as it was; objects by their ids. */
  readonly before?: Readonly<Record<string, Json>>;
  readonly added?: readonly string[];
  readonly removed?: readonly EarlierEntry[];
  readonly altered?: readonly EarlierEntry[];
}

/** Leaves one entry of history, in the transaction of the change. */
export async function leaveList(
  call: Call,
  tx: WorkspaceTransaction,
  listId: string,
  { action, before = {}, added = [], removed = [], altered = [] }: ListChange,
): Promise<void> {
  const was = [...removed, ...altered].map(({ recordId, image }) => `${JSON.stringify(recordId)}:${image}`);
  const ids = removed.map(({ recordId }) => recordId);
  const lists = `"added":${JSON.stringify(added)},"removed":${JSON.stringify(ids)}`;
  const links = `{"entries":{${lists}${was.length === 0 ? '' : `,"was":{${was.join(',')}}`}}}`;
  const left = {
    id: listId,
    before: action === 'create' ? null : JSON.stringify(before),
    links: added.length + was.length === 0 ? null : links,
  };
  await tx.run(leaveEntries(authorOf(call), { objectId: listsObjectId, action }, leftRows([left])));
}
