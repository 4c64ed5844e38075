/** CALCULATED: an expression over other fields of the record, computed on reading and never written. */
import { computed } from '../computed.ts';
import { compileExpression } from '../expressions/to-sql.ts';
import type { PlainKind } from '../expressions/kinds.ts';
import { unitsOf } from '../expressions/units.ts';
import type { FieldDef, FieldTypeName } from '../field-def.ts';
import type { FieldType, RowScope } from '../field-type.ts';
import { computedSchema } from '../json-schema.ts';
import { numberOperand } from '../operands.ts';
import type { Operand } from '../operators/operator.ts';
import { sql } from '../../postgres/sql.ts';

export const calculated: FieldType = {
  names: ['CALCULATED'],
  ...computed(operandOf),
  units: ({ calculation }, scope) => (calculation ? unitsOf(calculation.parsed, (name) => scope.units(name)) : []),
  schema: ({ name, calculation }) => computedSchema(name, outcomeKind(calculation?.outputType ?? 'TEXT')),
};

/** The kind of value of this output type. */
export function outcomeKind(outputType: FieldTypeName): PlainKind {
  return kinds.get(outputType) ?? 'number';
}

const kinds: ReadonlyMap<FieldTypeName, PlainKind> = new Map([
  ['TEXT', 'text'],
  ['LONG_TEXT', 'text'],
  ['NUMBER', 'number'],
  ['INTEGER', 'number'],
  ['DECIMAL', 'number'],
  ['PERCENT', 'number'],
  ['CURRENCY', 'number'],
  ['RATING', 'number'],
  ['BOOLEAN', 'boolean'],
  ['DATE', 'date'],
  ['DATETIME', 'datetime'],
  ['DURATION', 'number'],
  ['ELAPSED_TIME', 'number'],
]);

/** The possible output types. */
export const outputTypes: readonly FieldTypeName[] = [...kinds.keys()];

const whole: ReadonlySet<FieldTypeName> = new Set(['INTEGER', 'RATING']);

function operandOf({ name, calculation }: FieldDef, scope: RowScope): Operand {
  if (!calculation) throw new Error(`${name} has no calculation`);
  const { parsed, outputType } = calculation;
  const operand = compileExpression(parsed, scope, outcomeKind(outputType));
  return operand.kind === 'number' && whole.has(outputType)
    ? numberOperand(sql`round(${operand.value})`, 'numeric')
    : operand;
}
