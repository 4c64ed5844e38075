/** RATING: a whole number from 0 to 5. */
import { FieldProblem } from './field-problem.ts';
import type { FieldType } from './field-type.ts';
import { integer } from './integer.ts';

const most = 5;

export const rating: FieldType = {
  names: ['RATING'],
  columns: integer.columns,
  read: integer.read,
  operand: integer.operand,
  operators: integer.operators,
  decode(value, field, context) {
    const [digits = null] = integer.decode(value, field, context);
    if (digits !== null && (Number(digits) < 0 || Number(digits) > most)) {
      throw new FieldProblem(`must be a whole number from 0 to ${most}`);
    }
    return [digits];
  },
  fromCell: integer.fromCell,
};
