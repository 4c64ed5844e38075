/**
 * The changes of a change set to one record that nobody has overwritten since, computed from the record's history in
 * order. The value to restore is the one that the change set found when it first touched the field, or touched it
 * again after somebody else.
 */
import type { Json, JsonObject } from '../../lib/json.ts';
import { isObject } from '../../lib/json.ts';
import { parseLongJson } from '../../lib/long-json.ts';
import { inSlices, nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { PastEntry } from './change-set.ts';

/** A former link: its junction cells by field id; null where there was none. */
export type EarlierLink = { readonly junction: JsonObject | undefined } | null;

export interface LinkTrace {
  /** By target. */
  readonly there: Map<string, EarlierLink>;
  /** Positions, by target. */
  readonly stood: Map<string, number>;
  /** Targets whose link, or its position, others have changed since. */
  readonly lost: Set<string>;
}

export interface Trace {
  /**
   * The record's former state: missing, present, or trashed. Undefined where the change set did not change it, or
   * others did since.
   */
  was: 'absent' | 'present' | 'trashed' | undefined;
  /** Whether the change set created the record. */
  isMade: boolean;
  /** Whether others have deleted or restored the record since. */
  isMovedSince: boolean;
  /** Images by field id. */
  readonly values: Map<string, Json>;
  /** Fields whose value the caller itself wrote. */
  readonly isCallers: Set<string>;
  /** Fields whose value others have changed since. */
  readonly lost: Set<string>;
  readonly links: Map<string, LinkTrace>;
  /** Fields that others have changed since the record was created. */
  readonly touched: Set<string>;
}

/** Bundles by the id of each of their fields: changing one counts as changing all. */
export type Bundles = ReadonlyMap<string, readonly string[]>;

/** The traces by record id, from all entries since the change set's first of each record. */
export async function tracesOf(entries: readonly PastEntry[], bundles: Bundles): Promise<ReadonlyMap<string, Trace>> {
  const traces = new Map<string, Trace>();
  for (const entry of entries) {
    if (sliceIsOver()) await nextSlice();
    const trace = traces.get(entry.recordId) ?? emptyTrace();
    traces.set(entry.recordId, trace);
    const before = await asObject(entry.before);
    const links = await asObject(entry.links);
    if (entry.isOwn) {
      placeBefore(trace, entry.action);
      for (const [field, image] of Object.entries(before)) {
        if (trace.values.has(field)) continue;
        trace.values.set(field, image);
        trace.lost.delete(field);
        if (entry.isCallers) trace.isCallers.add(field);
      }
      for (const [field, change] of Object.entries(links)) await linksBefore(linksOf(trace, field), change);
      continue;
    }
    if (entry.action !== 'update' && entry.action !== 'unlink') {
      trace.isMovedSince ||= trace.was !== undefined;
      trace.was = undefined;
    }
    for (const field of Object.keys(before)) {
      trace.touched.add(field);
      for (const one of bundles.get(field) ?? [field]) if (trace.values.delete(one)) trace.lost.add(one);
    }
    for (const [field, change] of Object.entries(links)) {
      trace.touched.add(field);
      await linksSince(linksOf(trace, field), change);
    }
  }
  return traces;
}

function emptyTrace(): Trace {
  const sets = { isCallers: new Set<string>(), lost: new Set<string>(), touched: new Set<string>() };
  return { was: undefined, isMade: false, isMovedSince: false, values: new Map(), links: new Map(), ...sets };
}

function placeBefore(trace: Trace, action: string): void {
  const places = { create: 'absent', delete: 'present', restore: 'trashed' } as const;
  if (!(action in places)) return;
  trace.isMade ||= action === 'create';
  trace.was ??= places[action as keyof typeof places];
  trace.isMovedSince = false;
}

function linksOf({ links }: Trace, field: string): LinkTrace {
  const trace = links.get(field) ?? { there: new Map(), stood: new Map(), lost: new Set() };
  links.set(field, trace);
  return trace;
}

/** Applies an own change of links. */
async function linksBefore({ there, stood, lost }: LinkTrace, change: Json): Promise<void> {
  const { added, removed, was, positions } = parsedChange(change);
  const first = (target: string, link: EarlierLink) => {
    lost.delete(target);
    if (!there.has(target)) there.set(target, link);
  };
  await inSlices(added, (target) => first(target, null));
  const cells = (target: string) => {
    const junction = was[target];
    return { junction: isObject(junction) ? junction : undefined };
  };
  await inSlices([...removed, ...Object.keys(was)], (target) => first(target, cells(target)));
  await inSlices(Object.entries(positions), ([target, position]) => {
    if (!stood.has(target)) stood.set(target, Number(position));
  });
}

/** Applies others' changes of links, which are not undone. */
async function linksSince({ there, stood, lost }: LinkTrace, change: Json): Promise<void> {
  const { added, removed, was, positions, moved } = parsedChange(change);
  await inSlices([...added, ...removed, ...Object.keys(was)], (target) => {
    if (there.delete(target)) lost.add(target);
  });
  // The list was renumbered, so older positions are meaningless.
  if (moved) stood.clear();
  else
    await inSlices(Object.keys(positions), (target) => {
      if (stood.delete(target)) lost.add(target);
    });
}

interface ParsedLinkChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly was: JsonObject;
  readonly positions: JsonObject;
  readonly moved: Json | undefined;
}

function parsedChange(change: Json): ParsedLinkChange {
  const { added = [], removed = [], was = {}, stood = {}, moved } = isObject(change) ? change : {};
  return { added: texts(added), removed: texts(removed), was: object(was), positions: object(stood), moved };
}

function texts(value: Json): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function object(value: Json): JsonObject {
  return isObject(value) ? value : {};
}

async function asObject(text: string | null): Promise<JsonObject> {
  return object(text === null ? {} : await parseLongJson(text));
}
