import type { Json } from '../lib/json.ts';

/** What a required field may not be: null, a text in which nothing stands but white space, or an empty list. */
export function isEmptyValue(value: Json | undefined): boolean {
  if (typeof value === 'string') return !/\S/u.test(value);
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
