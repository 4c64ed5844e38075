/** Changes made in this tab: each write has its change set, and the last ones can be undone one after the other. */
import type { Answered } from '../../../client/index.js';
import { kith, messageOf } from '../api/kith.ts';
import { queries } from '../api/queries.ts';
import type { Catalogue } from '../i18n/catalogue.ts';
import { toast } from '../ui/toasts.tsx';
import { followWork, forgetWork, longWorkIn, stopWork, type LongWork } from './long-work.ts';

export interface Change {
  readonly changeSet: string;
  /** The text of the toast. */
  readonly text: string;
  /** Background work that may still be writing. */
  readonly work?: LongWork | undefined;
}

/** Changes remembered for undo. */
const most = 50;

let done: readonly Change[] = [];
let undone: readonly Change[] = [];
/** Writes without an answer yet. */
let underway: Promise<unknown> = Promise.resolve();

/**
 * Awaits a write and returns its answer. With `text`, a toast says what happened and offers Undo; without, only the key undoes
 * it. Throws what the write throws.
 */
export function written<T>(answer: Answered<T>, notice: Notice, texts: Catalogue['shell']): Promise<T> {
  const work = entered(answer, notice, texts);
  waitFor(work);
  return work;
}

/** Makes undo wait for `work`, which may still write what is already shown. */
export function waitFor(work: Promise<unknown>): void {
  underway = Promise.allSettled([underway, work]);
}

/** How a change is announced. */
interface Notice {
  readonly text: string;
  /** The text if the service has only started the work. */
  readonly begun?: string;
  /** Shows no toast. */
  readonly isQuiet?: boolean;
}

async function entered<T>(
  answer: Answered<T>,
  { text, begun = text, isQuiet }: Notice,
  texts: Catalogue['shell'],
): Promise<T> {
  const { data, changeSet } = await answer.withResponse();
  const work = longWorkIn(data);
  if (work) followWork(work);
  if (changeSet !== undefined) {
    const change = { changeSet, text, work };
    undone = [];
    keep(change);
    if (!isQuiet)
      toast({ text: work ? begun : text, action: { label: texts.undo, run: () => void undo(change, texts) } });
  }
  return data;
}

/** Undoes the last change that was not undone; a toast says if there is none. */
export async function undoLast(texts: Catalogue['shell']): Promise<void> {
  // Writes of what is already shown may still be pending.
  await underway;
  const [last] = done;
  if (last) await undo(last, texts);
  else toast({ text: texts.nothingToUndo });
}

/** Reverts the last undo. */
export async function redoLast(texts: Catalogue['shell']): Promise<void> {
  await underway;
  const [last, ...rest] = undone;
  if (!last) return;
  undone = rest;
  const changeSet = await reverse(last, texts);
  if (changeSet) keep({ ...last, changeSet });
}

/** Undoes one change; values that somebody has changed since stay, and the toast counts them. */
export function undo(change: Change, texts: Catalogue['shell']): Promise<void> {
  const work = undoing(change, texts);
  waitFor(work);
  return work;
}

async function undoing(change: Change, texts: Catalogue['shell']): Promise<void> {
  done = done.filter(({ changeSet }) => changeSet !== change.changeSet);
  const changeSet = await reverse(change, texts);
  if (changeSet) undone = [{ text: change.text, changeSet }, ...undone];
}

async function reverse({ changeSet, text, work }: Change, texts: Catalogue['shell']): Promise<string | undefined> {
  try {
    // Work that is still running would change the restored values again.
    if (work) await stopWork(work);
    if (work) forgetWork(work);
    const answer = await kith.changeSets.undo({ change_set: changeSet });
    toast({ text: answer.left_count > 0 ? texts.undoneBut(answer.left_count) : `${texts.undone}: ${text}` });
    await queries.invalidateQueries();
    return answer.change_set;
  } catch (error) {
    toast({ text: messageOf(error), isBad: true });
    return undefined;
  }
}

function keep(change: Change): void {
  done = [change, ...done].slice(0, most);
}
