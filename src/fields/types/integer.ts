/** INTEGER: bigint, within ±(2^63 − 1). */
import { aggregates } from '../aggregates.ts';
import type { Json } from '../../lib/json.ts';
import { FieldProblem, misfit } from '../field-problem.ts';
import type { FieldType } from '../field-type.ts';
import { decodeNumber, numberFromCell } from '../digits.ts';
import { valueSchema } from '../json-schema.ts';
import { numberMember, reading } from '../members.ts';
import { columnOf, numberOperand } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';

const aWholeNumber = 'a whole number such as 1200';
const largest = 2n ** 63n - 1n;

export const integer: FieldType = {
  names: ['INTEGER'],
  mayBeUnique: true,
  columns: (field) => [{ name: field.name, type: 'bigint' }],
  read: (field, scope) => reading(columnOf(scope, field.name), numberMember(field.name)),
  schema: (field) => valueSchema(field.name, { type: 'integer', format: 'int64', examples: [25] }),
  operand: (field, scope) => numberOperand(columnOf(scope, field.name), 'bigint'),
  operators: operatorsOf('number'),
  aggregates: aggregates.ofItsValue,
  decode: (value) => [value === null ? null : decodeInteger(value)],
  fromCell: (text) => numberFromCell(text, aWholeNumber),
};

/** The digits of a whole number; `wanted` describes a valid value. Throws FieldProblem. */
export function decodeInteger(value: Json, wanted = aWholeNumber): string {
  const digits = decodeNumber(value, wanted).replace(/\.0*$/, '');
  if (digits.includes('.')) throw misfit(wanted, value);
  const size = BigInt(digits);
  if (size > largest || size < -largest) throw new FieldProblem(`must be between -${largest} and ${largest}`);
  return digits;
}
