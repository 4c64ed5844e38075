/** A ROLLUP as SQL: an aggregate over the records whose relation leads to the row, as far as the caller may see them. */
import { aggregateOf, type Aggregated } from '../fields/aggregate-sql.ts';
import { aggregateNames, ofTheirKind, type AggregateName } from '../fields/aggregates.ts';
import { boundedNumber } from '../fields/bounds.ts';
import type { FieldDef, Rollup } from '../fields/field-def.ts';
import { FieldProblem } from '../fields/field-problem.ts';
import { dateOperand, datetimeOperand, numberOperand } from '../fields/operands.ts';
import type { Operand } from '../fields/operators/operator.ts';
import { fieldType } from '../fields/registry.ts';
import { sql, type Sql } from '../postgres/sql.ts';
import { resolveAttribute } from './attributes.ts';
import { scopeBeyond, tableOf, type ObjectScope } from './row-scope.ts';
import { visibleRow } from './where.ts';

/**
 * The value for `scope`'s row, computed by itself for each row that is looked at; an index leads to its records. Throws
 * FieldProblem for a function that the field does not take.
 */
export function rollupOf(field: FieldDef, scope: ObjectScope): Operand {
  const { rollup } = field;
  const target = scope.context.model.objects.get(rollup?.objectName ?? '');
  if (!rollup || !target) throw new Error(`${field.name} sums up nothing`);
  const there = scopeBeyond(scope, target);
  const summed = rollup.field === undefined ? undefined : summedUp(rollup, rollup.field, there);
  const { value } = aggregateOf(functionOf(rollup), summed);
  const over = (
    aggregate: Sql,
  ) => sql`(select ${aggregate} from ${tableOf(scope.context.model, target.name)} ${there.row}
    where ${there.operand(rollup.relationField).value} = ${scope.row}.id and ${visibleRow(there)})`;
  const kind = summed && ofTheirKind.has(rollup.function) ? summed.operand.kind : 'number';
  if (kind === 'date') return dateOperand(over(value));
  if (kind === 'datetime') return datetimeOperand(over(value));
  return numberOperand(over(boundedNumber(sql`(${value})::numeric`)), 'numeric');
}

function functionOf(rollup: Rollup): AggregateName {
  const name = aggregateNames.find((known) => known === rollup.function);
  if (!name) throw new Error(`No function ${rollup.function}`);
  return name;
}

/** The field that is summed up, of a row of its object. */
function summedUp(rollup: Rollup, fieldName: string, there: ObjectScope): Aggregated {
  const field = resolveAttribute(there.object, fieldName);
  if (!field) throw new Error(`${there.object.name} has no field ${fieldName}`);
  const type = fieldType(field.type);
  const operand = there.operand(fieldName);
  const { is_null: isNull, is_empty: isEmpty } = type.operators;
  const functions = type.aggregates(operand, field);
  if (!isNull || !isEmpty || !functions.includes(functionOf(rollup))) {
    throw new FieldProblem(`does not work on ${fieldName}`, functions);
  }
  return {
    operand,
    isNull: isNull(operand, null, there.clock),
    isEmpty: isEmpty(operand, null, there.clock),
  };
}
