/** What a write must answer, and what it leaves: said without SQL. */
import type { Json } from '../../src/lib/json.ts';
import type { SampleValue } from '../fields/samples/sample.ts';
import {
  admits,
  empty,
  entriesOf,
  fieldOf,
  isHidden,
  isVisible,
  mayAny,
  mayCreate,
  mayWrite,
  seenOf,
  visibleRow,
  type Memory,
  type Person,
  type Row,
  type Value,
} from './memory.ts';
import { steps, type Field, type Thing } from './workspace.ts';

/** One key of a body. `value` is what it means; absent for what no field takes. */
export interface Given {
  readonly name: string;
  readonly written: Json;
  readonly value?: Value;
}

/** Every code that the answer may have; when there is none, `next` is the row that is left. */
export interface Verdict {
  readonly codes: ReadonlySet<string>;
  readonly next: Row | undefined;
}

function refused(...codes: readonly string[]): Verdict {
  return { codes: new Set(codes), next: undefined };
}

export function meaningOf({ read, seen }: SampleValue): Value {
  const value = JSON.parse(read) as Json;
  return { read: value, seen: seen === undefined ? (isEmptyList(value) ? null : value) : seen };
}

function isEmptyList(value: Json): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** What a field holds when it was given nothing. */
export function nothingIn({ type }: Field): Value {
  return ['MULTI_SELECT', 'EMAILS', 'PHONES', 'MANY_TO_MANY'].includes(type) ? { read: [], seen: null } : empty;
}

export function judgeCreate(memory: Memory, person: Person, thing: Thing, body: readonly Given[]): Verdict {
  if (!mayCreate(person, thing)) return refused('PERMISSION_DENIED');
  const codes = keyProblems(memory, person, thing, body);
  const values = new Map<string, Value>();
  for (const field of thing.fields) values.set(field.name, startOf(memory, person, field));
  for (const { name, value } of body) if (value) values.set(name, value);
  const missing = thing.fields.some((field) => field.isRequired && isBlank(values.get(field.name)));
  if (missing) codes.add('VALIDATION_ERROR');
  const next: Row = { thing, id: '', createdAt: '', deleted: false, values };
  addBrokenReferences(memory, person, next, body, undefined, codes);
  return settled(memory, next, codes);
}

function startOf(memory: Memory, person: Person, field: Field): Value {
  if (field.name === 'owner' || field.name === 'created_by') return { read: person.id, seen: person.id };
  if (field.type === 'PIPELINE_ID' || field.type === 'PIPELINE_STEP_ID') {
    const id = placeNamed(memory, field.type === 'PIPELINE_ID' ? 'Way' : (steps[0] ?? ''));
    return { read: id, seen: id };
  }
  if (field.whole !== undefined) return { read: '*', seen: null };
  return field.defaultValue ? meaningOf(field.defaultValue) : nothingIn(field);
}

export function placeNamed({ places }: Memory, name: string): string {
  const found = [...places].find(([, known]) => known === name);
  if (!found) throw new Error(`no step ${name}`);
  return found[0];
}

function isBlank(value: Value | undefined): boolean {
  return value === undefined || value.read === null || value.read === '' || isEmptyList(value.read);
}

/** What is wrong with the keys, whatever record they are for. */
function keyProblems(memory: Memory, person: Person, thing: Thing, body: readonly Given[]): Set<string> {
  const codes = new Set<string>();
  for (const { name, value } of body) {
    const field = fieldOf(thing, name);
    if (!field || field.isReadonly || isHidden(memory, person, thing, name)) codes.add('VALIDATION_ERROR');
    else if (!mayWrite(memory, person, thing, field)) codes.add('PERMISSION_DENIED');
    else if (!value || (field.isRequired && isBlank(value))) codes.add('VALIDATION_ERROR');
  }
  return codes;
}

export function judgeUpdate(memory: Memory, person: Person, was: Row, body: readonly Given[]): Verdict {
  const { thing } = was;
  if (!mayAny(person, 'view', thing)) return refused('PERMISSION_DENIED');
  const seen = isVisible(memory, person, was);
  const unwritable = body.filter(({ name }) => isUnwritable(memory, person, thing, name));
  if (unwritable.length > 0) {
    if (!seen) return refused('RECORD_NOT_FOUND');
    if (!unwritable.every((given) => repeats(memory, person, was, given))) return refused('VALIDATION_ERROR');
  }
  const changes = body.filter((given) => !unwritable.includes(given));
  const codes = keyProblems(memory, person, thing, changes);
  if (!seen) return refused('RECORD_NOT_FOUND', ...codes);
  const values = new Map(was.values);
  for (const { name, value } of changes) if (value) values.set(name, value);
  clearMisfits(memory, person, was, values, changes);
  const next: Row = { ...was, values };
  if (!admits(memory, person, 'update', was) || !admits(memory, person, 'update', next)) codes.add('PERMISSION_DENIED');
  addBrokenReferences(memory, person, next, changes, was, codes);
  return settled(memory, next, codes);
}

