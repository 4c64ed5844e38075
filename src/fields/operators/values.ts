/** What a filter's value means, from JSON or from a query parameter's text. Each throws FieldProblem for what it can't be. */
import { Digits, type Json } from '../../lib/json.ts';
import { isUuid } from '../../lib/id.ts';
import { canonicalNumber } from '../digits.ts';
import { FieldProblem, misfit } from '../field-problem.ts';
import { jsonInText } from '../json-in-text.ts';
import { dayOf, isDay, parseInstant } from '../local-time.ts';
import { noInstant } from '../no-instant.ts';
import { parseCsvList } from './csv-list.ts';
import type { FilterContext } from './operator.ts';

/** So many values may stand in one list. */
const maxList = 10_000;

/** A number or a boolean counts as its text. */
export function textFrom(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Digits) return value.source;
  throw new FieldProblem(
    value === null ? 'must not be null; is_null finds what has no value' : 'must be a single value; in takes a list',
  );
}

/** The number in a filter's value, written in one way. Throws FieldProblem. */
export function numberFrom(value: Json): string {
  return canonicalNumber(textFrom(value).trim());
}

/** `true` or `false` of a filter's value. Throws FieldProblem. */
export function booleanFrom(value: Json): string {
  return String(booleanFromText(textFrom(value)));
}

/** true, yes, y, t and 1, or their opposites, in any case. */
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

/** A day as YYYY-MM-DD; a time stands for the day on which it falls in the context's zone. */
export function dayFrom(value: Json, context: FilterContext): string {
  const text = textFrom(value).trim();
  if (isDay(text)) return text;
  const instant = parseInstant(text, context.timeZone);
  const day = instant && dayOf(instant, context.timeZone);
  if (day === undefined || !isDay(day)) throw noInstant('a date such as 2026-01-31', text);
  return day;
}

/** An instant in UTC; a day stands for its beginning in the context's zone. */
export function instantFrom(value: Json, context: FilterContext): string {
  const text = textFrom(value);
  const instant = parseInstant(text, context.timeZone);
  if (instant === undefined) throw noInstant('a date or a time such as 2026-01-31T09:30:00Z', text);
  return instant;
}

/** The values of `in`: a JSON array, or text with commas and CSV's quotes. */
export function listFrom(value: Json): readonly Json[] {
  const list = Array.isArray(value) ? value : (jsonArray(textFrom(value)) ?? parseCsvList(textFrom(value)));
  if (list.length > maxList) throw new FieldProblem(`must have at most ${maxList.toLocaleString('en')} values`);
  return list;
}

/** A query parameter is text: one that is a JSON array is taken as that. */
function jsonArray(text: string): readonly Json[] | undefined {
  const parsed = text.startsWith('[') ? jsonInText(text) : undefined;
  return Array.isArray(parsed) ? parsed : undefined;
}

const pairs = { values: '1,10 or [1, 10]', dates: '2026-01-01,2026-01-31 or ["2026-01-01", "2026-01-31"]' };

/** The two values of `between`, which are told of as what they are. Throws FieldProblem. */
export function pairFrom(value: Json, kind: keyof typeof pairs): readonly [Json, Json] {
  const [from, to, ...more] = listFrom(value);
  if (from === undefined || to === undefined || more.length > 0) {
    throw new FieldProblem(`must be two ${kind}: ${pairs[kind]}`);
  }
  return [from, to];
}
