/**
 * Undoes a change set: its records are locked, examined and restored in batches, each in a transaction of its own.
 * Values changed by others since stay. The writes of an undo are a change set themselves. [decisions: Writing]
 */
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { objectWithId } from '../../model/model.ts';
import { changeSetsPage } from '../past/change-sets-page.ts';
import { lastEntry, writtenIn, type Undoing, type Written } from './change-set.ts';
import { listsObjectId } from '../lists/list-history.ts';
import { undoList, type ListStep } from './lists.ts';
import { lookAt, type Step } from './looked-at.ts';
import { requireMerges, undoMerges } from './merges.ts';
import { Outcome, type LeftRecord } from './outcome.ts';
import { restoreDeleted, trashMade, trashRestored } from './trash-moves.ts';
import { putValuesBack } from './values.ts';

/** Records per undo. */
const mostRecords = 10_000;

/** LeftRecord records that are reported individually. */
export const mostLeftTold = 50;

/** Records, and bytes of their former values, per transaction. */
const atOnce = 500;
const weightAtOnce = 4_000_000;

/**
 * In an order in which each step enables the next: unique values are freed before they are taken, and records exist
 * before links lead to them.
 */
const steps: readonly { readonly of: (written: Written) => boolean; readonly step: Step }[] = [
  { of: ({ isCreated }) => isCreated, step: trashMade },
  { of: ({ isDeleted }) => isDeleted, step: restoreDeleted },
  { of: () => true, step: putValuesBack },
  { of: ({ isRestored }) => isRestored, step: trashRestored },
];

export interface Undone {
  /** Records and lists of which something was restored. */
  readonly undone: number;
  /** Records that were left, completely or in part. */
  readonly left_count: number;
  /** The first of those. */
  readonly left: readonly LeftRecord[];
}

/**
 * Undoes the writes of the change set that the caller may undo. Throws RECORD_NOT_FOUND without any,
 * INVALID_OPERATION for too many, and as `requireMerges`.
 */
export async function undo(call: Call, changeSet: string): Promise<Undone> {
  if (changeSet === call.changeSet) throw errors.validation('Change-Set must differ from the change set being undone');
  const written = await writtenIn(call, changeSet, mostRecords + 1);
  // As in the list of change sets, one of which the caller sees nothing does not exist.
  const isSeen = written.length > 0 && (await changeSetsPage(call, { id: changeSet, limit: 1 })).total > 0;
  if (!isSeen) throw errors.changeSetNotFound(changeSet);
  if (written.length > mostRecords)
    throw errors.invalidOperation(`An undo takes change sets of at most ${mostRecords.toLocaleString('en')} records`);
  const merged = written.filter(({ isMerged }) => isMerged);
  const besides = written.filter(({ isWritten }) => isWritten);
  if (besides.length === 0) requireMerges(call, merged);
  const since = merged.length > 0 ? await lastEntry(call) : '0';
  const { outcomes, isWhole } = await undoMerges(call, changeSet, merged);
  await undoWrites(call, { changeSet, isMergesOwn: isWhole, since }, besides, outcomes);
  return summaryOf(outcomes);
}

/** Adds the records' outcomes to `outcomes`. */
async function undoWrites(
  call: Call,
  undoing: Undoing,
  written: readonly Written[],
  outcomes: Map<string, Outcome>,
): Promise<void> {
  const lists = written.filter(({ objectId }) => objectId === listsObjectId);
  let some: readonly Written[] = written.filter(({ objectId }) => objectId !== listsObjectId);
  await undoLists(call, undoing, lists, 'before records', outcomes);
  for (let before = -1; some.length > 0 && before < undoneIn(outcomes);) {
    before = undoneIn(outcomes);
    await pass(call, undoing, some, outcomes);
    // Unique values may be free by now.
    some = some.filter((one) => isDuplicate(outcomes.get(one.objectId), one.recordId));
    if (before < undoneIn(outcomes)) for (const one of some) outcomes.get(one.objectId)?.left.delete(one.recordId);
  }
  await undoLists(call, undoing, lists, 'after records', outcomes);
}

function summaryOf(outcomes: ReadonlyMap<string, Outcome>): Undone {
  const left = [...outcomes.values()].flatMap((outcome) => [...outcome.left.values()]);
  return { undone: undoneIn(outcomes), left_count: left.length, left: left.flat().slice(0, mostLeftTold) };
}

async function undoLists(
  call: Call,
  undoing: Undoing,
  lists: readonly Written[],
  step: ListStep,
  outcomes: Map<string, Outcome>,
): Promise<void> {
  for (const list of lists) {
    const outcome = await call.part((now) => undoList(now, undoing, list, step));
    addTo(outcomes, listsObjectId, outcome);
  }
}

function addTo(outcomes: Map<string, Outcome>, objectId: string, outcome: Outcome): void {
  const earlier = outcomes.get(objectId);
  if (earlier) earlier.add(outcome);
  else outcomes.set(objectId, outcome);
}

function undoneIn(outcomes: ReadonlyMap<string, Outcome>): number {
  return outcomes.values().reduce((sum, { undone }) => sum + undone.size, 0);
}

function isDuplicate(outcome: Outcome | undefined, id: string): boolean {
  return outcome?.left.get(id)?.some(({ reason }) => reason === 'duplicate') ?? false;
}

async function pass(
  call: Call,
  undoing: Undoing,
  written: readonly Written[],
  outcomes: Map<string, Outcome>,
): Promise<void> {
  for (const { of, step } of steps) {
    for (const [objectId, records] of Map.groupBy(written.filter(of), (one) => one.objectId)) {
      for (const some of portions(records)) {
        const earlier = outcomes.get(objectId);
        const outcome = await call.part((now) => take(now, undoing, objectId, some, step, earlier));
        addTo(outcomes, objectId, outcome);
      }
    }
  }
}

/** Runs a step for some records of one object, in a transaction. An object that is gone or internal is skipped. */
async function take(
  call: Call,
  undoing: Undoing,
  objectId: string,
  written: readonly Written[],
  step: Step,
  earlier: Outcome | undefined,
): Promise<Outcome> {
  const object = objectWithId(call.model, objectId);
  if (!object || object.kind === 'internal') return new Outcome(object?.name ?? '');
  return call.workspace.transaction(async (tx) => {
    const outcome = new Outcome(object.name);
    const records = await lookAt(call, tx, object, undoing, written);
    await step({ call, tx, object, records, earlier, outcome });
    return outcome;
  });
}

function* portions(records: readonly Written[]): Generator<readonly Written[]> {
  let portion: Written[] = [];
  let weight = 0;
  for (const record of records) {
    if (portion.length === atOnce || (portion.length > 0 && weight + record.weight > weightAtOnce)) {
      yield portion;
      portion = [];
      weight = 0;
    }
    portion.push(record);
    weight += record.weight;
  }
  if (portion.length > 0) yield portion;
}
