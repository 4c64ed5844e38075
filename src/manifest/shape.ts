/** Parser combinators for a manifest. Each reports problems with their place. */
import { quoted } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../lib/json.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Problems } from './problems.ts';

/** Parses a value; undefined if it is invalid, with a problem. */
export type Shape<T> = (value: Json, place: string, problems: Problems) => T | undefined;

type Shapes = Readonly<Record<string, Shape<unknown>>>;
type Of<S> = S extends Shape<infer T> ? T : never;

/** An object with its keys, and its place. */
export type Entry<Required extends Shapes, Optional extends Shapes> = {
  readonly [Key in keyof Required]: Of<Required[Key]>;
} & { readonly [Key in keyof Optional]?: Of<Optional[Key]> } & { readonly place: string };

/** An object with these keys only. Invalid keys are dropped; without a required key it is undefined. */
export function entry<Required extends Shapes, Optional extends Shapes>(
  required: Required,
  optional: Optional,
): Shape<Entry<Required, Optional>> {
  const shapes = new Map<string, Shape<unknown>>([...Object.entries(required), ...Object.entries(optional)]);
  const keys = [...shapes.keys()].join(', ');
  return (value, place, problems) => {
    if (!isObject(value)) return refuse(problems, place, `must be an object with the keys ${keys}`);
    const read = readKeys(value, shapes, keys, place, problems);
    const missing = Object.keys(required).filter((key) => !Object.hasOwn(value, key));
    for (const key of missing) problems.add(below(place, key), 'is required');
    if (Object.keys(required).some((key) => read[key] === undefined)) return undefined;
    // Each key was read by its own shape.
    return { ...read, place } as unknown as Entry<Required, Optional>;
  };
}

function readKeys(
  value: JsonObject,
  shapes: ReadonlyMap<string, Shape<unknown>>,
  known: string,
  place: string,
  problems: Problems,
): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const shape = shapes.get(key);
    if (!shape) {
      problems.add(
        below(place, quotedKey(key)),
        `is not a key that is known here${didYouMean(key, shapes.keys()) || `; those are ${known}`}`,
      );
      continue;
    }
    const result = shape(item, below(place, key), problems);
    if (result !== undefined) read[key] = result;
  }
  return read;
}

/** An object with arbitrary keys. */
export function entries<T>(shape: Shape<T>): Shape<ReadonlyMap<string, T>> {
  return (value, place, problems) => {
    if (!isObject(value)) return refuse(problems, place, 'must be an object');
    const read = new Map<string, T>();
    for (const [key, item] of Object.entries(value)) {
      const result = shape(item, below(place, quotedKey(key)), problems);
      if (result !== undefined) read.set(key, result);
    }
    return read;
  };
}

/** A list of at most `most` entries; invalid ones are dropped. */
export function list<T>(shape: Shape<T>, most = 1000): Shape<readonly T[]> {
  return (value, place, problems) => {
    if (!Array.isArray(value)) return refuse(problems, place, 'must be a list');
    if (value.length > most && problems.boundsLists)
      return refuse(problems, place, `must have at most ${most} entries`);
    return value.flatMap((item, index) => {
      const result = shape(item, `${place}[${index}]`, problems);
      return result === undefined ? [] : [result];
    });
  };
}

/** Text of at most `most` characters, not only spaces. */
export function text(most = 200): Shape<string> {
  return (value, place, problems) => {
    if (typeof value !== 'string') return refuse(problems, place, 'must be text');
    if (value.trim() === '') return refuse(problems, place, 'must not be empty');
    if (value.length > most) return refuse(problems, place, `must have at most ${most} characters`);
    return value;
  };
}

/** Text for which `problem` returns undefined; otherwise it returns `must be …`. */
export function textThat(problem: (text: string) => string | undefined): Shape<string> {
  const read = text();
  return (value, place, problems) => {
    const given = read(value, place, problems);
    const wrong = given === undefined ? undefined : problem(given);
    return wrong === undefined ? given : refuse(problems, place, wrong);
  };
}

/** One of `values`; `elsewhere` maps other names for them, in lower case. */
export function oneOf<const T extends string>(
  values: readonly T[],
  elsewhere: ReadonlyMap<string, T> = new Map(),
): Shape<T> {
  return (value, place, problems) => {
    const known = values.find((candidate) => candidate === value);
    if (known !== undefined) return known;
    const meant = typeof value === 'string' ? (elsewhere.get(value.toLowerCase()) ?? value) : undefined;
    const hint = typeof value === 'string' ? `, not ${quoted(value)}${didYouMean(meant ?? value, values)}` : '';
    return refuse(problems, place, `must be one of ${values.join(', ')}${hint}`);
  };
}

export const flag: Shape<boolean> = (value, place, problems) =>
  typeof value === 'boolean' ? value : refuse(problems, place, 'must be true or false');

export const anything: Shape<Json> = (value) => value;

/** The shape, or null. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value, place, problems) => (value === null ? null : shape(value, place, problems));
}

/** Adds a problem for every repeated name. */
export function refuseTwice(
  items: readonly { readonly place: string; readonly [key: string]: unknown }[],
  key: string,
  problems: Problems,
  identity: (item: { readonly [key: string]: unknown }) => unknown = (item) => item[key],
): void {
  const seen = new Set<unknown>();
  for (const item of items) {
    const value = identity(item);
    if (seen.has(value)) problems.add(below(item.place, key), `is given twice: ${quoted(String(item[key]))}`);
    seen.add(value);
  }
}

/** The place of a key, such as `objects[0].name`. */
export function below(place: string, key: string): string {
  return place === '' ? key : `${place}.${key}`;
}

/** Quotes a key that is not a plain word, so that the place stays readable. */
function quotedKey(key: string): string {
  return /^[\w*$-]{1,60}$/.test(key) ? key : quoted(key);
}

function refuse(problems: Problems, place: string, message: string): undefined {
  problems.add(place, message);
}
