/** Warns of fields in a search that none of its objects has. [spec: Search] */
import type { Call } from '../../access/call.ts';
import { quoted } from '../../errors.ts';
import { didYouMean } from '../../lib/nearest.ts';
import type { FilterCondition, FilterGroup, ObjectDef } from '../../model/model.ts';
import { visibleAttributes } from '../../query/attributes.ts';
import { conditionsIn } from '../../query/filter.ts';
import { hasFieldsOf, type SearchRequest } from '../../query/plan-search.ts';

/**
 * The warning about a field of filters or sort that none of the objects has, as far as the caller may know; undefined
 * if there is none.
 */
export function knownToNone(
  call: Call,
  objects: readonly ObjectDef[],
  { where = [], sort = [] }: Pick<SearchRequest, 'where' | 'sort'>,
): string | undefined {
  const parts = [
    ...where.flatMap(conditionsIn).map((one) => ({ field: one.field, where: [group(one)] })),
    ...sort.map((one) => ({ field: one.field, sort: [one] })),
  ];
  const lost = parts.find((part) => !objects.some((object) => hasFieldsOf(call, object, part)));
  if (!lost || objects.length === 0) return undefined;
  const names = objects.flatMap((object) => visibleAttributes(object, call.visibility).map(({ name }) => name));
  return `No object that is searched has a field ${quoted(lost.field)}${didYouMean(lost.field, new Set(names))}: all are passed over`;
}

function group(condition: FilterCondition): FilterGroup {
  return { type: 'AND', conditions: [condition] };
}
