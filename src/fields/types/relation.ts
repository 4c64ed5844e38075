/** RELATION: the id of a record of another object, or, as HAS_MANY, the records whose relation leads here. */
import { aggregates } from '../aggregates.ts';
import { sql } from '../../postgres/sql.ts';
import type { FieldDef } from '../field-def.ts';
import type { FieldType } from '../field-type.ts';
import { hasMany } from './has-many.ts';
import { operatorsAmong } from '../operators/by-kind.ts';
import { reference } from '../reference.ts';

/** The type of a relation to a single record, without its name. */
export const belongsToOne = {
  ...reference({
    target: targetOf,
    display: (field, id, scope) => scope.display(targetOf(field), id),
  }),
  mayBeUnique: true,
  target: (field: FieldDef) => ({ object: targetOf(field) }),
} satisfies Partial<FieldType>;

export const relation: FieldType = {
  names: ['RELATION'],
  mayBeUnique: true,
  relationTypes: ['BELONGS_TO_ONE', 'HAS_MANY'],
  isComputed: isHasMany,
  detailOnly: isHasMany,
  columns: (field) => kindOf(field).columns(field),
  read: (field, scope) => kindOf(field).read(field, scope),
  exported: (field, scope) => (isHasMany(field) ? hasMany.read(field, scope) : belongsToOne.exported(field, scope)),
  schema: (field) => kindOf(field).schema(field),
  operand: (field, scope) => kindOf(field).operand(field, scope),
  operators: operatorsAmong(belongsToOne.operators),
  aggregates: aggregates.ofItsValue,
  absent: (field, scope) => (isHasMany(field) ? sql`${scope.related(field)} is null` : undefined),
  decode: (value, field, context) => kindOf(field).decode(value, field, context),
  fromCell: belongsToOne.fromCell,
  target: (field) => (isHasMany(field) ? undefined : belongsToOne.target(field)),
};

/** The target object's name, which every relation's metadata has. */
export function targetOf(field: FieldDef): string {
  if (!field.relationConfig) throw new Error(`${field.name} has no relationConfig`);
  return field.relationConfig.targetObjectName;
}

function isHasMany({ relationConfig }: Pick<FieldDef, 'relationConfig'>): boolean {
  return relationConfig?.relationType === 'HAS_MANY';
}

function kindOf(field: FieldDef): Pick<FieldType, 'columns' | 'read' | 'schema' | 'operand' | 'decode'> {
  return isHasMany(field) ? hasMany : belongsToOne;
}
