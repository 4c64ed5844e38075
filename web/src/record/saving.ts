/**
 * Saving fields of records, one write after the other. A write that finds another state is told apart: other fields were changed,
 * then it is sent again; the same one was, then the reader chooses. Where the service is away, it is kept and sent later.
 */
import { useSyncExternalStore } from 'react';
import { KithError } from '../../../client/index.js';
import { fieldErrorOf, isToBeKept, kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import type { Field, KithRecord } from '../api/workspace.ts';
import { waitFor, written } from '../app/changes.ts';
import { isFieldGone, leftOver } from '../app/left-over.ts';
import type { Catalogue } from '../i18n/catalogue.ts';
import { changeLinks } from '../values/links.ts';
import { load, show, type Loaded } from './record-query.ts';

/** How a change of a field stands. */
export type Standing =
  | { readonly is: 'saving'; readonly mine: unknown }
  | { readonly is: 'kept'; readonly mine: unknown }
  | { readonly is: 'refused'; readonly mine: unknown; readonly reason: string }
  | { readonly is: 'conflict'; readonly mine: unknown; readonly theirs: KithRecord; readonly who: string | undefined };

export interface Change {
  readonly object: string;
  readonly id: string;
  readonly field: Field;
  /** The values of the record when editing began. */
  readonly base: KithRecord;
  readonly value: unknown;
  /** The record's values as they are shown until the service has answered. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** What the toast says. */
  readonly text: string;
  /** Without a toast. */
  readonly isQuiet?: boolean;
  readonly shell: Catalogue['shell'];
}

const againMs = 2_000;

let standings: ReadonlyMap<string, Standing> = new Map();
const watchers = new Set<() => void>();
const lines = new Map<string, Promise<void>>();
const kept = new Map<string, Change>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** How the changes of all fields stand, by `standingKey`. */
export function useStandings(): ReadonlyMap<string, Standing> {
  return useSyncExternalStore(watch, () => standings);
}

/** What a field's standing goes by. */
export function standingKey(object: string, id: string, field: string): string {
  return `${object}/${id}/${field}`;
}

/** Saves a change behind those of the same record that were made before. */
export function save(given: Change): Promise<void> {
  const key = keyOf(given);
  const waiting = kept.get(key);
  const change = waiting ? { ...given, base: waiting.base } : given;
  kept.delete(key);
  const now = queries.getQueryData<Loaded>(keys.record(change.object, change.id));
  if (now && isTheirs(change, now.record)) return conflict(change, now);
  stand(key, { is: 'saving', mine: change.value });
  patch(change, change.shown);
  return inLine(change.object, change.id, () => send(change));
}

/** Does `work` upon a record behind what was begun upon it before. Throws what that throws. */
export function inLine<T>(object: string, id: string, work: () => Promise<T>): Promise<T> {
  const line = `${object}/${id}`;
  const result = (lines.get(line) ?? Promise.resolve()).then(work);
  const end = Promise.allSettled([result]).then(() => {
    if (lines.get(line) === end) lines.delete(line);
  });
  lines.set(line, end);
  waitFor(result);
  return result;
}

/** Whether something that was begun upon the record goes on. */
export function isInLine(object: string, id: string): boolean {
  return lines.has(`${object}/${id}`);
}

/** Keeps what the reader chose of two: theirs needs no write. */
export function settle(change: Change, isMine: boolean): void {
  const standing = standings.get(keyOf(change));
  stand(keyOf(change), undefined);
  if (isMine && standing?.is === 'conflict') void save({ ...change, base: standing.theirs });
}

/** Forgets a change that was refused, or is not sent yet. */
export function forget(change: Pick<Change, 'object' | 'id'> & { readonly field: Pick<Field, 'name'> }): void {
  const key = standingKey(change.object, change.id, change.field.name);
  const waiting = kept.get(key);
  kept.delete(key);
  stand(key, undefined);
  if (waiting) patch(waiting, partOf(waiting.field, waiting.base));
}

async function send(change: Change): Promise<void> {
  const key = keyOf(change);
  try {
    const now =
      queries.getQueryData<Loaded>(keys.record(change.object, change.id)) ?? (await load(change.object, change.id));
    await writeField(change, now.etag ? now : await load(change.object, change.id));
    stand(key, undefined);
  } catch (error) {
    if (error instanceof Conflict) await conflict(change, error.now);
    else if (isToBeKept(error)) keep(change);
    else if (await isFieldGone(error, change.object, change.field.name)) {
      patch(change, partOf(change.field, change.base));
      stand(key, undefined);
      leftOver(change.field.label, enteredIn(change), change.shell);
    } else {
      patch(change, partOf(change.field, change.base));
      stand(key, { is: 'refused', mine: change.value, reason: reasonOf(error, change.field) });
    }
  }
}

/** What was entered, in words: of what was chosen by its id, what that is called. */
export function enteredIn({ field, value, shown }: Pick<Change, 'field' | 'value' | 'shown'>): string {
  const entered = shown[`${field.name}_display`] ?? value ?? '';
  return typeof entered === 'string' ? entered : JSON.stringify(entered);
}

/** The reader has to choose between two values of one field. */
export class Conflict extends Error {
  /** The record as it is now. */
  readonly now: Loaded;

  constructor(now: Loaded) {
    super('The field was changed by somebody else');
    this.now = now;
  }
}

/**
 * Writes a field of a record that was in this state; where other fields have changed since, once more. Throws Conflict where the
 * field has, and what the service says against the write.
 */
export async function writeField(change: Change, state: Loaded, mayRepeat = true): Promise<void> {
  const { object, id, field, value, text, isQuiet = false } = change;
  if (isTheirs(change, state.record)) throw new Conflict(state);
  try {
    if (field.type === 'MANY_TO_MANY') return await putLinks(change);
    const sent = kith.records.update(object, id, { [nameIn(field)]: value }, { ifMatch: state.etag });
    await written(sent, { text, isQuiet }, change.shell);
    const { data, etag } = await sent.withResponse();
    show(object, id, (loaded) => ({
      ...loaded,
      record: { ...loaded.record, ...data.record, id },
      etag: etag ?? loaded.etag,
    }));
    void queries.invalidateQueries({ queryKey: keys.object(object) });
  } catch (error) {
    if (!(error instanceof KithError) || error.status !== 412) throw error;
    const now = await load(object, id);
    if (isTheirs(change, now.record)) throw new Conflict(now);
    show(object, id, () => ({ ...now, record: { ...now.record, ...change.shown } }));
    if (!mayRepeat) throw error;
    await writeField(change, now, now.etag !== state.etag);
  }
}

async function putLinks({ object, id, field, base, value, text, isQuiet = false, shell }: Change): Promise<void> {
  const [before, told] = [base[field.name], { text, isQuiet }];
  await changeLinks({ object, id, field: field.name, before, after: value, told, shell });
  const now = await load(object, id);
  show(object, id, () => now);
  void queries.invalidateQueries({ queryKey: keys.object(object) });
}

async function conflict(change: Change, now: Loaded): Promise<void> {
  const { object, id, field } = change;
  show(object, id, () => now);
  const who = await whoChanged(object, id, field.name);
  stand(keyOf(change), { is: 'conflict', mine: change.value, theirs: now.record, who });
}

/** Who changed the field last, as far as the reader may know. */
export async function whoChanged(object: string, id: string, name: string): Promise<string | undefined> {
  const past = await kith.records.history(object, id, { limit: 20 }).catch(() => undefined);
  const entry = past?.data.find(({ changes }) => changes.some(({ field }) => field === name));
  return entry?.actor?.display ?? undefined;
}

/** Whether the field has become something else than it was when editing began, and than what it is to be. */
export function isTheirs(
  { field, base, shown }: Pick<Change, 'field' | 'base' | 'shown'>,
  record: KithRecord,
): boolean {
  // Each link stands for itself.
  if (field.type === 'MANY_TO_MANY') return false;
  const name = nameIn(field);
  return !isSameValue(record[name], base[name]) && !isSameValue(record[name], shown[name]);
}

/** How records call the value of a field. */
export function nameIn({ type, name }: Pick<Field, 'type' | 'name'>): string {
  return type === 'PIPELINE' ? 'pipeline_step_id' : name;
}

function isSameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function partOf(field: Field, record: KithRecord): Record<string, unknown> {
  const names =
    field.type === 'PIPELINE'
      ? ['pipeline_id', 'pipeline_id_display', 'pipeline_step_id', 'pipeline_step_id_display']
      : [field.name, `${field.name}_display`];
  return Object.fromEntries(
    names.filter((name) => name === field.name || name in record).map((name) => [name, record[name]]),
  );
}

function keep(change: Change): void {
  kept.set(keyOf(change), change);
  stand(keyOf(change), { is: 'kept', mine: change.value });
  timer ??= setTimeout(sendKept, againMs);
}

function sendKept(): void {
  timer = undefined;
  for (const change of kept.values()) void save(change);
}

function patch({ object, id }: Change, values: Readonly<Record<string, unknown>>): void {
  show(object, id, (loaded) => ({ ...loaded, record: { ...loaded.record, ...values } }));
}

function reasonOf(error: unknown, field: Field): string {
  return fieldErrorOf(error, field.name) ?? messageOf(error);
}

function keyOf({ object, id, field }: Change): string {
  return standingKey(object, id, field.name);
}

function stand(key: string, standing: Standing | undefined): void {
  const next = new Map(standings);
  if (standing) next.set(key, standing);
  else next.delete(key);
  standings = next;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

// A page that goes takes along what it has not sent: whoever leaves is asked.
addEventListener('beforeunload', (event) => {
  if (kept.size > 0) event.preventDefault();
});
