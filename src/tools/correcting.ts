/** Corrects a wrong call, as far as its error says how. */
import type { KithError } from '../errors.ts';
import { isObject, storableJson, type Json, type JsonObject } from '../lib/json.ts';

export interface Mistake {
  /** Names or values that the message quotes from the call. */
  readonly given: readonly string[];
  /** The name or value that was probably meant. */
  readonly nearest: string | undefined;
  /** The first of the available values, if the error lists them. */
  readonly first: string | undefined;
  /** The wrong argument or field. */
  readonly name: string;
  /** Whether a field name is unknown. */
  readonly isOfField: boolean;
  /** Whether an object name is unknown and nothing similar exists. */
  readonly isOfObject: boolean;
  /** A key that only locates the mistake and so stays. */
  readonly kept: string | undefined;
  /** Whether the mistake is within the argument rather than the argument itself. */
  readonly isWithin: boolean;
  /** An acceptable value that the message gives. */
  readonly such: Json | undefined;
}

/** Reads the mistake from the error. */
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

/**
 * The example value of a message, such as 1200 of `such as 1200.5, not "many"`, which whole-number fields accept, too; or
 * the size that a too large answer needs.
 */
function suchIn(message: string): Json | undefined {
  const [, such, tokens] = / such as ([^\s,;{"]+)|has about ([\d,]+) tokens/.exec(message) ?? [];
  const text = such ?? tokens?.replaceAll(',', '');
  if (text === undefined) return undefined;
  return Number.isFinite(Number(text)) ? Math.trunc(Number(text)) : text;
}

/** Arguments with contents, whose texts are never names. */
const ofContent: ReadonlySet<string> = new Set(['values', 'records', 'data', 'body', 'content', 'field_value']);

/** Arguments in which a field comes with operands that fit it, so that it cannot be replaced by any other field. */
const ofField: ReadonlySet<string> = new Set(['filters', 'filter_field', 'date_field']);

/** Whether the argument `name` with `value` names a field that does not exist. */
export function namesNoField(name: string, value: Json, { given, isOfField }: Mistake): boolean {
  return isOfField && ofField.has(name) && given.some((wrong) => JSON.stringify(value).includes(JSON.stringify(wrong)));
}

/** The arguments with the meant name in place of the wrong one; undefined if the wrong one is not found. */
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

/** The list without repetitions. */
function once(list: Json[]): Json[] {
  return list.filter((item, at) => typeof item !== 'string' || list.indexOf(item) === at);
}

/** Replaces a name in a text: the whole text, one of several separated by commas, or a quoted one in JSON. */
function inText(text: string, wrong: string, meant: string): string {
  if (/^\s*[[{]/.test(text)) return text.replaceAll(JSON.stringify(wrong), JSON.stringify(meant));
  return text
    .split(',')
    .map((part) => (part.trim() === wrong ? meant : part))
    .join(',');
}

/** Values of a record without unknown fields, and with an acceptable value for each wrong one. */
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

/** The object of a value or of its JSON text; an empty one if it is none. */
export function objectIn(value: Json): JsonObject {
  const read = typeof value === 'string' ? storableJson(value) : { value };
  return 'value' in read && isObject(read.value) ? read.value : {};
}
