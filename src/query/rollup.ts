/** A ROLLUP as SQL: an aggregate over the visible records whose relation leads to the row. */
import { aggregateOf, type Aggregated } from '../fields/aggregate-sql.ts';
import { aggregateNames, ofTheirKind, type AggregateName } from '../fields/aggregates.ts';
import { boundedNumber } from '../fields/bounds.ts';
import type { FieldDef, Rollup } from '../fields/field-def.ts';
import { FieldProblem } from '../fields/field-problem.ts';
import { computedOperand } from '../fields/operands.ts';
import type { Operand } from '../fields/operators/operator.ts';
import type { Unit } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import { and, empty, sql, type Sql } from '../postgres/sql.ts';
import { resolveAttribute } from './attributes.ts';
import { scopeBeyond, tableOf, type ObjectScope } from './row-scope.ts';
import { distinctCodes, eachCode, unitOf } from './units.ts';
import { visibleRow } from './where.ts';

/**
 * The value for `scope`'s row, computed per row; an index finds its records. Throws FieldProblem for a function that
 * the field does not allow.
 */
export function rollupOf(field: FieldDef, scope: ObjectScope): Operand {
  const { rollup, there, over } = summedRecords(field, scope);
  const summed = rollup.field === undefined ? undefined : summedUp(rollup, rollup.field, there);
  const { value } = aggregateOf(functionOf(rollup), summed);
  const kind = summed && ofTheirKind.has(rollup.function) ? summed.operand.kind : 'number';
  const isTime = kind === 'date' || kind === 'datetime';
  return computedOperand(isTime ? kind : 'number', over(isTime ? value : boundedNumber(sql`(${value})::numeric`)));
}

/** Functions that turn amounts into an amount. */
const amounts: ReadonlySet<string> = new Set<AggregateName>(['SUM', 'AVG', 'MIN', 'MAX', 'MEDIAN', 'RANGE']);

/** The unit of the value for `scope`'s row: the units of the aggregated amounts. */
export function unitsOfRollup(field: FieldDef, scope: ObjectScope): readonly Unit[] {
  const { rollup, there, over } = summedRecords(field, scope);
  if (rollup.field === undefined || !amounts.has(rollup.function)) return [];
  const unit = unitOf(there.units(rollup.field));
  if (!unit) return [];
  const code = over(distinctCodes, eachCode(unit), [sql`${there.operand(rollup.field).value} is not null`]);
  return [{ key: field.id, code }];
}

/** The aggregated records of `scope`'s row, and a function for the aggregate over those that meet a condition. */
function summedRecords(field: FieldDef, scope: ObjectScope) {
  const { rollup } = field;
  const target = scope.context.model.objects.get(rollup?.objectName ?? '');
  if (!rollup || !target) throw new Error(`${field.name} sums up nothing`);
  const there = scopeBeyond(scope, target);
  const over = (aggregate: Sql, beside: Sql = empty, conditions: readonly Sql[] = []) =>
    sql`(select ${aggregate} from ${tableOf(scope.context.model, target.table)} ${there.row} ${beside}
      where ${and([sql`${there.operand(rollup.relationField).value} = ${scope.row}.id`, visibleRow(there), ...conditions])})`;
  return { rollup, there, over };
}

function functionOf(rollup: Rollup): AggregateName {
  const name = aggregateNames.find((known) => known === rollup.function);
  if (!name) throw new Error(`No function ${rollup.function}`);
  return name;
}

/** The aggregated field on a row of its object. */
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
