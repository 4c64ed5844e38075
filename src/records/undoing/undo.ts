/**
 * A change set is undone: its records are locked, looked at and put back some at a time, each time in a transaction of its own. What
 * others have changed since stays. The writes of an undo are a change set themselves. [decisions: Writing]
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
import { Outcome, type Left } from './outcome.ts';
import { restoreDeleted, trashMade, trashRestored } from './places.ts';
import { putValuesBack } from './values.ts';

/** Records that one undo takes. */
const mostRecords = 10_000;

/** Records that are left are told one by one. */
export const mostLeftTold = 50;

/** A transaction takes so many records, and so many bytes of what they were. */
const atOnce = 500;
const weightAtOnce = 4_000_000;

/** Each gives way for what follows: unique values are freed before they are taken, and records are there before links lead to them. */
const steps: readonly { readonly of: (written: Written) => boolean; readonly step: Step }[] = [
  { of: ({ isCreated }) => isCreated, step: trashMade },
  { of: ({ isDeleted }) => isDeleted, step: restoreDeleted },
  { of: () => true, step: putValuesBack },
  { of: ({ isRestored }) => isRestored, step: trashRestored },
];

export interface Undone {
  /** How many records, or lists, something was put back of. */
  readonly undone: number;
  /** How many were left, or some of their fields. */
  readonly left_count: number;
  /** The first of them. */
  readonly left: readonly Left[];
}

/** Reverses the writes of the change set that the caller may undo. Throws RECORD_NOT_FOUND where there are none, INVALID_OPERATION for too many, and what `requireMerges` throws. */
export async function undo(call: Call, changeSet: string): Promise<Undone> {
  if (changeSet === call.changeSet) throw errors.validation('Change-Set must differ from the change set being undone');
  const written = await writtenIn(call, changeSet, mostRecords + 1);
  // One of which the caller sees nothing is not there, here as in the list of change sets.
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
  return told(outcomes);
}

/** Adds to `outcomes` what becomes of the records. */
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
    // Values that were not free may be so by now.
    some = some.filter((one) => isDuplicate(outcomes.get(one.objectId), one.recordId));
    if (before < undoneIn(outcomes)) for (const one of some) outcomes.get(one.objectId)?.left.delete(one.recordId);
  }
  await undoLists(call, undoing, lists, 'after records', outcomes);
}

function told(outcomes: ReadonlyMap<string, Outcome>): Undone {
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

/** One step with some records of one object, in a transaction. An object that is gone, or that the service alone writes, has nothing to be put back. */
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
