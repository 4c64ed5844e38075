/** RATING: a whole number from 0 to 5. */
import { aggregates } from '../aggregates.ts';
import { misfit } from '../field-problem.ts';
import type { FieldType } from '../field-type.ts';
import { numberFromCell } from '../digits.ts';
import { decodeInteger, integer } from './integer.ts';
import { valueSchema } from '../json-schema.ts';

const most = 5;
const aRating = `a whole number from 0 to ${most}`;

export const rating: FieldType = {
  names: ['RATING'],
  columns: integer.columns,
  read: integer.read,
  schema: (field) => valueSchema(field.name, { type: 'integer', minimum: 0, maximum: most, examples: [4] }),
  operand: integer.operand,
  operators: integer.operators,
  aggregates: aggregates.ratings,
  decode(value) {
    const digits = value === null ? null : decodeInteger(value, aRating);
    if (digits !== null && (Number(digits) < 0 || Number(digits) > most)) throw misfit(aRating, value);
    return [digits];
  },
  fromCell: (text) => numberFromCell(text, aRating),
};
