/** What became of the records of a workspace in memory, and what history and trash must tell each person of it. */
import { expect } from 'vitest';
import type { Json } from '../../src/lib/json.ts';
import {
  admits,
  empty,
  isHidden,
  isVisible,
  mayAny,
  seenOf,
  type Entry,
  type Memory,
  type Person,
  type Row,
} from './memory.ts';
import { mustWork } from './settle.ts';
import type { Field, Thing } from './workspace.ts';

interface Change {
  readonly field: string;
}

/** Asks for a record's history, in pages. */
export async function checkHistory(memory: Memory, person: Person, row: Row, limit: number): Promise<void> {
  const { thing, id } = row;
  const path = `/records/${thing.name}/${id}/history`;
  const asked = `${person.name}: GET ${path} ${JSON.stringify(person.role?.permissions)}`;
  const maySee = isVisible(memory, person, row) || isInTrash(person, row, memory);
  const first = await person.client.get(path, { limit });
  if (!mayAny(person, 'view', thing) || !maySee) {
    const code = mayAny(person, 'view', thing) ? 'RECORD_NOT_FOUND' : 'PERMISSION_DENIED';
    return expect({ asked, code: first.json?.code }).toEqual({ asked, code });
  }
  const wanted = entriesFor(memory, person, row).toReversed();
  const told: Record<string, unknown>[] = [];
  for (let page = mustWork(first, asked).json; ;) {
    expect({ asked, total: page.total }).toEqual({ asked, total: wanted.length });
    told.push(...page.data.map(plainEntry));
    if (page.nextCursor === undefined) break;
    page = mustWork(await person.client.get(path, { limit, cursor: page.nextCursor }), asked).json;
  }
  expect({ asked, entries: told }).toEqual({ asked, entries: wanted });
}

/** Asks for what is in the trash, in pages. */
export async function checkTrash(memory: Memory, person: Person, thing: Thing, limit: number): Promise<void> {
  const path = `/trash/${thing.name}`;
  const asked = `${person.name}: GET ${path} ${JSON.stringify(person.role?.permissions)}`;
  const first = await person.client.get(path, { limit });
  if (!mayAny(person, 'view', thing)) {
    return expect({ asked, code: first.json?.code }).toEqual({ asked, code: 'PERMISSION_DENIED' });
  }
  const told: { id: string; deleted_at: string }[] = [];
  for (let page = mustWork(first, asked).json; ;) {
    told.push(...page.data);
    if (page.nextCursor === undefined) break;
    page = mustWork(await person.client.get(path, { limit, cursor: page.nextCursor }), asked).json;
  }
  const rows = [...memory.rows.values()].filter((row) => row.thing === thing && isInTrash(person, row, memory));
  const wanted = rows.map((row) => ({
    id: row.id,
    display: isHidden(memory, person, thing, thing.displayField) ? null : seenOf(row, thing.displayField),
    deleted_at: '*',
    deleted_by: personFor(
      memory,
      person,
      thing,
      memory.past.get(row.id)?.findLast(({ action }) => action === 'delete')?.by,
    ),
  }));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect({ asked, data: told.map((row) => ({ ...row, deleted_at: '*' })).toSorted(byId) }).toEqual({
    asked,
    data: wanted.toSorted(byId),
  });
  const times = told.map(({ deleted_at, id }) => `${deleted_at} ${id}`);
  expect({ asked, times }).toEqual({ asked, times: times.toSorted().toReversed() });
}

function isInTrash(person: Person, row: Row, memory: Memory): boolean {
  return row.deleted && admits(memory, person, 'view', row) && admits(memory, person, 'delete', row);
}

/** Who acted, for a person that may see who makes and owns records. */
function personFor(memory: Memory, person: Person, thing: Thing, id: string | undefined): object | null {
  const knows = ['created_by', 'owner'].every((name) => !isHidden(memory, person, thing, name));
  const found = memory.people.find((known) => known.id === id);
  return knows && found ? { id: found.id, display: found.name } : null;
}

