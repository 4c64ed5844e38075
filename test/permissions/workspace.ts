/** Random workspaces: objects with fields of every type that is stored, relations of every kind, and roles over them. */
import type { FieldTypeName, Option } from '../../src/fields/field-def.ts';
import type { OperandKind } from '../../src/fields/operators/operator.ts';
import { Digits, type Json } from '../../src/lib/json.ts';
import type { PermissionEntry } from '../../src/model/model.ts';
import { choiceSamples } from '../fields/samples/choices.ts';
import { numberSamples } from '../fields/samples/numbers.ts';
import type { Sample, SampleValue } from '../fields/samples/sample.ts';
import { textSamples } from '../fields/samples/texts.ts';
import { timeSamples } from '../fields/samples/times.ts';
import type { Random } from '../query/random.ts';
import { randomRoles } from './roles.ts';

export interface Field {
  readonly name: string;
  readonly type: FieldTypeName;
  readonly kind: OperandKind;
  readonly key?: 'email' | 'phone';
  readonly options: readonly Option[];
  /** What it may be given, for types that point at nothing. */
  readonly values: readonly SampleValue[];
  readonly filters: Sample['filters'];
  readonly isSearchable?: boolean;
  readonly isRequired?: boolean;
  readonly isUnique?: boolean;
  /** Never written: CALCULATED, ROLLUP, HAS_MANY, created_by. */
  readonly isReadonly?: boolean;
  readonly defaultValue?: SampleValue;
  /** The objects that it points to. */
  readonly targets?: readonly string[];
  /** DEPENDENT_RELATION: the parent, and the target's own relation to the parent's object. */
  readonly dependsOn?: { readonly parent: string; readonly link: string };
  /** HAS_MANY: the relation that leads back. */
  readonly inverse?: string;
  /** CALCULATED: the fields that it is made of, joined by spaces. */
  readonly inputs?: readonly string[];
  /** ROLLUP: counts the records of `object` whose relation `inverse` leads here. */
  readonly counts?: { readonly object: string; readonly inverse: string };
  /** CALCULATED: whether that count is above one. */
  readonly above?: string;
  /** The PIPELINE that it is a part of. */
  readonly whole?: string;
}

export interface Thing {
  readonly name: string;
  readonly displayField: string;
  /** What a record shows, in order, between `id` and the stamps. */
  readonly fields: readonly Field[];
}

export interface Role {
  readonly name: string;
  readonly permissions: Readonly<Record<string, PermissionEntry>>;
}

export interface Workspace {
  readonly things: readonly Thing[];
  readonly roles: readonly Role[];
  readonly manifest: object;
}

export const steps = ['Scoping', 'Build', 'Won'];
export const timeZone = 'Europe/Berlin';

const names = ['planets', 'ships', 'crews', 'cargoes'];
const plain: readonly Sample[] = [...textSamples, ...numberSamples, ...timeSamples, ...choiceSamples];
const searchableTypes: readonly FieldTypeName[] = ['TEXT', 'LONG_TEXT', 'RICH_TEXT', 'URL', 'EMAIL', 'EMAILS'];

export function randomWorkspace(random: Random): Workspace {
  const used = names.slice(0, 2 + random.below(3));
  const relations = new Map(used.map((name) => [name, randomRelations(random, used)]));
  const things = used.map((name, index) => randomThing(random, name, index === 0, used, relations));
  const roles = randomRoles(random, things);
  return { things, roles, manifest: manifestOf(things, roles) };
}

/** How filters see a type. */
function kindOf(type: FieldTypeName): Pick<Field, 'kind' | 'key'> {
  if (numberSamples.some((sample) => sample.field.type === type)) return { kind: 'number' };
  if (type === 'EMAILS') return { kind: 'values', key: 'email' };
  if (type === 'PHONES') return { kind: 'values', key: 'phone' };
  const kinds: Partial<Record<FieldTypeName, OperandKind>> = {
    BOOLEAN: 'boolean',
    DATE: 'date',
    DATE_RANGE: 'date',
    DATETIME: 'datetime',
    SELECT: 'option',
    MULTI_SELECT: 'options',
  };
  return { kind: kinds[type] ?? 'text' };
}

/** Values that a float carries and filters that say the same at any time. */
function sampled(sample: Sample, name: string, more: Partial<Field> = {}): Field {
  const { type, options } = sample.field;
  return {
    name,
    type,
    ...kindOf(type),
    options: options ?? [],
    values: sample.values.filter(({ written }) => !hasDigits(written)),
    filters: sample.filters.filter(([operator]) => !/^date_(today|this)/.test(operator)),
    ...more,
  };
}

