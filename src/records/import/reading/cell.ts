/** Cells as text, for every kind of file. */
import { Digits, isObject, type Json } from '../../../lib/json.ts';

/** The text of a value: a list joined with semicolons, an object as JSON. */
export function jsonText(value: Json): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Digits) return value.source;
  if (Array.isArray(value)) return value.some(isPlainObject) ? JSON.stringify(value) : value.map(jsonText).join('; ');
  return isObject(value) ? JSON.stringify(value) : String(value);
}

function isPlainObject(value: Json): boolean {
  return isObject(value) && !(value instanceof Digits);
}
