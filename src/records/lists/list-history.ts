/** The history of list changes, from which they can be undone. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { Json } from '../../lib/json.ts';
import type { Row } from '../../postgres/database.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import { authorOf, leaveEntries, leftRows } from '../writing/leave.ts';

/** The object id of lists in history; lists are no object of the metadata. */
export const listsObjectId = '00000000-0000-7000-8000-00000000115f';

/** The former state of a removed or changed entry. */
export interface EarlierEntry {
  readonly id: string;
  readonly recordId: string;
  /** The rest of its row as JSON text. */
  readonly image: string;
}

/** The columns of `e` that `earlierEntry` reads. */
export const earlierColumns: Sql = sql`e.id, e.record_id, jsonb_build_object('id', e.id, 'object_id', e.object_id,
  'entry_fields', e.entry_fields, 'created_by', e.created_by, 'created_at', e.created_at)`;

/** Reads an entry from a row that begins with `earlierColumns`. */
export function earlierEntry([id, recordId, image]: Row): EarlierEntry {
  return { id: id ?? '', recordId: recordId ?? '', image: image ?? 'null' };
}

/** A change of a list. `entries` refers to records by id. */
export interface ListChange {
  readonly action: 'create' | 'update' | 'delete';
  /** Former values of the list's own settings; objects by id. */
  readonly before?: Readonly<Record<string, Json>>;
  readonly added?: readonly string[];
  readonly removed?: readonly EarlierEntry[];
  readonly altered?: readonly EarlierEntry[];
}

/** Adds a history entry in the transaction of the change. */
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
