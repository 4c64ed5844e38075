/** CALCULATED: an expression over other fields of the record, computed when it is read and never written. */
import type { FieldDef } from './field-def.ts';
import { FieldProblem } from './field-problem.ts';
import type { FieldType, Member, RowScope } from './field-type.ts';
import { compileExpression } from './expression-sql.ts';
import { booleanMember, datetimeMember, numberMember, quotedMember, reading, textMember } from './members.ts';
import { anyOperators } from './operators/by-kind.ts';
import type { Operand, OperandKind } from './operators/operator.ts';
import { trimmed } from './text.ts';

export const calculated: FieldType = {
  names: ['CALCULATED'],
  isComputed: () => true,
  columns: () => [],
  read(field, scope) {
    const { kind, value } = operandOf(field, scope);
    return reading(value, memberOf(kind, field.name));
  },
  operand: operandOf,
  operators: anyOperators,
  decode() {
    throw new FieldProblem('is computed');
  },
  fromCell: trimmed,
};

function operandOf(field: FieldDef, scope: RowScope): Operand {
  if (!field.calculation) throw new Error(`${field.name} has no calculation`);
  return compileExpression(field.calculation.parsed, scope);
}

function memberOf(kind: OperandKind, key: string): Member {
  switch (kind) {
    case 'number':
      return numberMember(key);
    case 'boolean':
      return booleanMember(key);
    case 'datetime':
      return datetimeMember(key);
    case 'date':
    case 'id':
      return quotedMember(key);
    default:
      return textMember(key);
  }
}
