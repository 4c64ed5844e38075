/** A workspace held in memory: what each person may see of each record, said in plain JavaScript. */
import type { Json } from '../../src/lib/json.ts';
import type { FilterCondition, FilterGroup, PermissionEntry, RowCondition } from '../../src/model/model.ts';
import type { OperatorName } from '../../src/fields/operators/operator.ts';
import { normalise } from '../../src/fields/search-text.ts';
import { finds, type Subject } from '../fields/oracle.ts';
import type { Client } from '../support/kith.ts';
import type { Conditions } from './conditions.ts';
import { timeZone, type Field, type Role, type Thing, type Workspace } from './workspace.ts';

/** What a field holds, as it is read and as filters see it. */
export interface Value {
  readonly read: Json;
  readonly seen: Json;
}

export interface Row {
  readonly thing: Thing;
  readonly id: string;
  readonly createdAt: string;
  readonly deleted: boolean;
  /** Of every field that is stored. */
  readonly values: ReadonlyMap<string, Value>;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly client: Client;
  /** Undefined for an admin. */
  readonly role: Role | undefined;
}

/** What somebody did to a record, and what it held after that. */
export interface Entry {
  readonly action: 'create' | 'update' | 'delete' | 'restore';
  /** A person's id. */
  readonly by: string;
  readonly values: Row['values'];
}

export interface Memory {
  readonly workspace: Workspace;
  readonly people: readonly Person[];
  /** The one pipeline and its steps: names by id. */
  readonly places: ReadonlyMap<string, string>;
  readonly rows: Map<string, Row>;
  readonly conditions: Conditions;
  /** What was done to each record, oldest first. */
  readonly past: Map<string, readonly Entry[]>;
}

/** Remembers that `person` did this, and what `row` holds since. */
export function note({ past }: Memory, person: Person, action: Entry['action'], row: Row): void {
  past.set(row.id, [...(past.get(row.id) ?? []), { action, by: person.id, values: row.values }]);
}

export const empty: Value = { read: null, seen: null };

export type RowAction = 'view' | 'update' | 'delete';
export type Mode = 'list' | 'detail';

export function thingNamed({ workspace }: Memory, name: string): Thing {
  const found = workspace.things.find((thing) => thing.name === name);
  if (!found) throw new Error(`no object ${name}`);
  return found;
}

function grantedOn<Key extends keyof PermissionEntry>(
  person: Person,
  thing: Thing,
  key: Key,
): PermissionEntry[Key] | undefined {
  return person.role?.permissions[thing.name]?.[key] ?? person.role?.permissions['*']?.[key];
}

export function mayCreate(person: Person, thing: Thing): boolean {
  return person.role === undefined || (grantedOn(person, thing, 'create') ?? false);
}

/** Whether the role admits some rows at all. */
export function mayAny(person: Person, action: RowAction, thing: Thing): boolean {
  return person.role === undefined || (grantedOn(person, thing, action) ?? 'none') !== 'none';
}

function grantedField(person: Person, thing: Thing, name: string): 'read' | 'none' | undefined {
  const own = person.role?.permissions[thing.name]?.fields ?? {};
  return own[name] ?? person.role?.permissions['*']?.fields?.[name];
}

/** A computed field is hidden with any of its inputs, a column with its whole, a look back with the relation. */
export function isHidden(memory: Memory, person: Person, thing: Thing, name: string): boolean {
  if (name === 'id') return false;
  if (grantedField(person, thing, name) === 'none') return true;
  const field = fieldOf(thing, name);
  const { whole, inputs = [], inverse, targets = [], counts, above } = field ?? {};
  if (counts) return isHidden(memory, person, thingNamed(memory, counts.object), counts.inverse);
  if (above !== undefined) return isHidden(memory, person, thing, above);
  if (inverse !== undefined) return isHidden(memory, person, thingNamed(memory, targets[0] ?? ''), inverse);
  return [...inputs, ...(whole === undefined ? [] : [whole])].some((input) => isHidden(memory, person, thing, input));
}

export function mayWrite(memory: Memory, person: Person, thing: Thing, field: Field): boolean {
  if (isHidden(memory, person, thing, field.name)) return false;
  return [field.name, field.whole ?? field.name].every((name) => grantedField(person, thing, name) !== 'read');
}

export function fieldOf(thing: Thing, name: string): Field | undefined {
  return thing.fields.find((field) => field.name === name);
}

const stamp: Field = { name: 'created_at', type: 'DATETIME', kind: 'datetime', options: [], values: [], filters: [] };

/** The field that a filter or a sort names. */
export function subjectOf(thing: Thing, name: string): Field {
  const found = findSubject(thing, name);
  if (!found) throw new Error(`no field ${name} on ${thing.name}`);
  return found;
}

