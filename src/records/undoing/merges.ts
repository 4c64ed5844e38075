/** Takes back the merges of a change set as an unmerge does. [decisions: Writing] */
import type { Call } from '../../access/call.ts';
import { errors, KithError } from '../../errors.ts';
import { objectWithId, type ObjectDef } from '../../model/model.ts';
import { or, sql, statement } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';
import type { Ambiguity } from '../merging/ambiguous.ts';
import { mergesOf } from '../merging/moved.ts';
import { unmergeRecords } from '../merging/unmerge.ts';
import { trashedRow } from '../writing/trash.ts';
import type { Written } from './change-set.ts';
import { Outcome } from './outcome.ts';

/**
 * Throws PERMISSION_DENIED for a non-admin, INVALID_OPERATION for an unmerge: the change set contains nothing else to
 * undo.
 */
export function requireMerges(call: Call, merged: readonly Written[]): void {
  if (!call.visibility.isAdmin) throw errors.adminOnly(forAdmins);
  if (merged.some(({ isGivenBack }) => isGivenBack)) throw errors.invalidOperation(noUnmerge);
}

const forAdmins = 'To undo a merge';
const noUnmerge = 'This change set has an unmerge: merge the records again instead';

/** The outcomes of merges, and whether all were taken back. */
export interface MergesUndone {
  readonly outcomes: Map<string, Outcome>;
  readonly isWhole: boolean;
}

/**
 * Restores the duplicates that `changeSet` merged, one transaction per master. Ambiguous values, impossible restores
 * and unmerges are left.
 */
export async function undoMerges(call: Call, changeSet: string, merged: readonly Written[]): Promise<MergesUndone> {
  const outcomes = new Map<string, Outcome>();
  let isWhole = true;
  for (const [objectId, records] of Map.groupBy(merged, (record) => record.objectId)) {
    const object = objectWithId(call.model, objectId);
    if (!object) continue;
    const outcome = outcomeOf(outcomes, object);
    const unmerges = records.filter(({ isGivenBack }) => isGivenBack);
    const merges = records.filter(({ isMergedAway, isGivenBack }) => isMergedAway && !isGivenBack);
    const ids = merges.map(({ recordId }) => recordId);
    for (const id of await seenAmong(call, object, unmerges)) outcome.leave(id, 'does_not_fit', [], noUnmerge);
    if (call.visibility.isAdmin) await giveAllBack(call, { object, changeSet, outcomes }, ids);
    else for (const id of await seenAmong(call, object, merges)) outcome.refuse(id, errors.adminOnly(forAdmins));
    isWhole &&= unmerges.length === 0 && ids.every((id) => outcome.undone.has(id));
  }
  return { outcomes, isWhole };
}

/** The ids that the caller sees, trashed or not: the others are left silently. */
async function seenAmong(call: Call, object: ObjectDef, records: readonly Written[]): Promise<readonly string[]> {
  if (records.length === 0) return [];
  const scope = objectScope(call, object, 't');
  const ids = records.map(({ recordId }) => recordId);
  const query = sql`select t.id from ${call.workspace.table(object.table)} t
    where t.id = any(${ids}::uuid[]) and ${or([visibleRow(scope), trashedRow(call, scope)])} order by t.id`;
  const { rows } = await call.workspace.readOnPlainClient(statement(query, call.model.version));
  return rows.map(([id]) => id ?? '');
}

interface Giving {
  readonly object: ObjectDef;
  readonly changeSet: string;
  readonly outcomes: Map<string, Outcome>;
}

async function giveAllBack(call: Call, giving: Giving, ids: readonly string[]): Promise<void> {
  const { object, outcomes } = giving;
  const merges = await call.workspace.transaction((tx) => mergesOf(call, tx, object, ids));
  // Already restored by somebody.
  for (const id of ids) if (!merges.has(id)) outcomeOf(outcomes, object).leave(id, 'changed_since');
  // Latest first: a master that was merged itself is restored before its duplicates.
  const byMaster = Map.groupBy([...merges.values()].toReversed(), ({ masterId }) => masterId);
  for (const some of byMaster.values()) {
    const duplicates = some.map(({ id }) => id);
    await call.part((now) => giveBack(now, giving, duplicates));
  }
}

async function giveBack(call: Call, { object, changeSet, outcomes }: Giving, ids: readonly string[]): Promise<void> {
  const outcome = outcomeOf(outcomes, object);
  try {
    // The entries are those of an unmerge, so their readers know how to take it back.
    const { ambiguous } = await unmergeRecords({ ...call, source: 'merge' }, object, {
      duplicateIds: ids,
      undoing: changeSet,
    });
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
