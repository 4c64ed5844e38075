/** What inputs of several operations have in common. */
import { Type } from 'typebox';
import { Lenient } from '../describe/annotations.ts';
import { Digits } from '../lib/json.ts';

export const ObjectName = Type.String({ description: 'Plural name of the object' });
export const RecordId = Type.String({ description: 'Id of the record' });
export const Cursor = Type.Optional(Type.String({ description: 'nextCursor of the page before' }));
export const Search = Type.Optional(Type.String({ description: 'Words that all must occur' }));
/** `namesIn` reads it. */
export const FieldNames = Type.Optional(Type.String({ description: 'Comma-separated; all visible ones when absent' }));

/** Undefined where none is named. */
export function namesIn(text: string | undefined): string[] | undefined {
  const names = text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names && names.length > 0 ? names : undefined;
}

/** The reserved keys beside records. [spec: Records, Import] `records/list-entries.ts` says what is wrong with them. */
export const ListKeyInput = {
  add_to_list_ids: Type.Optional(
    Lenient(Type.Array(Type.String({ format: 'uuid' })), 'Ids of lists to add the records to'),
  ),
  create_list_name: Type.Optional(
    Lenient(Type.String({ maxLength: 200 }), 'Name of a new list for the records (admin)'),
  ),
};

/**
 * A page size: the input for it, and the number that a given one means. One outside the range is clamped to it; what is no
 * number takes the default. [spec: Page and size limits]
 */
export function pageSize(usual: number, max: number) {
  return {
    input: Type.Optional(Lenient(Type.Integer({ minimum: 1, maximum: max, default: usual }), 'Clamped to its range')),
    of(given: unknown): number {
      if (given === undefined || given === null || given === '') return usual;
      const number = Number(given instanceof Digits ? given.source : given);
      if (Number.isNaN(number)) return usual;
      return Math.min(max, Math.max(1, Math.trunc(number)));
    },
  };
}

/** That of records and what belongs to them. */
export const recordPage = pageSize(20, 100);