function findSubject(thing: Thing, name: string): Field | undefined {
  if (name === 'id') return { ...stamp, name, type: 'ID', kind: 'id' };
  if (name === 'created_at' || name === 'updated_at') return { ...stamp, name };
  return fieldOf(thing, name === 'phase' ? 'pipeline_step_id' : name);
}

/** In whose eyes records are counted: a role's rule counts all that there are for the person. */
export interface View {
  readonly memory: Memory;
  readonly person: Person;
  readonly isRule?: true;
}

/** What filters see; of what is counted, only where it is said in whose eyes. */
export function seenOf(row: Row, name: string, view?: View): Json {
  if (name === 'id') return row.id;
  if (name === 'created_at') return row.createdAt;
  const field = subjectOf(row.thing, name);
  if (field.counts) return countOf(row, field.counts, view);
  if (field.above !== undefined) return Number(seenOf(row, field.above, view)) > 1;
  if (!field.inputs) return row.values.get(field.name)?.seen ?? null;
  const parts = field.inputs.flatMap((input) => seenOf(row, input) || []);
  return parts.length === 0 ? null : parts.join(' ');
}

function countOf({ id }: Row, { object, inverse }: { object: string; inverse: string }, view?: View): number {
  if (!view) throw new Error('counted for nobody');
  const { memory, person, isRule } = view;
  const kids = [...memory.rows.values()].filter((kid) => kid.thing.name === object && seenOf(kid, inverse) === id);
  return kids.filter((kid) => (isRule ? !kid.deleted && meets(view, kid) : isVisible(memory, person, kid))).length;
}

type Follow = (id: Json) => Row | undefined;

function matches(group: FilterGroup, row: Row, view: View, follow: Follow): boolean {
  const holds = (part: FilterGroup | FilterCondition) =>
    'conditions' in part ? matches(part, row, view, follow) : holdsOne(part, row, view, follow);
  return group.type === 'AND' ? group.conditions.every(holds) : group.conditions.some(holds);
}

/** A rule of `*` may speak of a field that this object does not have: that holds for none of its records. */
function holdsOne({ field, operator, value = null }: FilterCondition, row: Row, view: View, follow: Follow): boolean {
  const [name = '', path] = field.split('.');
  const own = findSubject(row.thing, name);
  const target = own?.targets?.[0];
  const beyond =
    path === undefined || target === undefined ? undefined : findSubject(thingNamed(view.memory, target), path);
  const subject = path === undefined ? own : beyond;
  if (!subject) return false;
  const there = path === undefined ? row : follow(seenOf(row, name));
  const seen = there ? seenOf(there, subject.name, view) : null;
  return finds(asSubject(subject), operator as OperatorName, seen, asPlain(value), timeZone, 0);
}

export function asSubject({ kind, options, key }: Field): Subject {
  // Links are seen as their ids.
  return { kind: kind === 'links' ? 'id' : kind, options, key };
}

