/** Describes which operators apply to which fields. */
import { FieldProblem } from '../fields/field-problem.ts';
import { operatorsOf } from '../fields/operators/by-kind.ts';
import { operatorNames } from '../fields/operators/operator.ts';
import type { ObjectDef } from '../model/model.ts';
import { visibleAttributes } from '../query/attributes.ts';
import type { QueryContext } from '../query/context.ts';
import { objectScope } from '../query/object-scope.ts';

/** A line per set of operators, with its fields. */
export function filterable(context: QueryContext, object: ObjectDef): string {
  const scope = objectScope(context, object, 'r');
  const fields = new Map<string, string[]>();
  for (const { name } of visibleAttributes(object, context.visibility)) {
    const operators = operatorsFor(() => scope.operand(name).kind);
    if (operators !== '') fields.set(operators, [...(fields.get(operators) ?? []), name]);
  }
  return [...fields].map(([operators, names]) => `- ${names.join(', ')}: ${operators}`).join('\n');
}

function operatorsFor(kind: () => Parameters<typeof operatorsOf>[0]): string {
  try {
    const set = operatorsOf(kind());
    return operatorNames.filter((name) => set[name]).join(', ');
  } catch (error) {
    // A field whose expression no longer compiles cannot be filtered.
    if (error instanceof FieldProblem) return '';
    throw error;
  }
}
