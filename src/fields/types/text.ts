/** TEXT and LONG_TEXT: stored as written. */
import { aggregates } from '../aggregates.ts';
import type { Json } from '../../lib/json.ts';
import type { FieldDef } from '../field-def.ts';
import { FieldProblem, misfit } from '../field-problem.ts';
import type { FieldType } from '../field-type.ts';
import { textSchema, valueSchema } from '../json-schema.ts';
import { longTextReading, reading, textMember } from '../members.ts';
import { columnOf, textOperand } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';
import { cut, longTextSearchLimit, normalise } from '../search-text.ts';

/** In characters (UTF-16 units). */
export const maxText = 10_000;
const maxLongText = 1_000_000;

/** The text. Throws FieldProblem for other values and for text longer than `max`. */
export function decodeText(value: Json, max: number): string {
  if (typeof value !== 'string') throw misfit('a text', value);
  if (value.length > max) throw new FieldProblem(`must be at most ${max.toLocaleString('en')} characters long`);
  return value;
}

/** A cell without surrounding white space; an empty one is null. */
export function trimmed(text: string): string | null {
  return text.trim() || null;
}

/** A cell as it is: white space belongs to a text. Only an empty cell is null. */
function asWritten(text: string): string | null {
  return text === '' ? null : text;
}

/** Shared by all types that are one text column. */
export const textColumn = {
  columns: (field: FieldDef) => [{ name: field.name, type: 'text collate "C"' }],
  read: (field, scope) => reading(columnOf(scope, field.name), textMember(field.name)),
  schema: (field) => valueSchema(field.name, textSchema),
  operand: (field, scope) => textOperand(columnOf(scope, field.name)),
  operators: operatorsOf('text'),
  aggregates: aggregates.ofItsValue,
  fromCell: trimmed,
} satisfies Partial<FieldType>;

export const text: FieldType = {
  ...textColumn,
  fromCell: asWritten,
  names: ['TEXT'],
  mayBeUnique: true,
  schema: (field) => valueSchema(field.name, textSchema, { ...textSchema, maxLength: maxText }),
  decode: (value) => [value === null ? null : decodeText(value, maxText)],
  searchText: ([cell]) => normalise(cell ?? ''),
};

export const longText: FieldType = {
  ...textColumn,
  fromCell: asWritten,
  names: ['LONG_TEXT'],
  read: (field, scope) => longTextReading(columnOf(scope, field.name), field.name),
  isLong: true,
  mayBeUnique: true,
  schema: (field) => valueSchema(field.name, textSchema, { ...textSchema, maxLength: maxLongText }),
  decode: (value) => [value === null ? null : decodeText(value, maxLongText)],
  searchText: ([cell]) => longTextSearch(cell ?? ''),
};

/** The searchable beginning of a long text. */
export function longTextSearch(cell: string): string {
  // Cut at twice the length first: white space may collapse, and normalising a whole page would be wasted.
  return cut(normalise(cut(cell, 2 * longTextSearchLimit)), longTextSearchLimit).trim();
}
