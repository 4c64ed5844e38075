/** ROLLUP: a sum of other records. Its definition is kept; its value is null. */
import { sql } from '../postgres/sql.ts';
import { FieldProblem } from './field-problem.ts';
import type { FieldType } from './field-type.ts';
import { numberMember, reading } from './members.ts';
import { numberOperand } from './operands.ts';
import { operatorsOf } from './operators/by-kind.ts';
import { trimmed } from './text.ts';

const none = sql`null::numeric`;

export const rollup: FieldType = {
  names: ['ROLLUP'],
  isComputed: () => true,
  columns: () => [],
  read: (field) => reading(none, numberMember(field.name)),
  operand: () => numberOperand(none, 'numeric'),
  operators: operatorsOf('number'),
  decode() {
    throw new FieldProblem('is computed');
  },
  fromCell: trimmed,
};
