/** The aggregate functions, and which fields allow them. [spec: Aggregate] */
import type { FieldDef, FieldTypeName } from './field-def.ts';
import type { Operand, OperandKind } from './operators/operator.ts';

export const aggregateNames = [
  'COUNT',
  'COUNT_DISTINCT',
  'COUNT_NULL',
  'SUM',
  'AVG',
  'MEDIAN',
  'MIN',
  'MAX',
  'RANGE',
  'STDDEV',
  'VARIANCE',
  'PERCENT_FILLED',
  'PERCENT_EMPTY',
  'COUNT_TRUE',
  'COUNT_FALSE',
  'PERCENT_TRUE',
  'PERCENT_FALSE',
  'AVG_LENGTH',
] as const;

export type AggregateName = (typeof aggregateNames)[number];

/** Functions whose result is one of the values, or between two of them: it has their kind. */
export const ofTheirKind: ReadonlySet<string> = new Set<AggregateName>(['MIN', 'MAX', 'MEDIAN']);

/** The functions that a field allows; where a type has several kinds of values, its operand decides. */
export type AggregateSet = (operand: Operand, field: FieldDef) => readonly AggregateName[];

const presence: readonly AggregateName[] = ['COUNT', 'COUNT_NULL', 'PERCENT_FILLED', 'PERCENT_EMPTY'];
const distinct: readonly AggregateName[] = [...presence, 'COUNT_DISTINCT'];
const order: readonly AggregateName[] = ['MEDIAN', 'MIN', 'MAX'];
const times: readonly AggregateName[] = [...distinct, ...order, 'RANGE'];
const durations: readonly AggregateName[] = [...times, 'SUM', 'AVG'];
const numbers: readonly AggregateName[] = [...durations, 'STDDEV', 'VARIANCE'];
const ratings: readonly AggregateName[] = [...distinct, ...order, 'AVG'];
const texts: readonly AggregateName[] = [...distinct, 'AVG_LENGTH'];
const truths: readonly AggregateName[] = [...distinct, 'COUNT_TRUE', 'COUNT_FALSE', 'PERCENT_TRUE', 'PERCENT_FALSE'];

const byKind: Readonly<Record<OperandKind, readonly AggregateName[]>> = {
  text: texts,
  number: numbers,
  boolean: truths,
  date: times,
  datetime: times,
  id: distinct,
  option: distinct,
  options: distinct,
  values: distinct,
  links: presence,
  none: presence,
};

/** Calculation outputs whose functions differ from those of their kind. */
const byOutput: Partial<Readonly<Record<FieldTypeName, readonly AggregateName[]>>> = {
  RATING: ratings,
  DURATION: durations,
  ELAPSED_TIME: durations,
  URL: distinct,
};

/** The functions per type. `ofItsValue` is for types that allow every function of their kind of value. */
export const aggregates = {
  presence: () => presence,
  distinct: () => distinct,
  durations: () => durations,
  ratings: () => ratings,
  ofItsValue: ({ kind }) => byKind[kind],
  ofItsOutput: ({ kind }, { calculation }) => (calculation && byOutput[calculation.outputType]) ?? byKind[kind],
} satisfies Record<string, AggregateSet>;
