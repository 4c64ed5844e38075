/** Shared by CALCULATED and ROLLUP: not stored, never written, read and filtered by the kind of their result. */
import { aggregates } from './aggregates.ts';
import type { FieldDef } from './field-def.ts';
import { FieldProblem } from './field-problem.ts';
import type { FieldType, Member, RowScope } from './field-type.ts';
import { booleanMember, datetimeMember, numberMember, quotedMember, reading, textMember } from './members.ts';
import { anyOperators } from './operators/by-kind.ts';
import type { Operand, OperandKind } from './operators/operator.ts';
import { trimmed } from './types/text.ts';

/** The field type without its name and schema. */
export function computed(operand: (field: FieldDef, scope: RowScope) => Operand): Omit<FieldType, 'names' | 'schema'> {
  return {
    isComputed: () => true,
    columns: () => [],
    read(field, scope) {
      const { kind, value } = operand(field, scope);
      return reading(value, memberOf(kind, field.name));
    },
    operand,
    operators: anyOperators,
    aggregates: aggregates.ofItsOutput,
    decode() {
      throw new FieldProblem('is computed');
    },
    fromCell: trimmed,
  };
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