function hasDigits(value: Json): boolean {
  if (value instanceof Digits) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasDigits);
}

function sampleOf(type: FieldTypeName): Sample {
  const found = plain.find((sample) => sample.field.type === type);
  if (!found) throw new Error(`no sample of ${type}`);
  return found;
}

function text(value: string): SampleValue {
  return { written: value, read: JSON.stringify(value), cell: value };
}

function randomRelations(random: Random, used: readonly string[]): Field[] {
  const relation = (name: string): Field => reference(name, 'RELATION', [random.pick(used)]);
  return [
    ...(random.chance(0.9) ? [relation('parent_id')] : []),
    ...(random.chance(0.5) ? [relation('second_id')] : []),
  ];
}

function reference(name: string, type: FieldTypeName, targets: readonly string[], more: Partial<Field> = {}): Field {
  return {
    name,
    type,
    kind: 'id',
    options: [],
    values: [],
    filters: [],
    ...(targets.length > 0 && { targets }),
    ...more,
  };
}

function randomThing(
  random: Random,
  name: string,
  hasPipeline: boolean,
  used: readonly string[],
  relations: ReadonlyMap<string, readonly Field[]>,
): Thing {
  const own = relations.get(name) ?? [];
  const letters = ['Anna', 'anna', 'Zoé', 'Smith, John', '100%', 'a_b', '山田', 'x'].map(text);
  const texts = sampleOf('TEXT');
  const fields: Field[] = [
    sampled(texts, 'name', { values: letters, isSearchable: true, isRequired: random.chance(0.5) }),
    sampled(texts, 'code', { values: Array.from({ length: 60 }, (_, at) => text(`c-${at}`)), isUnique: true }),
    ...random.some(plain, 8).map((sample) => randomField(random, sample)),
    ...own,
    ...dependent(random, own, used, relations),
    ...(random.chance(0.6) ? [reference('peers', 'MANY_TO_MANY', [random.pick(used)], { kind: 'links' })] : []),
    ...(random.chance(0.5) ? [reference('about', 'MORPH_RELATION', used.slice(0, 1 + random.below(used.length)))] : []),
    ...(random.chance(0.9) ? children(random, name, relations) : []),
    ...counts(random, name, relations),
    ...(random.chance(0.4) ? [reference('helper', 'USERS', ['user'])] : []),
    computed('summary', ['name', 'code']),
    computed('deep', ['summary']),
    ...(hasPipeline ? pipelineParts() : []),
    reference('owner', 'USERS', ['user']),
    reference('created_by', 'USERS', ['user'], { isReadonly: true }),
  ];
  return { name, displayField: random.pick(['name', 'name', 'summary', 'deep']), fields };
}

function randomField(random: Random, sample: Sample): Field {
  const { type } = sample.field;
  const field = sampled(sample, `f_${type.toLowerCase()}`);
  const isSearchable = searchableTypes.includes(type) && random.chance(0.7);
  const chosen = random.pick(field.values);
  const hasDefault = chosen.written !== null && random.chance(0.25);
  return { ...field, isSearchable, ...(hasDefault && { defaultValue: chosen }) };
}

/** A DEPENDENT_RELATION on the first relation, if some object leads to where that does. */
function dependent(
  random: Random,
  own: readonly Field[],
  used: readonly string[],
  relations: ReadonlyMap<string, readonly Field[]>,
): Field[] {
  const [parent] = own;
  if (!parent) return [];
  const fitting = used.flatMap((target) => {
    const leads = (relations.get(target) ?? []).filter((relation) => relation.targets?.[0] === parent.targets?.[0]);
    const link = leads.find((relation) => relation.name === parent.name) ?? leads[0];
    return link ? [{ target, link: link.name }] : [];
  });
  if (fitting.length === 0 || random.chance(0.3)) return [];
  const { target, link } = random.pick(fitting);
  return [reference('fit_id', 'DEPENDENT_RELATION', [target], { dependsOn: { parent: parent.name, link } })];
}

function children(random: Random, name: string, relations: ReadonlyMap<string, readonly Field[]>): Field[] {
  const leads = [...relations].flatMap(([object, fields]) =>
    fields.filter((field) => field.targets?.[0] === name).map((field) => ({ object, inverse: field.name })),
  );
  if (leads.length === 0) return [];
  const { object, inverse } = random.pick(leads);
  return [reference('kids', 'RELATION', [object], { kind: 'none', inverse, isReadonly: true })];
}

