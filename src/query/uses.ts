/** What a request asks of indexes: the field that its order begins with, and those that it picks rows by. */
import type { OperatorName } from '../fields/operators/operator.ts';
import type { FilterGroup, ObjectDef } from '../model/model.ts';
import type { IndexUse } from '../model/demanded-index.ts';
import { resolveAttribute } from './attributes.ts';
import { isSearchedWhole } from './prefilter.ts';
import type { SortKey } from './order.ts';

export interface FieldUse {
  readonly fieldId: string;
  readonly use: IndexUse;
}

/** Operators that an index of values answers, as far as the field's kind has them. */
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

/** Fields of the object itself, each at most once a use. The request has been planned: it names what there is. */
export function usesOf(
  object: ObjectDef,
  where: readonly FilterGroup[],
  sort: readonly SortKey[] = [],
): readonly FieldUse[] {
  const [first] = sort;
  const sorted = first && resolveAttribute(object, first.field);
  const picked = new Set(where.flatMap((group) => pickedBy(object, group)));
  return [
    ...(sorted ? [{ fieldId: sorted.id, use: 'sort' as const }] : []),
    ...[...picked].map((fieldId) => ({ fieldId, use: 'filter' as const })),
  ];
}

/** Of alternatives an index of one picks nothing. */
function pickedBy(object: ObjectDef, { type, conditions }: FilterGroup): string[] {
  if (type === 'OR' && conditions.length > 1) return [];
  return conditions.flatMap((part) => {
    if ('conditions' in part) return pickedBy(object, part);
    const field = picking.has(part.operator) ? resolveAttribute(object, part.field) : undefined;
    // What the search index holds whole is found there.
    return field && !isSearchedWhole(field) ? [field.id] : [];
  });
}
