/** What providers tell as JSON, read as far as it is there: they add to it as they like, and leave out what there is nothing of. */
import { Digits, isObject, type Json, type JsonObject } from '../../lib/json.ts';

/** The object, or one without anything. */
export function objectIn(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The objects of a list. */
export function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A text, or a number as it is written; undefined for what is neither, or empty. */
export function textIn(value: Json | undefined): string | undefined {
  if (value instanceof Digits) return value.source;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Seconds since 1970 as ISO 8601; undefined for what no message has. */
export function timeOfSeconds(value: Json | undefined): string | undefined {
  const text = textIn(value) ?? '';
  return /^\d{1,12}$/.test(text) ? usualTime(Number(text) * 1_000) : undefined;
}

/** A time in ISO 8601, or one that is close to it; undefined for what no message has. */
export function timeOfText(value: Json | undefined): string | undefined {
  return usualTime(Date.parse(textIn(value) ?? ''));
}

function usualTime(ms: number): string | undefined {
  return ms > Date.UTC(1990, 0) && ms < Date.UTC(2100, 0) ? new Date(ms).toISOString() : undefined;
}
