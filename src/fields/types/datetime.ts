/** DATETIME: an instant, kept to the microsecond, years 1 to 9999; always shown in UTC. */
import { sql, type Sql } from '../../postgres/sql.ts';
import { aggregates } from '../aggregates.ts';
import { compactDay } from './date.ts';
import type { FieldType } from '../field-type.ts';
import { datetimeSchema, valueSchema } from '../json-schema.ts';
import { parseInstant } from '../local-time.ts';
import { datetimeMember, reading } from '../members.ts';
import { noInstant } from '../no-instant.ts';
import { columnOf, datetimeOperand, isStamp } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';

/** An instant's JSON text as SQL: microseconds only where there are any. */
export function instantText(value: Sql): Sql {
  const utc = sql`(${value} at time zone 'UTC')`;
  const fraction = sql`regexp_replace(to_char(${utc}, 'US'), '0{1,3}$', '')`;
  return sql`to_char(${utc}, 'YYYY-MM-DD"T"HH24:MI:SS.') || ${fraction} || 'Z'`;
}

export const datetime: FieldType = {
  names: ['DATETIME'],
  mayBeUnique: true,
  columns: (field) => [{ name: field.name, type: 'timestamptz' }],
  read: (field, scope) => reading(columnOf(scope, field.name), datetimeMember(field.name)),
  schema: (field) =>
    isStamp(field) ? { read: { [field.name]: datetimeSchema } } : valueSchema(field.name, datetimeSchema),
  operand: (field, scope) => datetimeOperand(columnOf(scope, field.name), field),
  operators: operatorsOf('datetime'),
  aggregates: aggregates.ofItsValue,
  decode(value, _field, context) {
    if (value === null) return [null];
    const instant = typeof value === 'string' ? parseInstant(value, context.timeZone) : undefined;
    if (instant === undefined) throw noInstant('a date and time such as 2026-01-31T09:30:00Z', value);
    return [instant];
  },
  fromCell(text) {
    const cell = text.trim();
    return cell === '' ? null : (compactDay(cell) ?? cell);
  },
};
