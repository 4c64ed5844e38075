/** Aggregate functions as SQL, by kind of value. [spec: Aggregate] */
import { jsonString } from '../lib/json.ts';
import { sql, trusted, type Sql } from '../postgres/sql.ts';
import type { AggregateName } from './aggregates.ts';
import { groupKeyOf } from './group-key.ts';
import { utc } from './members.ts';
import type { Operand, OperandKind } from './operators/operator.ts';

/** The input of an aggregate. */
export interface Aggregated {
  readonly operand: Operand;
  /** Whether the row's value is null, and whether it is null or empty. */
  readonly isNull: Sql;
  readonly isEmpty: Sql;
}

export interface Aggregate {
  /** An aggregate expression, with a type that sorts like its values. */
  readonly value: Sql;
  /** Its text from PostgreSQL as JSON. */
  json(text: string): string;
}

const asIs = (text: string): string => text;

/** Builds the aggregate; `aggregated` is absent where rows are counted. The field must allow the function. */
export function aggregateOf(name: AggregateName, aggregated?: Aggregated): Aggregate {
  if (!aggregated) return { value: sql`count(*)`, json: asIs };
  const { operand, isNull, isEmpty } = aggregated;
  const { kind, value } = operand;
  switch (name) {
    case 'COUNT':
      return { value: sql`count(*) filter (where (${isNull}) is not true)`, json: asIs };
    case 'COUNT_NULL':
      return { value: sql`count(*) filter (where ${isNull})`, json: asIs };
    case 'COUNT_DISTINCT':
      return { value: sql`count(distinct ${distinctValue(operand)})`, json: asIs };
    case 'PERCENT_FILLED':
      return percentage(sql`(${isEmpty}) is not true`);
    case 'PERCENT_EMPTY':
      return percentage(isEmpty);
    case 'COUNT_TRUE':
      return { value: sql`count(*) filter (where ${value})`, json: asIs };
    case 'COUNT_FALSE':
      return { value: sql`count(*) filter (where not ${value})`, json: asIs };
    case 'PERCENT_TRUE':
      return percentage(value);
    case 'PERCENT_FALSE':
      return percentage(sql`not ${value}`);
    case 'AVG_LENGTH':
      return { value: sql`trim_scale(avg(length(${value})))`, json: asIs };
    case 'MIN':
    case 'MAX':
      return { value: sql`${trusted(name)}(${value})`, json: writerOf(kind) };
    case 'MEDIAN':
      return median(operand);
    case 'RANGE':
      return { value: range(operand), json: asIs };
    default:
      return { value: overNumbers(name, sql`(${value})::numeric`), json: asIs };
  }
}

/**
 * Deviation and variance are of a sample; PostgreSQL computes at least 16 significant digits, and exact results end
 * in zeros.
 */
function overNumbers(name: 'SUM' | 'AVG' | 'STDDEV' | 'VARIANCE', value: Sql): Sql {
  if (name === 'SUM') return sql`sum(${value})`;
  const functions = { AVG: 'avg', STDDEV: 'stddev_samp', VARIANCE: 'var_samp' };
  return sql`trim_scale(${trusted(functions[name])}(${value}))`;
}

/** The share of all rows, to two decimals; null without rows. */
function percentage(condition: Sql): Aggregate {
  const share = sql`100.0 * count(*) filter (where ${condition}) / nullif(count(*), 0)`;
  return { value: sql`trim_scale(round(${share}, 2))`, json: asIs };
}

/**
 * The mean of the two middle values, for types with a mean. Multiplying by a half is exact where dividing by two
 * rounds.
 */
function median({ kind, value }: Operand): Aggregate {
  const middle = (way: 'asc' | 'desc') => sql`percentile_disc(0.5) within group (order by ${value} ${trusted(way)})`;
  if (kind !== 'number') return { value: middle('asc'), json: writerOf(kind) };
  return { value: sql`trim_scale((${middle('asc')}::numeric + ${middle('desc')}::numeric) * 0.5)`, json: asIs };
}

/** Days between dates, seconds between times. */
function range({ kind, value }: Operand): Sql {
  const difference = sql`max(${value}) - min(${value})`;
  return kind === 'datetime' ? sql`trim_scale(extract(epoch from ${difference}))` : sql`(${difference})::numeric`;
}

/** Values are compared as group keys are, but texts by all their characters. */
function distinctValue(operand: Operand): Sql {
  return operand.kind === 'text' ? operand.value : (groupKeyOf(operand)?.key ?? operand.value);
}

function writerOf(kind: OperandKind): (text: string) => string {
  if (kind === 'number') return asIs;
  return kind === 'datetime' ? (text) => jsonString(utc(text)) : jsonString;
}
