/** Operators derived from others. */
import { sql, trusted } from '../../postgres/sql.ts';
import type { Sql } from '../../postgres/sql.ts';
import type { Json } from '../../lib/json.ts';
import type { FilterContext, Operand, Operator, OperatorSet } from './operator.ts';
import { listFrom, pairFrom } from './values.ts';

/** Kinds whose values PostgreSQL compares directly: how a value is parsed, and its SQL type. */
export interface Comparable {
  readonly type: string;
  read(value: Json, context: FilterContext): string;
}

/** The negation, which includes rows without a value. */
function not(operator: Operator): Operator {
  return (operand, value, context) => sql`(${operator(operand, value, context)}) is not true`;
}

/** An operator and its negation, by name. */
export function equality(equals: Operator, isIn: Operator): OperatorSet {
  return { equals, not_equals: not(equals), in: isIn, not_in: not(isIn) };
}

/** `equals`, `in` and their negations for directly compared values. */
export function comparableEquality({ type, read }: Comparable): OperatorSet {
  return equality(
    (operand, value, context) => sql`${operand.value} = ${read(value, context)}::${trusted(type)}`,
    (operand, value, context) => {
      const list = listFrom(value).map((item) => read(item, context));
      return sql`${operand.value} = any(${list}::${trusted(type)}[])`;
    },
  );
}

/** `left` and `right` are the compared expressions, where these are not the value itself. */
export function ordering(
  { type, read }: Comparable,
  left: (operand: Operand) => Sql = (operand) => operand.value,
  right: (bound: Sql) => Sql = (bound) => bound,
): OperatorSet {
  const bind = (value: Json, context: FilterContext) => right(sql`${read(value, context)}::${trusted(type)}`);
  const compare =
    (sign: string): Operator =>
    (operand, value, context) =>
      sql`${left(operand)} ${trusted(sign)} ${bind(value, context)}`;
  return {
    greater_than: compare('>'),
    less_than: compare('<'),
    greater_equal: compare('>='),
    less_equal: compare('<='),
    between(operand, value, context) {
      const [from, to] = pairFrom(value, type === 'date' || type === 'timestamptz' ? 'dates' : 'values');
      return sql`${left(operand)} between ${bind(from, context)} and ${bind(to, context)}`;
    },
  };
}

const isNull: Operator = ({ value }) => sql`${value} is null`;
const isNotNull: Operator = ({ value }) => sql`${value} is not null`;

/** For kinds in which only null is empty. */
export const nullness: OperatorSet = {
  is_null: isNull,
  is_not_null: isNotNull,
  is_empty: isNull,
  is_not_empty: isNotNull,
};
