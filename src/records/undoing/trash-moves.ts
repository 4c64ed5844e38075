/** Undoes creations, deletions and restores: moves records into the trash or out of it. */
import type { KithError } from '../../errors.ts';
import { inHalves } from '../writing/in-halves.ts';
import { restoreRows, trashRows } from '../writing/trash.ts';
import { shownFields, type LookedAt, type Part, type Step } from './looked-at.ts';

/** Trashes records that the change set created, unless others have changed visible fields since. */
export const trashMade: Step = (part) => trashAll(part, 'absent');

/** Trashes records that the change set restored, as `trashMade` does. */
export const trashRestored: Step = (part) => trashAll(part, 'trashed');

async function trashAll(part: Part, was: 'absent' | 'trashed'): Promise<void> {
  const { call, tx, object, records, outcome } = part;
  if (was === 'absent') leaveMoved(part);
  const ids: string[] = [];
  for (const { id, isPresent, mayDelete, trace } of records) {
    if (trace.was !== was || !isPresent) continue;
    const touched = shownFields(call, object, trace.touched);
    if (touched.length > 0) outcome.leave(id, 'changed_since', touched);
    else if (!mayDelete) outcome.leave(id, 'not_allowed');
    else ids.push(id);
  }
  await trashRows(call, tx, object, ids);
  for (const id of ids) outcome.undone.add(id);
}

/** Restores records that the change set deleted. */
export const restoreDeleted: Step = async (part) => {
  const { call, tx, object, records, outcome } = part;
  leaveMoved(part);
  const deleted = records.filter(({ isPresent, trace }) => trace.was === 'present' && !isPresent);
  const refusals = new Map<string, KithError>();
  await inHalves(call, tx, object, deleted, refusals, (some) => restoreRows(call, tx, object, idsOf(some)));
  for (const { id } of deleted) {
    const refusal = refusals.get(id);
    if (refusal) outcome.refuse(id, refusal);
    else outcome.undone.add(id);
  }
};

function idsOf(records: readonly LookedAt[]): readonly string[] {
  return records.map(({ id }) => id);
}

/** Records that others have deleted or restored since are left. */
function leaveMoved({ records, earlier, outcome }: Part): void {
  for (const { id, trace } of records)
    if (trace.isMovedSince && !earlier?.left.has(id)) outcome.leave(id, 'changed_since');
}
