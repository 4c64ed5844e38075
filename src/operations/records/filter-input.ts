/** The filter parameters of lists and exports. [spec: Records, Export] */
import { Type } from 'typebox';
import { Component, describedAs, JsonTextOf, Lenient } from '../../describe/annotations.ts';
import { operatorNames } from '../../fields/operators/operator.ts';
import type { Json } from '../../lib/json.ts';
import type { FilterGroup } from '../../model/model.ts';
import { parseFilterGroup, parseFilterText, simpleFilter } from '../../query/filter.ts';

export const FilterInput = {
  filter_field: Type.Optional(Type.String({ description: 'The field of a single condition' })),
  filter_operator: Type.Optional(
    Type.String(describedAs(Type.String({ enum: [...operatorNames], description: 'Its operator' }))),
  ),
  filter_value: Type.Optional(Lenient(Type.String(), 'Its value; several are separated by commas')),
  filters: Type.Optional(Lenient(JsonTextOf(Component('FilterGroup')), 'A FilterGroup as JSON text.')),
};

interface Given {
  readonly filter_field?: string;
  readonly filter_operator?: string;
  readonly filter_value?: unknown;
  readonly filters?: unknown;
}

/** `filters` and the simple filter, combined by AND. */
export function filtersOf(given: Given): FilterGroup[] {
  const group = given.filters === undefined ? undefined : filterGroupOf(given.filters as Json);
  const simple = simpleFilter({ ...given, filter_value: given.filter_value as Json | undefined });
  return [group, simple].filter((part) => part !== undefined);
}

/**
 * As `filtersOf`, but `filters` overrides the simple filter with a warning: a condition dropped silently would show too
 * much. [spec: Records]
 */
export function filtersOfList({ filters, ...simple }: Given, warn: (message: string) => void): FilterGroup[] {
  if (filters === undefined) return filtersOf(simple);
  const group = filterGroupOf(filters as Json);
  const ignored = simpleNames.filter((name) => simple[name] !== undefined);
  if (ignored.length > 0) warn(`${ignored.join(', ')} beside filters: ignored; put the condition into filters`);
  return [group];
}

const simpleNames = ['filter_field', 'filter_operator', 'filter_value'] as const;

/** A FilterGroup from an object or JSON text. Throws VALIDATION_ERROR. */
export function filterGroupOf(filters: Json): FilterGroup {
  return typeof filters === 'string' ? parseFilterText(filters) : parseFilterGroup(filters);
}
