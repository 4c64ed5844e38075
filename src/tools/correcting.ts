/** A call that was wrong made right, as far as its error says how. */
import type { KithError } from '../errors.ts';
import { isObject, storableJson, type Json, type JsonObject } from '../lib/json.ts';

export interface Mistake {
  /** What is named in the message as it was given: names or values. */
  readonly given: readonly string[];
  /** The name or value that was probably meant. */
  readonly nearest: string | undefined;
  /** The first value that there is, where the error lists them. */
  readonly first: string | undefined;
  /** The argument or field that is wrong. */
  readonly name: string;
  /** There is no field of the name that was given. */
  readonly isOfField: boolean;
  /** There is no object of the name that was given, and none that was probably meant. */
  readonly isOfObject: boolean;
  /** The key beside the mistake that says only where it is. */
  readonly kept: string | undefined;
  /** It is within the argument, not the argument itself. */
  readonly isWithin: boolean;
  /** A value that would be taken, where the message has one. */
  readonly such: Json | undefined;
}

/** What the error says of the mistake. */
export function mistakeIn({ code, message, fieldErrors = [], availableValues = [] }: KithError): Mistake {
  const named = [...message.replace(/^Column "[^"]*"/, '').matchAll(/(?<!did you mean )"([^"]+)"/g)].map(
    ([, text = '']) => text,
  );
  const [first = ''] = /^\w+/.exec(message) ?? [];
  const nearest = nearestIn(message);
  return {
    given: code === 'INVALID_OPERATION' ? [...named, first] : named,
    nearest,
    isOfField: code === 'INVALID_FIELD' && nearest === undefined,
    isOfObject: code === 'INVALID_OBJECT' && nearest === undefined,
    first: availableValues[0],
    name: fieldErrors[0]?.field ?? first,
    kept: message.startsWith('Column ') ? 'column' : undefined,
    isWithin: /^\w+\.\w/.test(message),
    such: suchIn(message),
  };
}

function nearestIn(message: string): string | undefined {
  const [, meant, alias] = /did you mean "([^"]+)"|: here it is (\w+)/.exec(message) ?? [];
  return meant ?? alias;
}

/** `… such as 1200.5, not "many"` → 1200, which a field of whole numbers takes, too; what an answer would take that is too large. */
function suchIn(message: string): Json | undefined {
  const [, such, tokens] = / such as ([^\s,;{"]+)|has about ([\d,]+) tokens/.exec(message) ?? [];
  const text = such ?? tokens?.replaceAll(',', '');
  if (text === undefined) return undefined;
  return Number.isFinite(Number(text)) ? Math.trunc(Number(text)) : text;
}

/** Arguments with contents: a text in them that is like a name is none. */
const ofContent: ReadonlySet<string> = new Set(['values', 'records', 'data', 'body', 'content', 'field_value']);

/** Arguments in which a field stands with what is right of that field alone: where nobody knows which was meant, another does not do. */
const ofField: ReadonlySet<string> = new Set(['filters', 'filter_field', 'date_field']);

/** Whether `value`, of the argument `name`, names such a field that there is not. */
export function namesNoField(name: string, value: Json, { given, isOfField }: Mistake): boolean {
  return isOfField && ofField.has(name) && given.some((wrong) => JSON.stringify(value).includes(JSON.stringify(wrong)));
}

/** The same arguments with what was meant in place of what was given; undefined where that stands nowhere. */
export function withMeant(
  args: JsonObject,
  { given, nearest, first, isOfField, kept }: Mistake,
): JsonObject | undefined {
  const meant = nearest ?? first;
  if (meant === undefined) return undefined;
  for (const depth of [1, 10])
    for (const wrong of given) {
      const changed = Object.fromEntries(
        Object.entries(args).map(([name, value]) => [
          name,
          ofContent.has(name) || (isOfField && ofField.has(name)) ? value : replaced(value, wrong, meant, depth, kept),
        ]),
      );
      if (JSON.stringify(changed) !== JSON.stringify(args)) return changed;
    }
  return undefined;
}

function replaced(value: Json, wrong: string, meant: string, depth: number, kept?: string): Json {
  if (typeof value === 'string') return inText(value, wrong, meant);
  if (depth === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return once(value.map((item) => replaced(item, wrong, meant, depth - 1, kept)));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === kept ? item : replaced(item, wrong, meant, depth - 1, kept),
    ]),
  );
}

/** A list without what stands in it already. */
function once(list: Json[]): Json[] {
  return list.filter((item, at) => typeof item !== 'string' || list.indexOf(item) === at);
}

/** A name, one of several with commas between, or one within JSON as text. */
function inText(text: string, wrong: string, meant: string): string {
  if (/^\s*[[{]/.test(text)) return text.replaceAll(JSON.stringify(wrong), JSON.stringify(meant));
  return text
    .split(',')
    .map((part) => (part.trim() === wrong ? meant : part))
    .join(',');
}

/** Values of a record with fields that there are, and with a value that is taken for each that is wrong. */
export function withRightValues(values: JsonObject, { fieldErrors = [] }: KithError): JsonObject {
  const right = new Map(Object.entries(values));
  for (const { field, message } of fieldErrors) {
    const nearest = nearestIn(message);
    if (message.includes(' is not a field of ')) {
      const value = right.get(field) ?? null;
      right.delete(field);
      if (nearest !== undefined) right.set(nearest, value);
    } else if (right.has(field) || message.endsWith(' is required')) {
      const [, first] = /; (?:one of|there is): ([^,]+)/.exec(message) ?? [];
      right.set(field, right.get(field) ?? null);
      if (!message.endsWith(' is required') || right.get(field) === null)
        right.set(field, nearest ?? first ?? suchIn(message) ?? `<${field}>`);
    }
  }
  return Object.fromEntries(right);
}

/** The object that a value is, or that it is as text; an empty one where it is none. */
export function objectIn(value: Json): JsonObject {
  const read = typeof value === 'string' ? storableJson(value) : { value };
  return 'value' in read && isObject(read.value) ? read.value : {};
}
