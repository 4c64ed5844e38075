/** The filters of an example call. */
import type { Json, JsonObject } from '../lib/json.ts';
import { objectIn, type Mistake } from './correcting.ts';
import { sampleOf } from './samples.ts';

/** A condition that every record meets. */
const anyRecord = { filter_field: 'created_at', filter_operator: 'is_not_null' };

/** The example with complete filters: missing or incomplete ones are replaced by a condition that all records meet. */
export function withWholeFilters(example: JsonObject, mistake: Mistake): JsonObject {
  const { filter_field: field, filter_operator: operator, filter_value: value, ...others } = example;
  const { filters: given } = others;
  const all = sampleOf('filters', {}, {});
  const adjusted = given === undefined || all === undefined || isFilter(given) ? others : { ...others, filters: all };
  if (field === undefined && operator === undefined && value === undefined) return adjusted;
  const needsValue = value === undefined && !String(operator).startsWith('is_');
  if (mistake.nearest !== undefined && field !== undefined && operator !== undefined)
    return needsValue ? { ...example, filter_value: '<filter_value>' } : example;
  const isRight = field !== undefined && operator !== undefined && !needsValue && !mistake.name.startsWith('filter_');
  return isRight && !mistake.isOfField ? { ...example, ...adjusted } : { ...adjusted, ...anyRecord };
}

/** Whether it is a valid filter: a group or a single condition. */
export function isFilter(given: Json): boolean {
  const filter = objectIn(given);
  return Array.isArray(filter['conditions']) || typeof filter['field'] === 'string';
}
