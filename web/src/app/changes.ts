/** What was changed here: each write tells its change set, and the last ones can be undone, one after the other. */
import type { Answered } from '../../../client/index.js';
import { kith, messageOf } from '../api/kith.ts';
import { queries } from '../api/queries.ts';
import type { Catalogue } from '../i18n/catalogue.ts';
import { toast } from '../ui/toasts.tsx';
import { followWork, forgetWork, longWorkIn, stopWork, type LongWork } from './long-work.ts';

export interface Change {
  readonly changeSet: string;
  /** What happened, as the toast says it. */
  readonly text: string;
  /** What may still be at it. */
  readonly work?: LongWork | undefined;
}

/** So many are remembered. */
const most = 50;

let done: readonly Change[] = [];
let undone: readonly Change[] = [];
/** What is not answered yet. */
let underway: Promise<unknown> = Promise.resolve();

/**
 * Waits for a write, and gives its answer. With `text`, a toast says what happened and offers to undo it; without, it can be undone
 * by its key. Throws what the write throws.
 */
export function written<T>(answer: Answered<T>, told: Told, texts: Catalogue['shell']): Promise<T> {
  const work = entered(answer, told, texts);
  waitFor(work);
  return work;
}

/** Has undo wait for this: what shows already may be written in it. */
export function waitFor(work: Promise<unknown>): void {
  underway = Promise.allSettled([underway, work]);
}

/** How a change is told. */
interface Told {
  readonly text: string;
  /** The same where the service has only begun with it. */
  readonly begun?: string;
  /** Without a toast. */
  readonly isQuiet?: boolean;
}

async function entered<T>(
  answer: Answered<T>,
  { text, begun = text, isQuiet }: Told,
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

/** Undoes the last change that was not undone; says so where there is none. */
export async function undoLast(texts: Catalogue['shell']): Promise<void> {
  // What shows already may still be on its way.
  await underway;
  const [last] = done;
  if (last) await undo(last, texts);
  else toast({ text: texts.nothingToUndo });
}

/** Takes the last undo back. */
export async function redoLast(texts: Catalogue['shell']): Promise<void> {
  await underway;
  const [last, ...rest] = undone;
  if (!last) return;
  undone = rest;
  const changeSet = await reverse(last, texts);
  if (changeSet) keep({ ...last, changeSet });
}

/** Undoes one change; what somebody changed since stays, and is counted. */
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
    // What goes on would change again what is put back.
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
