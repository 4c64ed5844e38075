import type { Json } from '../lib/json.ts';

/** What a required field may not be: null, an empty text or an empty list. */
export function isEmptyValue(value: Json | undefined): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