/** A count, and a condition over it. Of other objects: what a write answers of records that it changes itself is another matter. */
function counts(random: Random, name: string, relations: ReadonlyMap<string, readonly Field[]>): Field[] {
  const leads = [...relations].flatMap(([object, fields]) =>
    fields
      .filter((field) => object !== name && field.targets?.[0] === name)
      .map((field) => ({ object, inverse: field.name })),
  );
  if (leads.length === 0) return [];
  const shared = { options: [], values: [], isReadonly: true } as const;
  const numbers: Sample['filters'] = [
    ['equals', 1],
    ['greater_than', 0],
    ['between', '1,2'],
  ];
  const truths: Sample['filters'] = [
    ['is_true', null],
    ['is_false', null],
  ];
  return [
    { ...shared, name: 'kid_count', type: 'ROLLUP', kind: 'number', filters: numbers, counts: random.pick(leads) },
    { ...shared, name: 'has_many', type: 'CALCULATED', kind: 'boolean', filters: truths, above: 'kid_count' },
  ];
}

function computed(name: string, inputs: readonly string[]): Field {
  const { filters } = sampleOf('TEXT');
  return { name, type: 'CALCULATED', kind: 'text', options: [], values: [], filters, inputs, isReadonly: true };
}

function pipelineParts(): Field[] {
  return [
    reference('pipeline_id', 'PIPELINE_ID', [], { whole: 'phase' }),
    reference('pipeline_step_id', 'PIPELINE_STEP_ID', [], { whole: 'phase' }),
    { ...reference('pipeline_step_entered_at', 'DATETIME', [], { whole: 'phase' }), kind: 'none', isReadonly: true },
  ];
}

function manifestOf(things: readonly Thing[], roles: readonly Role[]): object {
  return {
    objects: things.map(({ name, displayField, fields }) => ({
      name,
      displayField,
      fields: [
        ...fields.filter((field) => field.whole === undefined && !isPerson(field)).map(fieldEntry),
        ...(fields.some((field) => field.whole) ? [{ name: 'phase', type: 'PIPELINE' }] : []),
      ],
    })),
    pipelines: things
      .filter(({ fields }) => fields.some((field) => field.whole))
      .map(({ name }) => ({
        name: 'Way',
        objectName: name,
        isDefault: true,
        steps: steps.map((step, at) => ({ name: step, kind: at === steps.length - 1 ? 'won' : 'ongoing' })),
      })),
    roles: roles.map(({ name, permissions }) => ({ name, permissions })),
  };
}

/** What every object gets without being asked. */
function isPerson({ name }: Field): boolean {
  return name === 'owner' || name === 'created_by';
}

function fieldEntry(field: Field): object {
  const {
    name,
    type,
    options,
    isSearchable,
    isRequired,
    isUnique,
    defaultValue,
    inputs,
    counts: counted,
    above,
  } = field;
  return {
    name,
    type,
    ...(options.length > 0 && { options }),
    ...(isSearchable && { isSearchable }),
    ...(isRequired && { isRequired }),
    ...(isUnique && { isUnique }),
    ...(defaultValue && { defaultValue: defaultValue.written }),
    ...(counted && {
      rollup: { objectName: counted.object, relationField: counted.inverse, function: 'COUNT' },
    }),
    ...(above && { calculation: { expression: `if(${above} > 1, true, false)`, outputType: 'BOOLEAN' } }),
    ...(inputs && { calculation: { expression: `join(' ', ${inputs.join(', ')})`, outputType: 'TEXT' } }),
    ...relationEntry(field),
  };
}

function relationEntry({ type, targets, inverse, dependsOn }: Field): object {
  if (!targets || type === 'USERS') return {};
  const [targetObjectName] = targets;
  if (type === 'MORPH_RELATION')
    return { relationConfig: { relationType: 'MORPH_RELATION', targetObjectNames: targets } };
  if (type === 'MANY_TO_MANY') {
    const junctionFields = [{ name: 'remark', type: 'TEXT' }];
    return { relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName }, junctionFields };
  }
  if (inverse) return { relationConfig: { relationType: 'HAS_MANY', targetObjectName, inverseField: inverse } };
  return {
    relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName },
    ...(dependsOn && { dependsOn: dependsOn.parent }),
  };
}
