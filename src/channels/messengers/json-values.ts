/** Lenient access to JSON of providers, whose properties may be missing or of another type. */
import { Digits, isObject, type Json, type JsonObject } from '../../lib/json.ts';

/** The value if it is an object, else an empty object. */
export function objectIn(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The objects in a list; empty for other values. */
export function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A text, or a number as written; undefined for other values and the empty text. */
export function textIn(value: Json | undefined): string | undefined {
  if (value instanceof Digits) return value.source;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Seconds since 1970 as ISO 8601; undefined if implausible for a message. */
export function timeOfSeconds(value: Json | undefined): string | undefined {
  const text = textIn(value) ?? '';
  return /^\d{1,12}$/.test(text) ? usualTime(Number(text) * 1_000) : undefined;
}

/** A text that `Date.parse` accepts, in ISO 8601; undefined if implausible for a message. */
export function timeOfText(value: Json | undefined): string | undefined {
  return usualTime(Date.parse(textIn(value) ?? ''));
}

function usualTime(ms: number): string | undefined {
  return ms > Date.UTC(1990, 0) && ms < Date.UTC(2100, 0) ? new Date(ms).toISOString() : undefined;
}