/** Whole numbers of any length as floats: exact enough here. */
function asPlain(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** Whether a rule of the role admits the row, in the trash or not. */
export function admits(memory: Memory, person: Person, action: RowAction, row: Row): boolean {
  if (!meets({ memory, person }, row)) return false;
  if (person.role === undefined) return true;
  const rule = grantedOn(person, row.thing, action) ?? 'none';
  if (rule === 'own') return ['owner', 'created_by'].some((name) => seenOf(row, name) === person.id);
  if (typeof rule === 'string') return rule === 'all';
  const view: View = { memory, person, isRule: true };
  return matches(inNameOf(person, rule), row, view, followInRule(view));
}

function inNameOf<Rule extends FilterGroup | RowCondition>(person: Person, rule: Rule): Rule {
  return JSON.parse(JSON.stringify(rule).replaceAll('"$me"', JSON.stringify(person.id))) as Rule;
}

/** What a rule's path leads to: any record that is there for the person. */
function followInRule(view: View): Follow {
  return (id) => {
    const found = view.memory.rows.get(String(id));
    return found && !found.deleted && meets(view, found) ? found : undefined;
  };
}

/** Whether the object's own condition admits the row, whatever the role. No rule looks at what the person sees. */
function meets(view: View, row: Row): boolean {
  const { memory, person, isRule } = view;
  const condition = memory.conditions.get(row.thing.name);
  if (!condition) return true;
  const inRule: View = { memory, person, isRule: true };
  const holds = ({ type, conditions }: RowCondition): boolean => {
    const test = (part: RowCondition['conditions'][number]) => {
      if ('conditions' in part) return holds(part);
      if (!('sees' in part)) return holdsOne(part, row, inRule, followInRule(inRule));
      return !isRule && [seenOf(row, part.sees)].flat().some((id) => visibleRow(memory, person, id) !== undefined);
    };
    return type === 'AND' ? conditions.every(test) : conditions.some(test);
  };
  return holds(inNameOf(person, condition));
}

export function isVisible(memory: Memory, person: Person, row: Row): boolean {
  return !row.deleted && admits(memory, person, 'view', row);
}

/** The record of that id, if the person may see it. */
export function visibleRow(memory: Memory, person: Person, id: Json): Row | undefined {
  const found = memory.rows.get(String(id));
  return found && isVisible(memory, person, found) ? found : undefined;
}

/** Whether a filter of the person's own finds the row: its paths lead only to what the person may see. */
export function callersMatch(memory: Memory, person: Person, group: FilterGroup, row: Row): boolean {
  return matches(group, row, { memory, person }, (id) => visibleRow(memory, person, id));
}

export function searchFinds(memory: Memory, person: Person, query: string, row: Row): boolean {
  const words = normalise(query)
    .split(' ')
    .filter((word) => word !== '');
  const fields = row.thing.fields.filter(
    (field) => field.isSearchable && !isHidden(memory, person, row.thing, field.name),
  );
  const texts = fields.map((field) => normalise(textsOf(field, seenOf(row, field.name)).join(' ')).slice(0, 2_000));
  return words.every((word) => texts.some((text) => text.includes(word)));
}

function textsOf({ key }: Field, seen: Json): string[] {
  const items = Array.isArray(seen) ? seen : seen === null ? [] : [seen];
  return items.map((item) => String(key && typeof item === 'object' ? (item as Record<string, Json>)[key] : item));
}

/** The text by which the person knows the record, or null. */
function displayOf(memory: Memory, person: Person, id: Json): Json {
  const row = visibleRow(memory, person, id);
  if (!row || isHidden(memory, person, row.thing, row.thing.displayField)) return null;
  return seenOf(row, row.thing.displayField);
}

/** The record as the person reads it; times are `*`. */
export function shown(memory: Memory, person: Person, row: Row, mode: Mode): Record<string, Json> {
  const { thing } = row;
  const fields = thing.fields.filter(
    (field) => !isHidden(memory, person, thing, field.name) && (mode === 'detail' || field.inverse === undefined),
  );
  const stamps = ['created_at', 'updated_at'].filter((name) => !isHidden(memory, person, thing, name));
  return {
    id: row.id,
    ...Object.fromEntries(fields.flatMap((field) => entriesOf(memory, person, row, field))),
    ...Object.fromEntries(stamps.map((name) => [name, '*'])),
  };
}

/** The keys that a field becomes. */
export function entriesOf(memory: Memory, person: Person, row: Row, field: Field): [string, Json][] {
  const { read, seen } = row.values.get(field.name) ?? empty;
  const display = (label: Json): [string, Json][] => [
    [field.name, read],
    [`${field.name}_display`, seen === null ? null : label],
  ];
  if (field.inverse !== undefined) return [[field.name, kidsOf(memory, person, row, field)]];
  if (field.inputs || field.counts || field.above !== undefined) {
    return [[field.name, seenOf(row, field.name, { memory, person })]];
  }
  switch (field.type) {
    case 'RELATION':
    case 'DEPENDENT_RELATION':
    case 'MORPH_RELATION':
      return display(displayOf(memory, person, seen));
    case 'USERS':
      return display(memory.people.find(({ id }) => id === seen)?.name ?? null);
    case 'PIPELINE_ID':
    case 'PIPELINE_STEP_ID':
      return display(memory.places.get(String(seen)) ?? null);
    case 'MANY_TO_MANY': {
      const links = Array.isArray(read) ? read : [];
      return [[field.name, links.map((link) => withDisplay(memory, person, link))]];
    }
    default:
      return [[field.name, field.whole === undefined ? read : read === null ? null : '*']];
  }
}

function withDisplay(memory: Memory, person: Person, link: Json): Json {
  const { id = null, remark = null } = link as Record<string, Json>;
  return { id, remark, display: displayOf(memory, person, id) };
}

/** The newest 100 that lead here. */
function kidsOf(memory: Memory, person: Person, row: Row, { targets = [], inverse = '' }: Field): Json {
  const kids = [...memory.rows.values()].filter(
    (kid) => kid.thing.name === targets[0] && seenOf(kid, inverse) === row.id && isVisible(memory, person, kid),
  );
  const newest = kids.toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? 1 : -1)).slice(0, 100);
  return newest.map(({ id }) => ({ id, display: displayOf(memory, person, id) }));
}
