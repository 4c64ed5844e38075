/** BOOLEAN: true, false or nothing. */
import { aggregates } from '../aggregates.ts';
import { misfit } from '../field-problem.ts';
import type { FieldType } from '../field-type.ts';
import { valueSchema } from '../json-schema.ts';
import { booleanMember, reading } from '../members.ts';
import { booleanOperand, columnOf } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';
import { booleanFromText } from '../operators/values.ts';

export const boolean: FieldType = {
  names: ['BOOLEAN'],
  columns: (field) => [{ name: field.name, type: 'boolean' }],
  read: (field, scope) => reading(columnOf(scope, field.name), booleanMember(field.name)),
  schema: (field) => valueSchema(field.name, { type: 'boolean' }),
  operand: (field, scope) => booleanOperand(columnOf(scope, field.name)),
  operators: operatorsOf('boolean'),
  aggregates: aggregates.ofItsValue,
  decode(value) {
    if (value === null) return [null];
    if (typeof value !== 'boolean') throw misfit('true or false', value);
    return [String(value)];
  },
  fromCell: (text) => (text.trim() === '' ? null : booleanFromText(text)),
};
