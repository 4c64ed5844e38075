/** Merges that a change set is made of: they are taken back as an unmerge does. [decisions: Writing] */
import type { Call } from '../../access/call.ts';
import { errors, KithError } from '../../errors.ts';
import { objectWithId, type ObjectDef } from '../../model/model.ts';
import type { Ambiguity } from '../merging/ambiguous.ts';
import { mergesOf } from '../merging/moved.ts';
import { unmergeRecords } from '../merging/unmerge.ts';
import type { Written } from './change-set.ts';
import { Outcome } from './outcome.ts';

/**
 * Gives the duplicates back, those of each master in a transaction. What is ambiguous, or cannot come back, is left. Throws
 * PERMISSION_DENIED for who is no admin, INVALID_OPERATION for an unmerge and for a merge beside other writes.
 */
export async function undoMerges(call: Call, written: readonly Written[]): Promise<ReadonlyMap<string, Outcome>> {
  if (!call.visibility.isAdmin) throw errors.adminOnly('To undo a merge');
  if (written.some(({ isRestored }) => isRestored))
    throw errors.invalidOperation('This change set has an unmerge: merge the records again instead');
  if (written.some(({ isMerged }) => !isMerged))
    throw errors.invalidOperation('This change set has a merge beside other writes: unmerge its duplicates instead');
  const outcomes = new Map<string, Outcome>();
  const duplicates = written.filter(({ isDeleted }) => isDeleted);
  for (const [objectId, records] of Map.groupBy(duplicates, (record) => record.objectId)) {
    const object = objectWithId(call.model, objectId);
    if (!object) continue;
    const ids = records.map(({ recordId }) => recordId);
    const merges = await call.workspace.transaction((tx) => mergesOf(call, tx, object, ids));
    for (const [masterId, some] of Map.groupBy(ids, (id) => merges.get(id)?.masterId)) {
      if (masterId === undefined) leaveUnmerged(outcomes, object, some);
      else await call.part((now) => giveBack(now, object, some, outcomes));
    }
  }
  return outcomes;
}

/** Somebody has given them back already. */
function leaveUnmerged(outcomes: Map<string, Outcome>, object: ObjectDef, ids: readonly string[]): void {
  for (const id of ids) outcomeOf(outcomes, object).leave(id, 'changed_since');
}

async function giveBack(
  call: Call,
  object: ObjectDef,
  ids: readonly string[],
  outcomes: Map<string, Outcome>,
): Promise<void> {
  const outcome = outcomeOf(outcomes, object);
  try {
    // Its entries are those of an unmerge: what reads them knows how to take it back, or that it does not.
    const { ambiguous } = await unmergeRecords({ ...call, source: 'merge' }, object, { duplicateIds: ids });
    for (const id of ids) outcome.undone.add(id);
    for (const one of ambiguous) leaveAmbiguous(call, outcomes, one);
  } catch (error) {
    if (!(error instanceof KithError) || error.code === 'UNAVAILABLE' || error.code === 'INTERNAL_ERROR') throw error;
    for (const id of ids) outcome.refuse(id, error);
  }
}

function leaveAmbiguous(
  { model }: Call,
  outcomes: Map<string, Outcome>,
  { object_name: name, record_id: id, field, reason }: Ambiguity,
): void {
  const object = model.objects.get(name);
  if (object) outcomeOf(outcomes, object).leave(id, 'changed_since', [field], reason);
}

function outcomeOf(outcomes: Map<string, Outcome>, { id, name }: ObjectDef): Outcome {
  const known = outcomes.get(id) ?? new Outcome(name);
  outcomes.set(id, known);
  return known;
}
