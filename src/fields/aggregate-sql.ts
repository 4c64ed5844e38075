/** Functions over many values as SQL, by kind of value. [spec: Aggregate] */
import { jsonString } from '../lib/json.ts';
import { sql, trusted, type Sql } from '../postgres/sql.ts';
import type { AggregateName } from './aggregates.ts';
import { groupKeyOf } from './group-key.ts';
import { utc } from './members.ts';
import type { Operand, OperandKind } from './operators/operator.ts';

/** What is aggregated. */
export interface Aggregated {
  readonly operand: Operand;
  /** Whether the row has no value, and whether it has none or an empty one. */
  readonly isNull: Sql;
  readonly isEmpty: Sql;
}

export interface Aggregate {
  /** An aggregate expression, of a type that sorts as its values do. */
  readonly value: Sql;
  /** Its text, as PostgreSQL prints it, as JSON. */
  json(text: string): string;
}

const asIs = (text: string): string => text;

/** `aggregated` is absent where rows are counted. The function must be one that the field takes. */
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

/** Of a sample; PostgreSQL calculates with at least 16 significant digits, and what is exact ends in zeros. */
function overNumbers(name: 'SUM' | 'AVG' | 'STDDEV' | 'VARIANCE', value: Sql): Sql {
  if (name === 'SUM') return sql`sum(${value})`;
  const functions = { AVG: 'avg', STDDEV: 'stddev_samp', VARIANCE: 'var_samp' };
  return sql`trim_scale(${trusted(functions[name])}(${value}))`;
}

/** Of all rows, to two decimals; null where there are none. */
function percentage(condition: Sql): Aggregate {
  const share = sql`100.0 * count(*) filter (where ${condition}) / nullif(count(*), 0)`;
  return { value: sql`trim_scale(round(${share}, 2))`, json: asIs };
}

/** The mean of the two in the middle, where values have one. Times a half is exact where a division by two rounds. */
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

/** Values are told apart as groups are, but texts to their last character. */
function distinctValue(operand: Operand): Sql {
  return operand.kind === 'text' ? operand.value : (groupKeyOf(operand)?.key ?? operand.value);
}

function writerOf(kind: OperandKind): (text: string) => string {
  if (kind === 'number') return asIs;
  return kind === 'datetime' ? (text) => jsonString(utc(text)) : jsonString;
}
