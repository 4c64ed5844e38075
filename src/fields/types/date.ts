/** DATE: a day of the calendar, years 1 to 9999. */
import { aggregates } from '../aggregates.ts';
import type { Json } from '../../lib/json.ts';
import { misfit } from '../field-problem.ts';
import type { FieldType } from '../field-type.ts';
import { dateSchema, valueSchema } from '../json-schema.ts';
import { isDay } from '../local-time.ts';
import { quotedMember, reading } from '../members.ts';
import { columnOf, dateOperand } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';

export const date: FieldType = {
  names: ['DATE'],
  mayBeUnique: true,
  columns: (field) => [{ name: field.name, type: 'date' }],
  read: (field, scope) => reading(columnOf(scope, field.name), quotedMember(field.name)),
  schema: (field) => valueSchema(field.name, dateSchema),
  operand: (field, scope) => dateOperand(columnOf(scope, field.name)),
  operators: operatorsOf('date'),
  aggregates: aggregates.ofItsValue,
  decode: (value) => [value === null ? null : decodeDate(value)],
  fromCell(text) {
    const cell = text.trim();
    return cell === '' ? null : (compactDay(cell) ?? cell.replace(/^(\d{4}-\d{2}-\d{2})[T ].*$/i, '$1'));
  },
};

/** Converts `20260131` to `2026-01-31`; undefined for other text. */
export function compactDay(cell: string): string | undefined {
  return /^\d{8}$/.test(cell) ? `${cell.slice(0, 4)}-${cell.slice(4, 6)}-${cell.slice(6)}` : undefined;
}

function decodeDate(value: Json): string {
  if (typeof value === 'string' && isDay(value)) return value;
  throw misfit('a date such as 2026-01-31', value);
}
