/**
 * Restores list entries to their state before a change set, unless others have changed them since. The list is
 * locked.
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { KithError } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { nextSlice } from '../../lib/slices.ts';
import { objectWithId, type ObjectDef } from '../../model/model.ts';
import { sql } from '../../postgres/sql.ts';
import { removeEntries, writableObject } from '../lists/entries.ts';
import { putEntries, type EntryImage } from '../lists/put-entries.ts';
import type { StoredList } from '../lists/stored-list.ts';
import { lockVisible } from '../writing/references.ts';
import type { Outcome } from './outcome.ts';
import type { EarlierLink, Trace } from './trace.ts';

/** Entries per statement, and per history row. */
const atOnce = 2_000;

/** Removes the records that the change set added to the list, even those that had another entry before. */
export async function takeEntriesOff(
  call: Call,
  tx: WorkspaceTransaction,
  list: StoredList,
  trace: Trace,
  outcome: Outcome,
): Promise<void> {
  const there = trace.links.get('entries')?.there ?? new Map<string, EarlierLink>();
  if (there.size === 0) return;
  const earlier = [...there.values()].map((was) => {
    const id = was?.junction?.['id'];
    return typeof id === 'string' ? id : null;
  });
  const { rows } = await tx.run(sql`select e.object_id, e.record_id from ${call.workspace.table('_list_entries')} e
    where e.list_id = ${list.id}::uuid and e.record_id = any(${[...there.keys()]}::uuid[])
      and e.id <> all(${earlier.filter((id) => id !== null)}::uuid[]) order by e.record_id`);
  for (const [objectId, some] of Map.groupBy(rows, ([id]) => id)) {
    const object = writable(call, list, objectId ?? '', outcome);
    if (!object) continue;
    const ids = some.map(([, recordId]) => recordId ?? '');
    const { removed } = await removeEntries(call, tx, list, object, ids);
    if (removed > 0) outcome.undone.add(list.id);
  }
}

/** Adds records to the list again, and restores the values of entries. */
export async function putEntriesBack(
  call: Call,
  tx: WorkspaceTransaction,
  list: StoredList,
  trace: Trace,
  outcome: Outcome,
): Promise<void> {
  const { there = new Map(), lost = new Set() } = trace.links.get('entries') ?? {};
  if (lost.size > 0) outcome.leave(list.id, 'changed_since', ['entries']);
  const images = [...there].flatMap(([recordId, was]): EntryImage[] =>
    was?.junction ? [{ recordId, image: was.junction }] : [],
  );
  for (const [objectId, some] of Map.groupBy(images, ({ image }) => String(image['object_id']))) {
    const object = isUuid(objectId) ? writable(call, list, objectId, outcome) : undefined;
    if (!object) continue;
    const sorted = some.toSorted((a, b) => (a.recordId < b.recordId ? -1 : 1));
    for (let at = 0; at < sorted.length; at += atOnce) {
      const portion = sorted.slice(at, at + atOnce);
      const ids = portion.map(({ recordId }) => recordId);
      const seen = new Set((await tx.run(lockVisible(call, object.name, ids))).rows.map(([id]) => id));
      const entries = portion.filter(({ recordId }) => seen.has(recordId));
      const { added, altered } = await putEntries(call, tx, list, entries);
      if (added + altered > 0) outcome.undone.add(list.id);
      await nextSlice();
    }
  }
}

/** The object of the records, where the caller may write it and the list takes it. */
function writable(call: Call, list: StoredList, objectId: string, outcome: Outcome): ObjectDef | undefined {
  const object = objectWithId(call.model, objectId);
  if (!object || !list.objects.includes(object)) return undefined;
  try {
    return writableObject(call, object);
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    outcome.leave(list.id, 'not_allowed', ['entries']);
    return undefined;
  }
}
