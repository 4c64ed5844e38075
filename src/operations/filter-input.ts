/** The filter parameters that lists and exports share. [spec: Records, Export] */
import { Type } from 'typebox';
import { Component, describedAs, JsonTextOf, Lenient } from '../describe/annotations.ts';
import { operatorNames } from '../fields/operators/operator.ts';
import type { Json } from '../lib/json.ts';
import type { FilterGroup } from '../model/model.ts';
import { parseFilterGroup, parseFilterText, simpleFilter } from '../query/filter.ts';

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

/** `instead`: with `filters` the simple filter is ignored; `both`: they are combined by AND. */
export function filtersOf(given: Given, combination: 'instead' | 'both'): FilterGroup[] {
  const group = given.filters === undefined ? undefined : groupOf(given.filters as Json);
  if (group && combination === 'instead') return [group];
  const simple = simpleFilter({ ...given, filter_value: given.filter_value as Json | undefined });
  return [group, simple].filter((part) => part !== undefined);
}

function groupOf(filters: Json): FilterGroup {
  return typeof filters === 'string' ? parseFilterText(filters) : parseFilterGroup(filters);
}
