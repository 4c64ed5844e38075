import type { Json } from '../lib/json.ts';

/** A character that somebody sees: no white space, control or format character such as a zero-width space. */
const visible = /[^\s\p{Z}\p{Cc}\p{Cf}]/u;

/** Whether a required field may not be set to the value: null, an empty list, or a text in which nothing can be seen. */
export function isEmptyValue(value: Json | undefined): boolean {
  if (typeof value === 'string') return !visible.test(value);
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
