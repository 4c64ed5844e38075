/** JSON that keeps every digit of numbers and is safe for PostgreSQL. */

declare global {
  interface JSON {
    rawJSON(text: string): object;
    parse(text: string, reviver: (key: string, value: unknown, context: { source: string }) => unknown): unknown;
  }
}

/** A number that a binary float would change; keeps its digits as written. */
export class Digits {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
  toJSON(): unknown {
    return JSON.rawJSON(this.source);
  }
}

export type Json = null | boolean | number | string | Digits | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const maxDepth = 64;

/**
 * Parses `text`; throws SyntaxError. A number such as 0.10 or 2^60 becomes Digits when a float would print it
 * differently.
 */
export function parseJson(text: string): Json {
  const value: unknown = unusualNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  return value as Json;
}

/** Characters of a text parsed at once: a body is parsed in slices, and its parts are counted. */
const longestPart = 65_536;

/** Why a text of this length is not parsed, to complete a message; undefined where it is. */
export function tooLong(text: string): string | undefined {
  return text.length > longestPart ? `is longer than ${longestPart.toLocaleString('en')} characters` : undefined;
}

/** The JSON in `text`, or why it is refused, to complete a message: invalid JSON, or not storable. */
export function storableJson(text: string): { readonly value: Json } | { readonly problem: string } {
  try {
    const value = parseJson(text);
    const problem = unstorable(value);
    return problem === undefined ? { value } : { problem };
  } catch (error) {
    // The reviver recurses.
    const isTooDeep = error instanceof RangeError;
    return { problem: isTooDeep ? `is nested deeper than ${maxDepth} levels` : 'must be valid JSON' };
  }
}

/** Parsing with a reviver takes ten times as long; whole numbers of up to 15 digits print as written. */
const unusualNumber = /(?:^|[\s:,[])-?(?:\d+[.eE]|\d{16}|(?<=-)0)/;

function keepDigits(_key: string, value: unknown, context: { source: string }): unknown {
  return typeof value === 'number' && String(value) !== context.source ? new Digits(context.source) : value;
}

/** Whether it is a JSON object: no list, not null, no Digits. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Digits);
}

/** Why `value` cannot be stored (NUL, lone surrogate, nested too deep), or undefined. */
export function unstorable(value: Json, depth = 0): string | undefined {
  if (typeof value === 'string') return unstorableText(value);
  if (typeof value !== 'object' || value === null || value instanceof Digits) return undefined;
  if (depth >= maxDepth) return `is nested deeper than ${maxDepth} levels`;
  if (Array.isArray(value)) return firstProblem(value, depth);
  return firstProblem(Object.keys(value), depth) ?? firstProblem(Object.values(value), depth);
}

function firstProblem(values: readonly Json[], depth: number): string | undefined {
  for (const value of values) {
    const problem = unstorable(value, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Why PostgreSQL could not store the text, to complete a message; undefined where it can. */
export function unstorableText(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character';
  return text.isWellFormed() ? undefined : 'contains half of a surrogate pair';
}

// oxlint-disable-next-line no-control-regex -- these are the characters that JSON escapes
const needsEscape = /["\\\u0000-\u001f]/;

/** JSON text of a well-formed string; testing is cheaper than escaping, and most strings need none. */
export function jsonString(text: string): string {
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
}