function entriesFor(memory: Memory, person: Person, { thing, id }: Row): object[] {
  const entries = memory.past.get(id) ?? [];
  return entries.flatMap((entry, at) => {
    const isMade = entry.action === 'create';
    const before = entries[at - 1]?.values;
    const changes = thing.fields.flatMap((field): Change[] => {
      if (isHidden(memory, person, thing, field.name)) return [];
      return changeOf(field, before, entry.values);
    });
    if (entry.action === 'update' && changes.length === 0) return [];
    const actor = personFor(memory, person, thing, entry.by);
    const isTimed = !isMade || !isHidden(memory, person, thing, 'created_at');
    return [
      {
        action: entry.action,
        at: isTimed ? '*' : null,
        actor,
        change_set: isTimed && actor ? '*' : null,
        changes: changes.toSorted(byField),
      },
    ];
  });
}

function byField(a: Change, b: Change): number {
  return a.field < b.field ? -1 : 1;
}

type Values = Entry['values'];

/** None for what is made of other values. */
function changeOf(field: Field, before: Values | undefined, after: Values): Change[] {
  const { name, type, inputs, counts, above, inverse } = field;
  if (inputs || counts || above !== undefined || inverse !== undefined) return [];
  if (type === 'MANY_TO_MANY')
    return linkChange(name, linksIn(before, name), linksIn(after, name), before === undefined);
  // When a step was entered is not held in memory: it changes with the step.
  const isStamp = name === 'pipeline_step_entered_at';
  const told = (values: Values | undefined) => {
    const { read } = values?.get(isStamp ? 'pipeline_step_id' : name) ?? empty;
    return read;
  };
  const [was, is] = [told(before), told(after)];
  if (before === undefined ? isNothing(is) : JSON.stringify(was) === JSON.stringify(is)) return [];
  const shown = (value: Json) => (isStamp && value !== null ? '*' : value);
  return [{ field: name, before: before === undefined ? null : shown(was), after: shown(is) } as Change];
}

function isNothing(value: Json): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

interface Linked {
  readonly id: string;
  readonly remark: string | null;
}

function linksIn(values: Values | undefined, name: string): Linked[] {
  const { read } = values?.get(name) ?? empty;
  return Array.isArray(read) ? (read as unknown as Linked[]) : [];
}

function linkChange(field: string, before: readonly Linked[], after: readonly Linked[], isMade: boolean): Change[] {
  const [was, is] = [before, after].map((links) => links.map(({ id }) => id)) as [string[], string[]];
  const added = is.filter((id) => !was.includes(id));
  const removed = was.filter((id) => !is.includes(id));
  const changed = after
    .filter(({ id, remark }) => before.some((link) => link.id === id && link.remark !== remark))
    .map(({ id }) => id);
  const staying = (ids: string[], others: string[]) => ids.filter((id) => others.includes(id)).join();
  const isMoved = staying(was, is) !== staying(is, was);
  if (added.length + removed.length + changed.length === 0 && !isMoved) return [];
  const change = {
    field,
    added: isMade ? added : added.toSorted(),
    removed: removed.toSorted(),
    ...(changed.length > 0 && { changed: changed.toSorted() }),
    ...(isMoved && { moved: true }),
  };
  return [change];
}

/** An entry as it is expected: times as `*`, lists in the order of ids, and of what moved only that something did. */
function plainEntry(entry: Record<string, unknown>): Record<string, unknown> {
  const { action, at, actor, change_set, changes } = entry;
  const star = (value: unknown) => (value === null ? null : '*');
  const plain = (changes as (Change & Record<string, Json>)[]).map((change) =>
    plainChange(change, action === 'create'),
  );
  return { action, at: star(at), actor, change_set: star(change_set), changes: plain.toSorted(byField) };
}

function plainChange(change: Change & Record<string, Json>, isMade: boolean): Change {
  const { field, added, removed, changed, moved, before = null, after = null } = change;
  if (added === undefined) {
    const shown = (value: Json) => (field === 'pipeline_step_entered_at' && value !== null ? '*' : value);
    return { field, before: shown(before), after: shown(after) } as Change;
  }
  const sorted = (ids: Json = []) => (ids as string[]).toSorted();
  return {
    field,
    added: isMade ? added : sorted(added),
    removed: sorted(removed),
    ...(changed !== undefined && { changed: sorted(changed) }),
    ...(moved !== undefined && { moved: true }),
  } as Change;
}
