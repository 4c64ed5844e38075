/** Filter operators and operands. [spec: FilterGroup and FilterCondition] */
import type { Json } from '../../lib/json.ts';
import type { Sql } from '../../postgres/sql.ts';
import type { Option } from '../field-def.ts';

export const operatorNames = [
  'equals',
  'not_equals',
  'contains',
  'starts_with',
  'ends_with',
  'ilike',
  'greater_than',
  'less_than',
  'greater_equal',
  'less_equal',
  'between',
  'in',
  'not_in',
  'is_null',
  'is_not_null',
  'is_true',
  'is_false',
  'is_empty',
  'is_not_empty',
  'date_equals',
  'date_before',
  'date_after',
  'date_between',
  'date_today',
  'date_this_week',
  'date_this_month',
] as const;

export type OperatorName = (typeof operatorNames)[number];

/** Names of operators in other services. */
export const otherOperatorNames: ReadonlyMap<string, OperatorName> = new Map([
  ['eq', 'equals'],
  ['=', 'equals'],
  ['==', 'equals'],
  ['is', 'equals'],
  ['ne', 'not_equals'],
  ['neq', 'not_equals'],
  ['!=', 'not_equals'],
  ['<>', 'not_equals'],
  ['gt', 'greater_than'],
  ['>', 'greater_than'],
  ['lt', 'less_than'],
  ['<', 'less_than'],
  ['gte', 'greater_equal'],
  ['>=', 'greater_equal'],
  ['lte', 'less_equal'],
  ['<=', 'less_equal'],
  ['nin', 'not_in'],
  ['null', 'is_null'],
  ['notnull', 'is_not_null'],
  ['exists', 'is_not_null'],
  ['not_exists', 'is_null'],
  ['empty', 'is_empty'],
]);

/** The kind of an operand's value, which decides its operators. */
export type OperandKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'id'
  | 'option'
  | 'options'
  | 'values'
  | 'links'
  /** No filter or order possible. */
  | 'none';

export interface Operand {
  readonly kind: OperandKind;
  /**
   * An expression with `kind`'s SQL type: text, numeric, boolean, date, timestamptz, uuid, text, text[], jsonb,
   * uuid[].
   */
  readonly value: Sql;
  /** For `option` and `options`: the options, which are named by value or label. */
  readonly options?: readonly Option[];
  /** For `values` (EMAILS, PHONES): the key of the value in each object. */
  readonly key?: 'email' | 'phone';
  /** The sort expression, and its SQL type in a cursor; absent where an order has no meaning. */
  readonly sort?: { readonly value: Sql; readonly type: string; readonly nullable: boolean };
  /** For a time that may mean a whole day: whether it does, and the zone in which that day begins. */
  readonly wholeDay?: { readonly isOne: Sql; readonly timeZone: string };
}

/** The context of a condition. All times are bound values, so a request at another time is another query. */
export interface FilterContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA time zone, in which days begin. */
  readonly timeZone: string;
}

/** A condition as SQL, true or not (null counts as not). Throws FieldProblem for an invalid value. */
export type Operator = (operand: Operand, value: Json, context: FilterContext) => Sql;

export type OperatorSet = Partial<Readonly<Record<OperatorName, Operator>>>;

/** Operators that take no value. */
export const valueless: ReadonlySet<OperatorName> = new Set([
  'is_null',
  'is_not_null',
  'is_true',
  'is_false',
  'is_empty',
  'is_not_empty',
  'date_today',
  'date_this_week',
  'date_this_month',
]);
