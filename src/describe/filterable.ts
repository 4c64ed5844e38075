/** Which operators go with which fields, in words. */
import { FieldProblem } from '../fields/field-problem.ts';
import { operatorsOf } from '../fields/operators/by-kind.ts';
import { operatorNames } from '../fields/operators/operator.ts';
import type { ObjectDef } from '../model/model.ts';
import { visibleAttributes } from '../query/attributes.ts';
import type { QueryContext } from '../query/context.ts';
import { objectScope } from '../query/object-scope.ts';

/** A line for each set of operators, with the fields that it is for. */
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
    // An expression that does not compile any more can't be filtered by.
    if (error instanceof FieldProblem) return '';
    throw error;
  }
}
