/**
 * Parses filter values, from JSON or from a query parameter's text. Each function throws FieldProblem for an invalid
 * value.
 */
import { Digits, type Json } from '../../lib/json.ts';
import { isUuid } from '../../lib/id.ts';
import { canonicalNumber } from '../digits.ts';
import { FieldProblem, misfit } from '../field-problem.ts';
import { jsonInText } from '../json-in-text.ts';
import { dayOf, isDay, parseInstant } from '../local-time.ts';
import { noInstant } from '../no-instant.ts';
import { parseCsvList } from './csv-list.ts';
import type { FilterContext } from './operator.ts';

/** Values in a list. */
const maxList = 10_000;

/** The text of a value; numbers and booleans are converted. */
export function textFrom(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Digits) return value.source;
  throw new FieldProblem(
    value === null ? 'must not be null; is_null finds what has no value' : 'must be a single value; in takes a list',
  );
}

/** The number in a filter's value, in canonical form. Throws FieldProblem. */
export function numberFrom(value: Json): string {
  return canonicalNumber(textFrom(value).trim());
}

/** The boolean in a filter's value. Throws FieldProblem. */
export function booleanFrom(value: Json): string {
  return String(booleanFromText(textFrom(value)));
}

/** Accepts true, yes, y, t and 1, and their opposites, in any case. */
export function booleanFromText(text: string): boolean {
  const word = text.trim().toLowerCase();
  if (['true', 'yes', 'y', 't', '1'].includes(word)) return true;
  if (['false', 'no', 'n', 'f', '0'].includes(word)) return false;
  throw misfit('true or false', text);
}

/** The id in a filter's value, in lower case. Throws FieldProblem. */
export function idFrom(value: Json): string {
  const text = textFrom(value).trim();
  if (!isUuid(text)) throw misfit('an id', text);
  return text.toLowerCase();
}

/** A day as YYYY-MM-DD; a time is converted to its day in the context's zone. */
export function dayFrom(value: Json, context: FilterContext): string {
  const text = textFrom(value).trim();
  if (isDay(text)) return text;
  const instant = parseInstant(text, context.timeZone);
  const day = instant && dayOf(instant, context.timeZone);
  if (day === undefined || !isDay(day)) throw noInstant('a date such as 2026-01-31', text);
  return day;
}

/** An instant in UTC; a day is converted to its beginning in the context's zone. */
export function instantFrom(value: Json, context: FilterContext): string {
  const text = textFrom(value);
  const instant = parseInstant(text, context.timeZone);
  if (instant === undefined) throw noInstant('a date or a time such as 2026-01-31T09:30:00Z', text);
  return instant;
}

/** The values of `in`: a JSON array, or comma-separated text with CSV quotes. */
export function listFrom(value: Json): readonly Json[] {
  const list = Array.isArray(value) ? value : (jsonArray(textFrom(value)) ?? parseCsvList(textFrom(value)));
  if (list.length > maxList) throw new FieldProblem(`must have at most ${maxList.toLocaleString('en')} values`);
  return list;
}

/** The array in a query parameter that is the text of a JSON array. */
function jsonArray(text: string): readonly Json[] | undefined {
  const parsed = text.startsWith('[') ? jsonInText(text) : undefined;
  return Array.isArray(parsed) ? parsed : undefined;
}

const pairs = { values: '1,10 or [1, 10]', dates: '2026-01-01,2026-01-31 or ["2026-01-01", "2026-01-31"]' };

/** The two values of `between`, named in errors by their kind. Throws FieldProblem. */
export function pairFrom(value: Json, kind: keyof typeof pairs): readonly [Json, Json] {
  const [from, to, ...more] = listFrom(value);
  if (from === undefined || to === undefined || more.length > 0) {
    throw new FieldProblem(`must be two ${kind}: ${pairs[kind]}`);
  }
  return [from, to];
}
