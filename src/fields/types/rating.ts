/** RATING: a whole number from 0 to 5. */
import { aggregates } from '../aggregates.ts';
import { misfit } from '../field-problem.ts';
import type { FieldType } from '../field-type.ts';
import { integer } from './integer.ts';
import { valueSchema } from '../json-schema.ts';

const most = 5;

export const rating: FieldType = {
  names: ['RATING'],
  columns: integer.columns,
  read: integer.read,
  schema: (field) => valueSchema(field.name, { type: 'integer', minimum: 0, maximum: most, examples: [4] }),
  operand: integer.operand,
  operators: integer.operators,
  aggregates: aggregates.ratings,
  decode(value, field, context) {
    const [digits = null] = integer.decode(value, field, context);
    if (digits !== null && (Number(digits) < 0 || Number(digits) > most)) {
      throw misfit(`a whole number from 0 to ${most}`, value);
    }
    return [digits];
  },
  fromCell: integer.fromCell,
};
