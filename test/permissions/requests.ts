/** Random requests: bodies of writes, and lists with filters, sorts, searches and chosen fields. */
import { newId } from '../../src/lib/id.ts';
import type { Json } from '../../src/lib/json.ts';
import type { FilterCondition, FilterGroup } from '../../src/model/model.ts';
import type { Random } from '../query/random.ts';
import { meaningOf, nothingIn, placeNamed, type Given } from './judge.ts';
import {
  entriesOf,
  isHidden,
  mayAny,
  mayWrite,
  seenOf,
  subjectOf,
  thingNamed,
  type Memory,
  type Person,
  type Row,
} from './memory.ts';
import { condition, leadsToOne } from './roles.ts';
import { steps, type Field, type Thing } from './workspace.ts';

export interface SortKey {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

export interface ListRequest {
  readonly filters?: FilterGroup;
  readonly search?: string;
  readonly sort?: readonly SortKey[];
  readonly fields?: readonly string[];
  readonly limit: number;
}

/** The keys of a create, or of an update of `was`. Most of them are the person's to write. */
export function randomBody(random: Random, memory: Memory, person: Person, thing: Thing, was?: Row): Given[] {
  const stored = thing.fields.filter((field) => !field.isReadonly);
  const own = stored.filter((field) => mayWrite(memory, person, thing, field) && field.type !== 'PIPELINE_ID');
  const chosen = new Set(random.some(own, 6));
  const name = own.find((field) => field.name === 'name');
  if (!was && name && random.chance(0.9)) chosen.add(name);
  // Most of what can leak leaks along relations.
  for (const field of own) if (field.targets && random.chance(was ? 0.2 : 0.6)) chosen.add(field);
  if (random.chance(0.08)) chosen.add(random.pick(thing.fields.filter(({ type }) => type !== 'PIPELINE_ID')));
  const body = [...chosen].map((field) => givenFor(random, memory, person, thing, field, was));
  return random.chance(0.02) ? [...body, { name: 'nonsense', written: 1 }] : body;
}

function givenFor(random: Random, memory: Memory, person: Person, thing: Thing, field: Field, was?: Row): Given {
  const { name } = field;
  if (field.isReadonly) {
    const [, stored = null] = (was && entriesOf(memory, person, was, field)[0]) ?? [];
    // When a step was entered is not held in memory.
    return { name, written: field.whole === undefined && random.chance(0.7) ? stored : 'other' };
  }
  if (field.type === 'PIPELINE_STEP_ID') return placed(name, placeNamed(memory, random.pick(steps)), random, memory);
  if (field.targets) return { name, ...reference(random, memory, thing, field, was) };
  if (random.chance(0.03)) return { name, written: [[['nonsense']]] };
  const value = random.pick(field.values);
  return { name, written: value.written, value: meaningOf(value) };
}

function placed(name: string, id: string, random: Random, { places }: Memory): Given {
  return { name, written: random.chance(0.5) ? id : (places.get(id) ?? id), value: { read: id, seen: id } };
}

function reference(random: Random, memory: Memory, thing: Thing, field: Field, was?: Row): Omit<Given, 'name'> {
  const ids = candidates(random, memory, field, was);
  if (field.type === 'MANY_TO_MANY') {
    const links = random.some(ids, 3).map((id) => ({ id, remark: random.pick([null, 'first', 'Anna']) }));
    const seen = links.length === 0 ? null : links.map(({ id }) => id);
    return { written: links, value: { read: links, seen } };
  }
  if (ids.length === 0 || random.chance(0.15)) return { written: null, value: nothingIn(field) };
  const id = random.pick(ids);
  if (field.type !== 'MORPH_RELATION') return { written: id, value: { read: id, seen: id } };
  const read = { object: memory.rows.get(id)?.thing.name ?? thing.name, id };
  return field.targets?.includes(read.object) ? { written: read, value: { read, seen: id } } : { written: read };
}

/** Mostly what may be pointed at; now and then nobody's id. Never the record itself. */
function candidates(random: Random, memory: Memory, field: Field, was?: Row): string[] {
  if (random.chance(0.03)) return [newId()];
  if (field.type === 'USERS') return memory.people.map(({ id }) => id);
  const rows = [...memory.rows.values()].filter(
    ({ thing, id, deleted }) =>
      field.targets?.includes(thing.name) && id !== was?.id && (!deleted || random.chance(0.1)),
  );
  const parent = was && field.dependsOn && seenOf(was, field.dependsOn.parent);
  const fitting = parent ? rows.filter((row) => seenOf(row, field.dependsOn?.link ?? '') === parent) : [];
  return (fitting.length > 0 && random.chance(0.8) ? fitting : rows).map(({ id }) => id);
}

/** `hidden`: a field that the person may not see is named somewhere. */
export function randomList(
  random: Random,
  memory: Memory,
  person: Person,
  thing: Thing,
): { request: ListRequest; hidden: boolean } {
  const names = namesOf(thing);
  const visible = names.filter((name) => !isHiddenName(memory, person, thing, name));
  const pool = random.chance(0.07) ? names : visible;
  const filters = random.chance(0.6) ? randomGroup(random, memory, person, thing, pool, 0) : undefined;
  const sorts = pool.filter((name) => !['options', 'links', 'none'].includes(subjectOf(thing, name).kind));
  const sort = random.chance(0.6) ? randomSort(random, sorts) : undefined;
  const search = random.chance(0.25)
    ? random.pick(['anna', 'ZOE', 'smith', '100%', 'a_b', '山', 'c-', 'e'])
    : undefined;
  const listed = pool.filter(
    (name) => name !== 'phase' && thing.fields.every((field) => field.name !== name || !field.inverse),
  );
  const fields = random.chance(0.3)
    ? [...random.some(listed, 4), ...relatedName(random, memory, person, thing)]
    : undefined;
  const used = [
    ...namesInGroup(filters).filter((name) => !name.includes('.')),
    ...(sort ?? []).map(({ field }) => field),
    ...(fields ?? []).filter((name) => !name.includes('.')),
  ];
  return {
    request: {
      ...(filters && { filters }),
      ...(sort && { sort }),
      ...(search !== undefined && { search }),
      ...(fields && fields.length > 0 && { fields }),
      limit: random.pick([1, 2, 3, 7, 20, 100]),
    },
    hidden: used.some((name) => isHiddenName(memory, person, thing, name)),
  };
}

/** Whatever filters can name. */
function namesOf(thing: Thing): string[] {
  const own = thing.fields.filter(({ kind }) => kind !== 'none').map(({ name }) => name);
  return ['id', ...own, ...(thing.fields.some(({ whole }) => whole) ? ['phase'] : []), 'created_at'];
}

function isHiddenName(memory: Memory, person: Person, thing: Thing, name: string): boolean {
  if (isHidden(memory, person, thing, name)) return true;
  return name === 'phase' && isHidden(memory, person, thing, 'pipeline_step_id');
}

function relatedName(random: Random, memory: Memory, person: Person, thing: Thing): string[] {
  const [relation] = visibleRelations(memory, person, thing);
  if (!relation || random.chance(0.5)) return [];
  const target = thingNamed(memory, relation.targets?.[0] ?? '');
  const path = random.pick(['name', 'code', 'summary']);
  return isHidden(memory, person, target, path) ? [] : [`${relation.name}.${path}`];
}

/** Relations that a path of the person's may go through. */
function visibleRelations(memory: Memory, person: Person, thing: Thing): Field[] {
  return thing.fields.filter(
    (field) =>
      leadsToOne(field) &&
      !isHidden(memory, person, thing, field.name) &&
      mayAny(person, 'view', thingNamed(memory, field.targets?.[0] ?? '')),
  );
}

function randomSort(random: Random, names: readonly string[]): SortKey[] | undefined {
  const keys = random.some(names, 3).map((field) => ({ field, direction: random.pick(['asc', 'desc'] as const) }));
  return keys.length === 0 ? undefined : keys;
}

function randomGroup(
  random: Random,
  memory: Memory,
  person: Person,
  thing: Thing,
  names: readonly string[],
  depth: number,
): FilterGroup {
  const part = (): FilterGroup | FilterCondition =>
    depth < 2 && random.chance(0.25)
      ? randomGroup(random, memory, person, thing, names, depth + 1)
      : randomCondition(random, memory, person, thing, names);
  const type = random.chance(0.4) ? 'AND' : 'OR';
  return { type, conditions: Array.from({ length: random.below(3) + (depth > 0 ? 0 : 1) }, part) };
}

function randomCondition(
  random: Random,
  memory: Memory,
  person: Person,
  thing: Thing,
  names: readonly string[],
): FilterCondition {
  const [relation] = random.chance(0.4) ? random.some(visibleRelations(memory, person, thing), 1) : [];
  if (!relation) {
    const name = random.pick(names);
    return condition(name, ...wantedFor(random, memory, subjectOf(thing, name)));
  }
  const target = thingNamed(memory, relation.targets?.[0] ?? '');
  const name = random.pick(namesOf(target).filter((known) => !isHiddenName(memory, person, target, known)));
  return condition(`${relation.name}.${name}`, ...wantedFor(random, memory, subjectOf(target, name)));
}

function wantedFor(random: Random, memory: Memory, field: Field): readonly [operator: string, value: Json] {
  if (field.filters.length > 0) return random.pick(field.filters);
  if (field.kind === 'datetime')
    return [random.pick(['greater_than', 'date_after', 'is_null', 'less_equal']), moment(random, memory)];
  const ids = idsFor(memory, field);
  const id = ids.length === 0 ? newId() : random.pick(ids);
  return random.pick([
    ['equals', id],
    ['not_equals', id],
    ['in', [id, ...random.some(ids, 4)]],
    ['not_in', random.some(ids, 4).join(',') || id],
    ['is_null', null],
    ['is_not_null', null],
    ['is_empty', null],
  ] as const satisfies readonly (readonly [string, Json])[]);
}

function moment(random: Random, { rows }: Memory): string {
  return random.pick([...rows.values()]).createdAt;
}

function idsFor(memory: Memory, { type, targets = [] }: Field): string[] {
  if (type === 'USERS') return memory.people.map(({ id }) => id);
  if (type === 'PIPELINE_ID' || type === 'PIPELINE_STEP_ID') return [...memory.places.keys()];
  const rows = [...memory.rows.values()];
  return rows.filter(({ thing }) => type === 'ID' || targets.includes(thing.name)).map(({ id }) => id);
}

function namesInGroup(group: FilterGroup | undefined): string[] {
  return (group?.conditions ?? []).flatMap((part) => ('conditions' in part ? namesInGroup(part) : [part.field]));
}
