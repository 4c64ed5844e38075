/** Random roles: rules of every kind for rows, `read` and `none` for fields, with entries that override those of `*`. */
import type { Json } from '../../src/lib/json.ts';
import type { FilterCondition, FilterGroup, PermissionEntry, RowRule } from '../../src/model/model.ts';
import type { Random } from '../query/random.ts';
import type { Field, Role, Thing } from './workspace.ts';

export function randomRoles(random: Random, things: readonly Thing[]): Role[] {
  return ['Reader', 'Writer', 'Clerk'].map((name) => ({ name, permissions: randomPermissions(random, things) }));
}

function randomPermissions(random: Random, things: readonly Thing[]): Record<string, PermissionEntry> {
  const [first] = things;
  const common = first?.fields.filter((field) => things.every((thing) => has(thing, field.name))) ?? [];
  const entries: Record<string, PermissionEntry> = {};
  if (random.chance(0.85)) {
    const everywhere = () => randomRule(random, things, { name: '*', displayField: 'name', fields: common }, 0.1);
    entries['*'] = {
      view: everywhere(),
      create: random.chance(0.8),
      update: everywhere(),
      delete: everywhere(),
      ...(random.chance(0.4) && { fields: fieldRules(random, common, 2) }),
    };
  }
  for (const thing of things.filter(() => random.chance(0.7))) {
    const rule = () => randomRule(random, things, thing, 0.5);
    entries[thing.name] = {
      ...(random.chance(0.7) && { view: rule() }),
      ...(random.chance(0.4) && { create: random.chance(0.8) }),
      ...(random.chance(0.7) && { update: rule() }),
      ...(random.chance(0.6) && { delete: rule() }),
      ...(random.chance(0.8) && { fields: fieldRules(random, thing.fields, 5) }),
    };
  }
  return entries;
}

function has(thing: Thing, name: string): boolean {
  return thing.fields.some((field) => field.name === name);
}

/** A PIPELINE is hidden by its own name, or a column of it by the column's. */
function fieldRules(random: Random, fields: readonly Field[], most: number): Record<string, 'read' | 'none'> {
  const names = fields.map((field) => (field.whole && random.chance(0.7) ? field.whole : field.name));
  const telling = random.chance(0.5) ? fields.filter((field) => field.isSearchable).map(({ name }) => name) : [];
  const origin = random.chance(0.4) ? random.some(['owner', 'created_by', 'created_at'], 2) : [];
  const chosen = [
    ...origin,
    ...random.some([...new Set([...names, 'created_at', 'updated_at'])], most),
    ...random.some(telling, 2),
  ];
  return Object.fromEntries(chosen.map((name) => [name, random.pick(['none', 'none', 'read'] as const)]));
}

function randomRule(random: Random, things: readonly Thing[], thing: Thing, asFilter: number): RowRule {
  if (random.chance(asFilter)) return ruleGroup(random, things, thing, 0);
  return random.pick(['all', 'all', 'all', 'own', 'own', 'none'] as const);
}

function ruleGroup(random: Random, things: readonly Thing[], thing: Thing, depth: number): FilterGroup {
  const part = (): FilterGroup | FilterCondition => {
    if (depth < 2 && random.chance(0.25)) return ruleGroup(random, things, thing, depth + 1);
    return ruleCondition(random, things, thing);
  };
  const count = 1 + random.below(3);
  return { type: random.chance(0.35) ? 'AND' : 'OR', conditions: Array.from({ length: count }, part) };
}

function ruleCondition(random: Random, things: readonly Thing[], thing: Thing): FilterCondition {
  const person = thing.fields.filter((field) => field.type === 'USERS');
  if (random.chance(0.25)) return mine(random, random.pick(person).name);
  const [relation] = random.some(thing.fields.filter(leadsToOne), 1);
  const target = relation && things.find((candidate) => candidate.name === relation.targets?.[0]);
  if (relation && target) {
    if (random.chance(0.3)) return mine(random, `${relation.name}.owner`);
    const [field, ...rest] = conditionOn(random, target.fields);
    return condition(`${relation.name}.${field}`, ...rest);
  }
  return condition(...conditionOn(random, thing.fields));
}

export function leadsToOne({ type, inverse }: Field): boolean {
  return (type === 'RELATION' && inverse === undefined) || type === 'DEPENDENT_RELATION';
}

function mine(random: Random, field: string): FilterCondition {
  return random.pick([
    { field, operator: 'equals', value: '$me' },
    { field, operator: 'in', value: ['$me'] },
    { field, operator: 'not_equals', value: '$me' },
  ]);
}

/** Conditions that need no id. */
function conditionOn(random: Random, fields: readonly Field[]): [field: string, operator: string, value: Json] {
  // A rule over a count is over records that the person may not see: in two worlds that differ in those, it differs.
  const told = fields.filter(({ kind, counts, above }) => kind !== 'none' && !counts && above === undefined);
  const field = random.pick(told);
  const nullness: Field['filters'] = [
    ['is_null', null],
    ['is_not_null', null],
  ];
  const [operator, value] = random.pick(field.filters.length > 0 ? field.filters : nullness);
  return [field.name, operator, value];
}

export function condition(field: string, operator: string, value: Json): FilterCondition {
  return { field, operator, ...(value !== null && { value }) };
}
