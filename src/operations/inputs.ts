/** Schemas and readers that inputs share. */
import { Type } from 'typebox';
import type { Call } from '../access/call.ts';
import { inHeader, Lenient } from '../describe/annotations.ts';
import { errors, quoted, shortened } from '../errors.ts';
import { echoed } from '../fields/field-problem.ts';
import { parseInstant } from '../fields/local-time.ts';
import { noInstant } from '../fields/no-instant.ts';
import { Digits, type Json } from '../lib/json.ts';
import { mostLists } from '../records/writing/list-entries.ts';

/** The most bytes of a body, before and after decompression. Exports end earlier, so that an exported file can be imported. */
export const largestBody = 32 * 1024 * 1024;

export const ObjectName = Type.String({ description: 'Plural name of the object' });
export const RecordId = Type.String({ description: 'Id of the record' });
export const Cursor = Type.Optional(Type.String({ description: 'nextCursor of the page before' }));
export const Search = Type.Optional(Type.String({ description: 'Words that all must occur' }));
export const IfMatch = Type.Optional(
  Type.String({
    description: 'ETags of the states that the record may be in; any when absent',
    ...inHeader('If-Match'),
  }),
);
/** A list of names; `namesIn` reads it. */
export const FieldNames = Type.Optional(Type.String({ description: 'Comma-separated; all visible ones when absent' }));

/** The names; undefined if there are none. */
export function namesIn(text: string | undefined): string[] | undefined {
  const names = text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names && names.length > 0 ? names : undefined;
}

/** The instant in ISO 8601; undefined if absent. `name` is used in errors. Throws VALIDATION_ERROR. */
export function timeIn({ timeZone }: Pick<Call, 'timeZone'>, name: string, given: string | undefined) {
  if (given === undefined) return undefined;
  const time = parseInstant(given, timeZone);
  if (time !== undefined) return time;
  throw errors.validation(`${name} ${noInstant('a time such as 2026-01-31T09:30:00Z', given).message}`);
}

/** An enum of names with an optional default. */
export function Choice<const Names extends string[]>(names: readonly [...Names], usual?: Names[number]) {
  return Type.Enum(names, { type: 'string', ...(usual !== undefined && { default: usual }) });
}

/** The reserved keys beside records, validated by `records/writing/list-entries.ts`. [spec: Records, Import] */
export const ListKeyInput = {
  add_to_list_ids: Type.Optional(
    Lenient(Type.Array(Type.String({ format: 'uuid' }), { maxItems: mostLists }), 'Ids of lists to add the records to'),
  ),
  create_list_name: Type.Optional(
    Lenient(Type.String({ maxLength: 200 }), 'Name of a new list for the records (admin)'),
  ),
};

/**
 * A page size: its input schema and reader. Values outside the range are clamped with a warning; anything but a whole
 * number is refused. [spec: Page and size limits]
 */
export function pageSize(usual: number, max: number) {
  const range = `from 1 to ${max}`;
  return {
    input: Type.Optional(Lenient(Type.Integer({ minimum: 1, maximum: max, default: usual }), 'Clamped to its range')),
    /** The page size. Throws VALIDATION_ERROR with the parameter's `name`. */
    of({ warn }: Pick<Call, 'warn'>, given: unknown, name = 'limit'): number {
      if (given === undefined || given === null || given === '') return usual;
      const text = given instanceof Digits ? given.source : String(given);
      if (!/^-?\d+$/.test(text))
        throw errors.validation(`${name} must be a whole number ${range}, not ${asGiven(given)}`);
      const size = Math.min(max, Math.max(1, Number(text)));
      if (size !== Number(text)) warn(`${name} goes ${range}: ${shortened(text)} was taken as ${size}`);
      return size;
    },
  };
}

/** A value as error messages quote it. */
export function asGiven(given: unknown): string {
  const isText = typeof given !== 'object' || given instanceof Digits;
  return isText ? quoted(given instanceof Digits ? given.source : String(given)) : echoed(given as Json);
}

/** The page size of lists of records. */
export const recordPage = pageSize(20, 100);
