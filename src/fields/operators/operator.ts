/** What a filter can say, and of what. [spec: FilterGroup and FilterCondition] */
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

/** What other interfaces call an operator. */
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

/** What kind of value an operand is; operators are chosen by it. */
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
  /** Nothing that a filter or an order could speak of. */
  | 'none';

export interface Operand {
  readonly kind: OperandKind;
  /** An expression of `kind`'s SQL type: text, numeric, boolean, date, timestamptz, uuid, text, text[], jsonb, uuid[]. */
  readonly value: Sql;
  /** `option`, `options`: what a value may be given as (its value or its label). */
  readonly options?: readonly Option[];
  /** `values` (EMAILS, PHONES): the key of each object that holds the value. */
  readonly key?: 'email' | 'phone';
  /** What the rows are ordered by, and its SQL type as it travels in a cursor; absent where order has no meaning. */
  readonly sort?: { readonly value: Sql; readonly type: string; readonly nullable: boolean };
  /** Of a time that may stand for a day: whether it does, and the zone in which its day begins then. */
  readonly wholeDay?: { readonly isOne: Sql; readonly timeZone: string };
}

/** What a condition may lean on. All times are bound, so that the same request at another time is another query. */
export interface FilterContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA name: where a day begins. */
  readonly timeZone: string;
}

/** A condition as SQL, true or not (null counts as not). Throws FieldProblem for a value that it can't take. */
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
