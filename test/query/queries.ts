/** Random filters, sorts and searches over the world's fields. */
import { operatorNames, valueless, type OperatorName } from '../../src/fields/operators/operator.ts';
import { fieldType } from '../../src/fields/registry.ts';
import type { Json } from '../../src/lib/json.ts';
import type { FilterCondition, FilterGroup } from '../../src/model/model.ts';
import type { SortKey } from '../../src/query/order.ts';
import type { Random } from './random.ts';
import { companyFields, thingFields, users, type FieldSpec, type World } from './world.ts';

const sortable = [
  'name',
  'note',
  'size',
  'amount',
  'price',
  'active',
  'day',
  'moment',
  'color',
  'emails',
  'site',
  'company_id',
  'owner',
  'phase',
  'created_at',
  'id',
];
const stamps: FieldSpec = { name: 'created_at', type: 'DATETIME', kind: 'datetime', pool: ['2026-05-31T12:30:00Z'] };
const ids: FieldSpec = { name: 'id', type: 'ID', kind: 'id', pool: [] };

export function randomGroup(random: Random, world: World, hidden: ReadonlySet<string>, depth = 0): FilterGroup {
  const count = random.below(depth === 0 ? 3 : 4);
  const part = (): FilterGroup | FilterCondition =>
    depth < 3 && random.chance(0.3)
      ? randomGroup(random, world, hidden, depth + 1)
      : randomCondition(random, world, hidden);
  return { type: random.chance(0.5) ? 'AND' : 'OR', conditions: Array.from({ length: count }, part) };
}

export const sortablePaths: readonly string[] = companyFields.map(({ name }) => `company_id.${name}`);

/** `more` are names to sort by beside those of the fields. */
export function randomSort(random: Random, hidden: ReadonlySet<string>, more: readonly string[] = []): SortKey[] {
  const names = random.some(
    [...sortable, ...more].filter((name) => !hidden.has(name)),
    3,
  );
  const fields = names.length === 0 ? ['created_at'] : names;
  return fields.map((field) => ({ field, direction: random.chance(0.5) ? 'asc' : 'desc' }));
}

const searches = [
  'ada',
  'ADA love',
  'strasse',
  'é',
  'naive cafe',
  'acme',
  'needle',
  'hush',
  'x',
  '100%',
  'a_b',
  '日本',
  'λοδ',
  '  ',
  'fine',
];

export function randomSearch(random: Random): string | undefined {
  return random.chance(0.35) ? random.pick(searches) : undefined;
}

function randomCondition(random: Random, world: World, hidden: ReadonlySet<string>): FilterCondition {
  const beyond = random.chance(0.12);
  const specs = beyond ? companyFields : [...thingFields, stamps, ids].filter((field) => !hidden.has(field.name));
  const spec = random.pick(specs);
  const field = beyond ? `company_id.${spec.name}` : spec.name;
  const { operators } = fieldType(spec.type);
  const operator = random.pick(operatorNames.filter((name) => operators[name]));
  if (valueless.has(operator)) return { field, operator };
  return { field, operator, value: wantedFor(random, world, spec, operator) };
}

/** A value that the operator takes on the field, often one that some row has. */
function wantedFor(random: Random, world: World, spec: FieldSpec, operator: OperatorName): Json {
  const one = () => oneValue(random, world, spec, operator);
  if (operator === 'in' || operator === 'not_in')
    return asList(random, Array.from({ length: random.below(4) + 1 }, one));
  if (operator === 'between' || operator === 'date_between') return asList(random, [one(), one()]);
  return one();
}

/** A JSON array, or the same as text with commas. */
function asList(random: Random, values: readonly Json[]): Json {
  if (random.chance(0.5)) return [...values];
  return values.map((value) => `"${String(value).replaceAll('"', '""')}"`).join(',');
}

function oneValue(random: Random, world: World, spec: FieldSpec, operator: OperatorName): Json {
  const partial = ['contains', 'starts_with', 'ends_with', 'ilike'].includes(operator);
  const value = random.pick(valuesOf(random, world, spec));
  if (partial) return partOf(random, String(value), operator);
  if (operator.startsWith('date_')) return String(value).slice(0, 10);
  return spec.kind === 'number' && random.chance(0.3) ? String(value) : value;
}

function valuesOf(random: Random, world: World, spec: FieldSpec): readonly Json[] {
  switch (spec.kind) {
    case 'links':
      return world.companies.map((company) => company.id);
    case 'id':
      if (spec.name === 'id') return world.things.slice(0, 20).map((thing) => thing.id);
      return spec.name === 'owner'
        ? users
        : spec.pool.length > 0
          ? present(spec)
          : world.companies.slice(0, 9).map(({ id }) => id);
    case 'option':
    case 'options':
      return ['red', 'green', 'off_white', 'Deep Red', 'White, off'];
    case 'datetime':
      return [...present(spec), '2026-05-31T00:00:00+02:00'];
    default:
      return spec.type === 'CURRENCY' ? [0, 9.99, 10, 250, 11] : [...present(spec), random.pick(present(spec))];
  }
}

function present(spec: FieldSpec): readonly Json[] {
  return spec.pool.flatMap((value) => (value === null ? [] : value));
}

/** A piece of a text, sometimes in other letters; for a pattern, with wildcards in it. */
function partOf(random: Random, text: string, operator: OperatorName): string {
  const letters = [...text].slice(0, 400);
  const from = operator === 'starts_with' ? 0 : random.below(letters.length + 1);
  const to = operator === 'ends_with' ? letters.length : from + random.below(letters.length - from + 1);
  const piece = letters.slice(from, to).map((letter) => (random.chance(0.1) ? letter.toUpperCase() : letter));
  if (operator !== 'ilike') return piece.join('');
  const pattern = piece.map((letter) =>
    random.chance(0.15) ? random.pick(['_', '%']) : letter.replace(/[\\]/, '\\\\'),
  );
  return `${random.chance(0.7) ? '%' : ''}${pattern.join('')}${random.chance(0.7) ? '%' : ''}`;
}
