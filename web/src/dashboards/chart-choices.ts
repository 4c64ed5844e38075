/** The choices of the chart form by field type. The service decides; the form only leaves out what it would refuse. */
import type { Field, FieldType } from '../api/workspace.ts';
import { valueTypeOf } from '../values/shapes.ts';

const presence = ['COUNT', 'COUNT_NULL', 'PERCENT_FILLED', 'PERCENT_EMPTY'];
const order = ['MEDIAN', 'MIN', 'MAX'];
const numbers = [...presence, 'COUNT_DISTINCT', ...order, 'RANGE', 'SUM', 'AVG', 'STDDEV', 'VARIANCE'];
const times = [...presence, 'COUNT_DISTINCT', ...order, 'RANGE'];
const noGroups: readonly FieldType[] = ['LONG_TEXT', 'RICH_TEXT', 'EMAILS', 'PHONES', 'MANY_TO_MANY'];

const byType: Partial<Record<FieldType, readonly string[]>> = {
  NUMBER: numbers,
  INTEGER: numbers,
  DECIMAL: numbers,
  PERCENT: numbers,
  CURRENCY: numbers,
  RATING: [...presence, 'COUNT_DISTINCT', ...order, 'AVG'],
  DATE: times,
  DATETIME: times,
  DURATION: [...times, 'SUM', 'AVG'],
  ELAPSED_TIME: [...times, 'SUM', 'AVG'],
  BOOLEAN: [...presence, 'COUNT_DISTINCT', 'COUNT_TRUE', 'COUNT_FALSE', 'PERCENT_TRUE', 'PERCENT_FALSE'],
  TEXT: [...presence, 'COUNT_DISTINCT', 'AVG_LENGTH'],
  LONG_TEXT: [...presence, 'COUNT_DISTINCT', 'AVG_LENGTH'],
  EMAIL: [...presence, 'COUNT_DISTINCT', 'AVG_LENGTH'],
  MANY_TO_MANY: presence,
  PIPELINE: presence,
  ADDRESS: presence,
};

/** The aggregate functions that the field allows. */
export function functionsOf(field: Pick<Field, 'type' | 'valueType'>): readonly string[] {
  return byType[valueTypeOf(field)] ?? [...presence, 'COUNT_DISTINCT'];
}

/** The fields that can group. */
export function groupFields(fields: readonly Field[]): readonly Field[] {
  return fields.filter(
    ({ type, relationConfig }) => !noGroups.includes(type) && relationConfig?.relationType !== 'HAS_MANY',
  );
}

/** Whether the field's values are dates or times. */
export function isTime(field: Pick<Field, 'type' | 'valueType'> | undefined): boolean {
  const type = field && valueTypeOf(field);
  return type === 'DATE' || type === 'DATETIME';
}
