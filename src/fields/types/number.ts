/** NUMBER, DECIMAL, PERCENT, and the seconds of DURATION and ELAPSED_TIME: numeric, with all digits kept. */
import { aggregates } from '../aggregates.ts';
import type { FieldType } from '../field-type.ts';
import { decodeNumber, numberFromCell } from '../digits.ts';
import { valueSchema } from '../json-schema.ts';
import { numberMember, reading } from '../members.ts';
import { columnOf, numberOperand } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';

export const number: FieldType = {
  names: ['NUMBER', 'DECIMAL', 'PERCENT'],
  mayBeUnique: true,
  columns: (field) => [{ name: field.name, type: 'numeric' }],
  read: (field, scope) => reading(columnOf(scope, field.name), numberMember(field.name)),
  schema: (field) => valueSchema(field.name, { type: 'number', examples: [25] }),
  operand: (field, scope) => numberOperand(columnOf(scope, field.name), 'numeric'),
  operators: operatorsOf('number'),
  aggregates: aggregates.ofItsValue,
  decode: (value) => [value === null ? null : decodeNumber(value)],
  fromCell: (text, field) => numberFromCell(field.type === 'PERCENT' ? text.trim().replace(/%$/, '') : text),
};

/** Durations have no standard deviation. [spec: Aggregate] */
export const duration: FieldType = {
  ...number,
  names: ['DURATION', 'ELAPSED_TIME'],
  aggregates: aggregates.durations,
};
