/** The indexes that a request could use: on the field that its order begins with, and on those that select rows. */
import type { FieldDef } from '../fields/field-def.ts';
import { groupKeyOf } from '../fields/group-key.ts';
import type { OperatorName } from '../fields/operators/operator.ts';
import { fieldType } from '../fields/registry.ts';
import { scopeOfRow } from '../model/ddl.ts';
import type { FilterGroup, ObjectDef } from '../model/model.ts';
import type { IndexUse } from '../model/demanded-index.ts';
import { empty } from '../postgres/sql.ts';
import { resolveAttribute } from './attributes.ts';
import { isSearchedWhole } from './prefilter.ts';
import type { SortKey } from './order.ts';

export interface FieldUse {
  readonly fieldId: string;
  readonly use: IndexUse;
}

/** Operators that an index on values can answer, where the field's kind has them. */
const picking: ReadonlySet<string> = new Set<OperatorName>([
  'equals',
  'in',
  'greater_than',
  'less_than',
  'greater_equal',
  'less_equal',
  'between',
  'is_true',
  'is_false',
  'date_equals',
  'date_before',
  'date_after',
  'date_between',
  'date_today',
  'date_this_week',
  'date_this_month',
]);

/** The parts of a request that use fields. */
export interface UsedBy {
  readonly where: readonly FilterGroup[];
  readonly sort?: readonly SortKey[];
  /** The field by which the rows of each group are found. */
  readonly groupBy?: string | undefined;
}

/** Fields of the object itself, each at most once per use. The request has been planned, so its names are valid. */
export function usesOf(object: ObjectDef, { where, sort = [], groupBy }: UsedBy): readonly FieldUse[] {
  const [first] = sort;
  const sorted = first && resolveAttribute(object, first.field);
  const grouped = groupBy === undefined ? undefined : resolveAttribute(object, groupBy);
  const groups = grouped && hasGroupsByIndex(grouped) ? [grouped.id] : [];
  const picked = new Set([...where.flatMap((group) => pickedBy(object, group)), ...groups]);
  return [
    ...(sorted ? [{ fieldId: sorted.id, use: 'sort' as const }] : []),
    ...[...picked].map((fieldId) => ({ fieldId, use: 'filter' as const })),
  ];
}

/** Whether a grouped list would find the rows of a group by an index on the field. */
function hasGroupsByIndex(field: FieldDef): boolean {
  const type = fieldType(field.type);
  return type.columns(field).length > 0 && groupKeyOf(type.operand(field, scopeOfRow(empty)))?.indexed !== undefined;
}

/** An index on one of several alternatives (OR) selects nothing. */
function pickedBy(object: ObjectDef, { type, conditions }: FilterGroup): string[] {
  if (type === 'OR' && conditions.length > 1) return [];
  return conditions.flatMap((part) => {
    if ('conditions' in part) return pickedBy(object, part);
    const field = picking.has(part.operator) ? resolveAttribute(object, part.field) : undefined;
    // Fields fully covered by the search index are found there.
    return field && !isSearchedWhole(field) ? [field.id] : [];
  });
}
