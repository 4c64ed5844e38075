/**
 * Saves fields of records, one write at a time per record. If the record has changed since (ETag), the write is sent again when
 * only other fields have changed; when the same field has, the reader chooses. While the service is away, writes are kept and
 * sent later.
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

/** The state of a field's change. */
export type Standing =
  | { readonly is: 'saving'; readonly mine: unknown }
  | { readonly is: 'kept'; readonly mine: unknown }
  | { readonly is: 'refused'; readonly mine: unknown; readonly reason: string }
  | { readonly is: 'conflict'; readonly mine: unknown; readonly theirs: KithRecord; readonly who: string | undefined };

export interface Change {
  readonly object: string;
  readonly id: string;
  readonly field: Field;
  /** The record's values when editing began. */
  readonly base: KithRecord;
  readonly value: unknown;
  /** The values to show until the service has answered. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** The text of the toast. */
  readonly text: string;
  /** Shows no toast. */
  readonly isQuiet?: boolean;
  readonly shell: Catalogue['shell'];
}

const againMs = 2_000;

let standings: ReadonlyMap<string, Standing> = new Map();
const watchers = new Set<() => void>();
const lines = new Map<string, Promise<void>>();
const kept = new Map<string, Change>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** The states of all pending changes, by `standingKey`. */
export function useStandings(): ReadonlyMap<string, Standing> {
  return useSyncExternalStore(watch, () => standings);
}

/** The key of a field's state. */
export function standingKey(object: string, id: string, field: string): string {
  return `${object}/${id}/${field}`;
}

/** Saves a change after earlier ones of the same record. */
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

/** Runs `work` after earlier work on the record. Throws what `work` throws. */
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

/** Whether work on the record is pending. */
export function isInLine(object: string, id: string): boolean {
  return lines.has(`${object}/${id}`);
}

/** Resolves a conflict: saves the reader's value, or drops it. */
export function settle(change: Change, isMine: boolean): void {
  const standing = standings.get(keyOf(change));
  stand(keyOf(change), undefined);
  if (isMine && standing?.is === 'conflict') void save({ ...change, base: standing.theirs });
}

/** Drops a change that was refused or not sent yet. */
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

/** The entered value as text; a chosen id by its name. */
export function enteredIn({ field, value, shown }: Pick<Change, 'field' | 'value' | 'shown'>): string {
  const entered = shown[`${field.name}_display`] ?? value ?? '';
  return typeof entered === 'string' ? entered : JSON.stringify(entered);
}

/** The reader has to choose between two values of one field. */
export class Conflict extends Error {
  /** The record's present state. */
  readonly now: Loaded;

  constructor(now: Loaded) {
    super('The field was changed by somebody else');
    this.now = now;
  }
}

/**
 * Writes a field of a record that was in this state; retries once if only other fields have changed since. Throws Conflict if the
 * field has, and the service's error if it refuses the write.
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
  const [before, notice] = [base[field.name], { text, isQuiet }];
  await changeLinks({ object, id, field: field.name, before, after: value, notice, shell });
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

/** Who changed the field last, if the reader may know. */
export async function whoChanged(object: string, id: string, name: string): Promise<string | undefined> {
  const past = await kith.records.history(object, id, { limit: 20 }).catch(() => undefined);
  const entry = past?.data.find(({ changes }) => changes.some(({ field }) => field === name));
  return entry?.actor?.display ?? undefined;
}

/** Whether the field's present value differs from both the one when editing began and the new one. */
export function isTheirs(
  { field, base, shown }: Pick<Change, 'field' | 'base' | 'shown'>,
  record: KithRecord,
): boolean {
  // Links are added and removed one by one, so they do not conflict.
  if (field.type === 'MANY_TO_MANY') return false;
  const name = nameIn(field);
  return !isSameValue(record[name], base[name]) && !isSameValue(record[name], shown[name]);
}

/** The key under which records have the field's value. */
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

// Asks before the page is left with unsent changes.
addEventListener('beforeunload', (event) => {
  if (kept.size > 0) event.preventDefault();
});
