/**
 * Changes of one or many records that touch more than columns of the row, in one transaction under the records'
 * locks.
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type KithError } from '../../errors.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';
import { alteration, mayNotChange } from './alteration.ts';
import { withSameFields, type Change } from './change.ts';
import { inHalves } from './in-halves.ts';
import { judgeRows } from './judge-rows.ts';
import { lockRecords } from './lock.ts';
import { refuseMoreLinks } from './record-size.ts';
import { replaceLinks } from './replace-links.ts';
import { throwRefusal, type Refusals } from './row-write.ts';
import { settleSteps, type Witnessed } from './step-changes.ts';
import { fillSwaps, swapsAmong, withoutSwaps } from './unique-swaps.ts';
import { replaceValues, setsUniqueValues } from './unique-values.ts';
import { insertWitnesses } from './witnesses.ts';
import { writeRows } from './write-rows.ts';

/** Locks the records, judges them in their current state, and returns refusals for those missing or not changeable. */
export async function lockForChange(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  ids: readonly string[],
): Promise<Refusals> {
  const was = objectScope(call, object, 'was');
  const may = await lockRecords(call, tx, was, ids, visibleRow(was), call.visibility.updates(object.name));
  const refusals = new Map<string, KithError>();
  for (const id of ids) {
    if (sliceIsOver()) await nextSlice();
    const allowed = may.get(id);
    if (allowed !== true)
      refusals.set(id, allowed === undefined ? errors.recordNotFound(object.name, id) : mayNotChange(object));
  }
  return refusals;
}

/** Makes all of the changes; the records are locked and judged. Throws the first refusal, and Duplicate. */
export async function changeRows(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  changes: readonly Change[],
): Promise<void> {
  const settled = await settleSteps(call, tx, object, changes);
  throwRefusal(settled.refusals);
  for (const group of withSameFields(settled.changes))
    throwRefusal(await write(call, tx, object, group, settled.witnessed));
}

/** Makes those changes that can be made, each on its own, and returns why the others cannot; the records are locked and judged. */
export async function changeLocked(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  changes: readonly Change[],
): Promise<Refusals> {
  const settled = await settleSteps(call, tx, object, changes);
  const refusals = new Map(settled.refusals);
  const refuse = (found: Refusals) => found.forEach((error, id) => void refusals.set(id, error));
  for (const group of withSameFields(settled.changes)) {
    if (group.length > 1 && leavesMore(object, group, settled.witnessed)) {
      // A write beside a row is undone with that row, so find the refused rows first.
      const rows = group.map((change) => ({ ...change, links: null }));
      refuse(await judgeRows(tx, await alteration(call, object, rows, true)));
    }
    const allowed = group.filter(({ id }) => !refusals.has(id));
    await inHalves(call, tx, object, allowed, refusals, async (some) =>
      refuse(await write(call, tx, object, some, settled.witnessed)),
    );
  }
  return refusals;
}

/** Whether such changes, which set the same fields, write more than the records' rows. */
function leavesMore(object: ObjectDef, [first]: readonly Change[], witnessed: readonly Witnessed[]): boolean {
  return first !== undefined && (first.links.size > 0 || setsUniqueValues(object, first) || witnessed.length > 0);
}

/**
 * Restores former values, each record on its own, and returns refusals. The records are locked and judged. Pipeline
 * positions are taken as given: nothing is required, set or witnessed.
 */
export async function putRowsBack(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  changes: readonly Change[],
): Promise<Refusals> {
  const refusals = new Map<string, KithError>();
  for (const group of withSameFields(changes))
    await inHalves(call, tx, object, group, refusals, async (some) =>
      (await write(call, tx, object, some, [])).forEach((error, id) => void refusals.set(id, error)),
    );
  return refusals;
}

/**
 * Writes everything beside the rows first: the object's state row, written with the rows, is contended. Throws the
 * refusal of a row that writes more than itself.
 */
async function write(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  changes: readonly Change[],
  witnessed: readonly Witnessed[],
): Promise<Refusals> {
  const linked = changes.filter(({ links }) => links.size > 0);
  const counted = linked.map(({ id, links }) => ({
    id,
    counts: new Map([...links].map(([field, own]) => [field, own.length])),
  }));
  await refuseMoreLinks(call, tx, object, counted);
  const swaps = await swapsAmong(call, tx, object, changes);
  const texts = await replaceLinks(call, tx, linked);
  await replaceValues(call, tx, object, changes);
  const ids = new Set(changes.map(({ id }) => id));
  const own = witnessed.filter(({ recordId }) => ids.has(recordId));
  await insertWitnesses(call, tx, object.id, own);
  const rows = changes.map((change) => ({ ...change, links: texts.get(change.id) ?? null }));
  const refusals = await writeRows(call, tx, withoutSwaps(await alteration(call, object, rows, true), swaps));
  if (leavesMore(object, changes, own) || swaps.length > 0) throwRefusal(refusals);
  await fillSwaps(call, tx, object, swaps);
  return refusals;
}
