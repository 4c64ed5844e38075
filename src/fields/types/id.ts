/** ID: the record's own id, made by the service. */
import { aggregates } from '../aggregates.ts';
import { FieldProblem } from '../field-problem.ts';
import type { FieldType } from '../field-type.ts';
import { idSchema } from '../json-schema.ts';
import { quotedMember, reading } from '../members.ts';
import { columnOf, idOperand } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';
import { idFrom } from '../operators/values.ts';
import { trimmed } from './text.ts';

export const id: FieldType = {
  names: ['ID'],
  columns: (field) => [{ name: field.name, type: 'uuid' }],
  read: (field, scope) => reading(columnOf(scope, field.name), quotedMember(field.name)),
  schema: (field) => ({ read: { [field.name]: idSchema } }),
  operand: (field, scope) => idOperand(columnOf(scope, field.name), false),
  operators: operatorsOf('id'),
  aggregates: aggregates.distinct,
  decode(value) {
    if (value === null) throw new FieldProblem('must be an id');
    return [idFrom(value)];
  },
  fromCell: trimmed,
};
