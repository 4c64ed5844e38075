/** The specification's table: which function works on which type of field. [spec: Aggregate] */
import type { AggregateName } from '../../src/fields/aggregates.ts';
import { fieldTypeNames, type FieldTypeName } from '../../src/fields/field-def.ts';

export const numeric: readonly FieldTypeName[] = ['NUMBER', 'INTEGER', 'DECIMAL', 'PERCENT', 'CURRENCY'];
const seconds: readonly FieldTypeName[] = ['DURATION', 'ELAPSED_TIME'];
const dates: readonly FieldTypeName[] = ['DATE', 'DATETIME'];
const virtual: readonly FieldTypeName[] = ['MANY_TO_MANY', 'PIPELINE', 'ADDRESS'];

/** Of CALCULATED and ROLLUP, what they give decides. */
export const storedTypes = fieldTypeNames.filter((name) => name !== 'CALCULATED' && name !== 'ROLLUP');

export const aggregateTable: Readonly<Record<AggregateName, readonly FieldTypeName[]>> = {
  COUNT: storedTypes,
  COUNT_NULL: storedTypes,
  PERCENT_FILLED: storedTypes,
  PERCENT_EMPTY: storedTypes,
  COUNT_DISTINCT: storedTypes.filter((name) => !virtual.includes(name)),
  SUM: [...numeric, ...seconds],
  AVG: [...numeric, 'RATING', ...seconds],
  MEDIAN: [...numeric, 'RATING', ...dates, ...seconds],
  MIN: [...numeric, 'RATING', ...dates, ...seconds],
  MAX: [...numeric, 'RATING', ...dates, ...seconds],
  RANGE: [...numeric, ...dates, ...seconds],
  STDDEV: numeric,
  VARIANCE: numeric,
  COUNT_TRUE: ['BOOLEAN'],
  COUNT_FALSE: ['BOOLEAN'],
  PERCENT_TRUE: ['BOOLEAN'],
  PERCENT_FALSE: ['BOOLEAN'],
  AVG_LENGTH: ['TEXT', 'LONG_TEXT', 'RICH_TEXT', 'EMAIL'],
};