function isUnwritable(memory: Memory, person: Person, thing: Thing, name: string): boolean {
  const field = fieldOf(thing, name);
  return !field || field.isReadonly === true || isHidden(memory, person, thing, name);
}

/** What was read may be written back. */
function repeats(memory: Memory, person: Person, was: Row, { name, written }: Given): boolean {
  const field = fieldOf(was.thing, name);
  if (!field || isHidden(memory, person, was.thing, name)) return false;
  return JSON.stringify(entriesOf(memory, person, was, field)[0]?.[1]) === JSON.stringify(written);
}

/** A parent that changes clears the child that no longer fits. */
function clearMisfits(
  memory: Memory,
  person: Person,
  was: Row,
  values: Map<string, Value>,
  body: readonly Given[],
): void {
  for (const { name, dependsOn } of was.thing.fields) {
    if (!dependsOn || body.some((given) => given.name === name)) continue;
    const parent = values.get(dependsOn.parent)?.seen ?? null;
    if (
      parent !== seenOf(was, dependsOn.parent) &&
      !fits(memory, person, was.thing, dependsOn, values.get(name)?.seen ?? null, parent)
    )
      values.set(name, empty);
  }
}

/** As far as the person sees what decides it. */
function fits(
  memory: Memory,
  person: Person,
  thing: Thing,
  dependsOn: NonNullable<Field['dependsOn']>,
  child: Json,
  parent: Json,
): boolean {
  const target = visibleRow(memory, person, child);
  if (!target || parent === null || isHidden(memory, person, thing, dependsOn.parent)) return false;
  return !isHidden(memory, person, target.thing, dependsOn.link) && seenOf(target, dependsOn.link) === parent;
}

function addBrokenReferences(
  memory: Memory,
  person: Person,
  next: Row,
  body: readonly Given[],
  was: Row | undefined,
  codes: Set<string>,
): void {
  for (const { name, value } of body) {
    const field = fieldOf(next.thing, name);
    if (!field?.targets || !value) continue;
    const before = was && idsIn(was.values.get(name));
    const fresh = idsIn(value).filter((id) => !before?.includes(id));
    if (!fresh.every((id) => isThere(memory, person, field, id))) codes.add('VALIDATION_ERROR');
    const { dependsOn } = field;
    const [child] = idsIn(value);
    if (!dependsOn || child === undefined) continue;
    const parent = seenOf(next, dependsOn.parent);
    const same = was && seenOf(was, name) === child && seenOf(was, dependsOn.parent) === parent;
    if (!same && !fits(memory, person, next.thing, dependsOn, child, parent)) codes.add('VALIDATION_ERROR');
  }
}

function idsIn(value: Value | undefined): string[] {
  const seen = value?.seen ?? null;
  return (Array.isArray(seen) ? seen : seen === null ? [] : [seen]).map(String);
}

function isThere(memory: Memory, person: Person, field: Field, id: string): boolean {
  if (field.type === 'USERS') return memory.people.some((known) => known.id === id);
  const row = visibleRow(memory, person, id);
  return row !== undefined && field.targets?.includes(row.thing.name) === true;
}

function settled(memory: Memory, next: Row, codes: Set<string>): Verdict {
  if (codes.size === 0 && isTaken(memory, next)) codes.add('DUPLICATE_RECORD');
  return { codes, next: codes.size === 0 ? next : undefined };
}

function isTaken({ rows }: Memory, next: Row): boolean {
  return next.thing.fields.some((field) => {
    const key = field.isUnique ? seenOf(next, field.name) : null;
    if (key === null) return false;
    return rows
      .values()
      .some((row) => row.thing === next.thing && row.id !== next.id && !row.deleted && seenOf(row, field.name) === key);
  });
}

export function judgeDelete(memory: Memory, person: Person, row: Row): Verdict {
  if (!mayAny(person, 'view', row.thing)) return refused('PERMISSION_DENIED');
  if (!isVisible(memory, person, row)) return refused('RECORD_NOT_FOUND');
  if (!admits(memory, person, 'delete', row)) return refused('PERMISSION_DENIED');
  return { codes: new Set(), next: { ...row, deleted: true } };
}

export function judgeRestore(memory: Memory, person: Person, row: Row): Verdict {
  if (!mayAny(person, 'view', row.thing)) return refused('PERMISSION_DENIED');
  if (!row.deleted || !admits(memory, person, 'view', row)) return refused('RECORD_NOT_FOUND');
  if (!admits(memory, person, 'delete', row)) return refused('PERMISSION_DENIED');
  return settled(memory, { ...row, deleted: false }, new Set());
}
