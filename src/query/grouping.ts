/** What a request groups by: the key of a row's group, and the order in which groups stand. [spec: Records, Aggregate] */
import { errors, quoted } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import type { PipelineOption, ReadScope } from '../fields/field-type.ts';
import { bucketKeyOf, type BucketName } from '../fields/date-buckets.ts';
import { groupKeyOf, type GroupKey } from '../fields/group-key.ts';
import { textOrder } from '../fields/operands.ts';
import { fieldType } from '../fields/registry.ts';
import { jsonString } from '../lib/json.ts';
import type { Cell } from '../postgres/database.ts';
import { join, sql, type Sql } from '../postgres/sql.ts';
import { attributeFor, visibleAttributes } from './attributes.ts';
import type { CallersScope } from './callers-scope.ts';
import { relatedObject, type ObjectScope } from './row-scope.ts';
import { withinNamed } from './subject.ts';
import { callersSubject } from './where.ts';

/** Groups per answer. */
export const mostGroups = 1_000;

/** The display name of an id, as the caller may see it. */
export interface KeyDisplay {
  /** What the statement selects for the display of a key. */
  selected(key: Sql): Sql;
  /** JSON text: a string, or null for a key without a name that the caller may see. */
  json(key: string, selected: Cell): string;
}

export interface Grouping extends GroupKey {
  /** Present where keys are ids. */
  readonly display?: KeyDisplay;
  /** `order by` terms over a key: options, steps and values in their own order, then the key itself. */
  sequence(key: Sql): Sql;
  /** `order by` terms that put the labels of records and users before the key. */
  byLabel(key: Sql): Sql;
  /** Set where keys are time buckets, which are in order. */
  readonly isBucket?: true;
}

/**
 * The grouping by a field of `scope`'s row, or by one behind a relation. Throws INVALID_FIELD for what the caller can't
 * see, INVALID_OPERATION for a field that rows can't be grouped by; `sets` admits what is grouped by one of several values.
 * Days and times are grouped by their `bucket` where there is one.
 */
export function groupingOf(
  name: string,
  scope: CallersScope & ReadScope,
  sets: 'primary values' | 'no sets',
  bucket?: BucketName,
): Grouping {
  const { operand } = callersSubject(name, scope);
  const field = fieldNamed(name, scope);
  const type = fieldType(field.type);
  const bucketKey = bucket && bucketKeyOf(operand, bucket, scope.context.timeZone);
  if (bucketKey) return { ...bucketKey, isBucket: true, sequence: bucketKey.order, byLabel: bucketKey.order };
  const groupKey = type.isLong || (operand.kind === 'values' && sets === 'no sets') ? undefined : groupKeyOf(operand);
  if (!groupKey) throw ungroupable(name, scope, sets);
  const options = type.pipelineOptions?.(scope.pipelines);
  const sequence = options?.map(({ id }) => id);
  const order = sequence ? (key: Sql) => sql`array_position(${sequence}::text[], ${key} collate "C")` : groupKey.order;
  const label = labelsOf(field, scope);
  const display = options ? displayOfOptions(options) : label && displayOfTargets(label);
  const inC = (key: Sql) => sql`${key} collate "C"`;
  // A field behind a relation, or a computed one, has no column here.
  const { indexed, ...unindexed } = groupKey;
  const isStored = !name.includes('.') && type.columns(field).length > 0;
  return {
    ...unindexed,
    ...(indexed && isStored && { indexed }),
    ...(display && { display }),
    sequence: (key) => join([order(key), inC(key)], ', '),
    byLabel: (key) => join([label ? textOrder(sql`${label(key)} collate "C"`) : order(key), inC(key)], ', '),
  };
}

/** The field that a name of `callersSubject` means. */
export function fieldNamed(name: string, scope: ObjectScope): FieldDef {
  const {
    object,
    context: { model, visibility },
  } = scope;
  const dot = name.indexOf('.');
  if (dot < 0) return attributeFor(object, name, visibility);
  const relation = attributeFor(object, name.slice(0, dot), visibility);
  const within = withinNamed(relation, name.slice(dot + 1), scope);
  if (within) return { ...relation, type: within.type };
  return attributeFor(relatedObject(model, relation) ?? object, name.slice(dot + 1), visibility);
}

function displayOfOptions(options: readonly PipelineOption[]): KeyDisplay {
  const names = new Map(options.map(({ id, name }) => [id, name]));
  return { selected: () => sql`null::text`, json: (key) => shownName(names.get(key) ?? null) };
}

function displayOfTargets(label: (key: Sql) => Sql): KeyDisplay {
  return { selected: label, json: (_key, selected) => shownName(selected) };
}

function shownName(name: Cell): string {
  return name === null ? 'null' : jsonString(name);
}

/** The labels of the records or users that a field points to; undefined for other fields. */
function labelsOf(field: FieldDef, scope: ReadScope): ((key: Sql) => Sql) | undefined {
  const target = fieldType(field.type).target?.(field);
  if (target === undefined) return undefined;
  if (target === 'user') return (key) => scope.userDisplay(sql`${key}::uuid`);
  const objects = 'objects' in target ? target.objects : [target.object];
  return (key) => {
    const displays = objects.map((object) => scope.display(object, sql`${key}::uuid`));
    return sql`coalesce(${join(displays, ', ')})`;
  };
}

function ungroupable(name: string, scope: ObjectScope, sets: 'primary values' | 'no sets') {
  const { object, context } = scope;
  const groupable = visibleAttributes(object, context.visibility).filter((field) => {
    const operand = scope.operand(field.name);
    if (fieldType(field.type).isLong || (operand.kind === 'values' && sets === 'no sets')) return false;
    return groupKeyOf(operand) !== undefined;
  });
  const message = `Records can't be grouped by ${quoted(name)}`;
  return errors.invalidOperation(
    message,
    groupable.map((field) => field.name),
  );
}
