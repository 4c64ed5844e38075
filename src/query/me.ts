/** `$me` in a condition: the caller. */
import type { Json } from '../lib/json.ts';
import type { FilterCondition } from '../model/model.ts';

/** The condition with the workspace user id `me` in place of `$me`. */
export function withMe(condition: FilterCondition, me: string): FilterCondition {
  return condition.value === undefined ? condition : { ...condition, value: valueWithMe(condition.value, me) };
}

function valueWithMe(value: Json, me: string): Json {
  if (Array.isArray(value)) return value.map((item) => valueWithMe(item, me));
  return value === '$me' ? me : value;
}
