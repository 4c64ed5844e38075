/** [spec: crm_aggregate_records] Aggregates over records. */
import type { JsonObject } from '../lib/json.ts';
import { aggregateRecords as aggregate } from '../operations/records/aggregate.ts';
import { anything, filters, objectName, oneName, someOf, text } from './arguments.ts';
import { defineTool, maxTokens, reads } from './define.ts';
import { simpleOperators } from './simple-filter.ts';

const functions = [
  ...['COUNT', 'COUNT_DISTINCT', 'SUM', 'AVG', 'MIN', 'MAX', 'MEDIAN', 'RANGE', 'STDDEV', 'VARIANCE'],
  ...['PERCENT_FILLED', 'PERCENT_EMPTY', 'COUNT_NULL'],
];

/** Counts instead of summing ids, the only field known of every object. */
export function countingIds(example: JsonObject, field: string, name: string): JsonObject {
  const isOfIds = example[field] === 'id' && !ofIds.has(String(example[name] ?? 'COUNT').toUpperCase());
  return isOfIds ? { ...example, [name]: 'COUNT' } : example;
}

const ofIds: ReadonlySet<string> = new Set([
  'COUNT',
  'COUNT_DISTINCT',
  'COUNT_NULL',
  'PERCENT_FILLED',
  'PERCENT_EMPTY',
]);

export const aggregateRecords = defineTool({
  name: 'crm_aggregate_records',
  title: 'Aggregate Records',
  description:
    'A function over the records that match filters and the simple filter, of all or by the groups of one field.',
  input: {
    object_name: objectName,
    field: text(),
    function: someOf(functions),
    group_by: { ...text(), pattern: oneName },
    filter_field: text(),
    filter_operator: someOf(simpleOperators),
    filter_value: anything,
    filters,
    max_tokens: maxTokens,
  },
  output: { value: 'any', results: 'array', truncated: 'boolean' },
  hints: reads,
  choose: () => 'aggregate',
  as: { object_name: 'object' },
  actions: {
    aggregate: {
      operation: aggregate,
      needs: ['object_name', 'field', 'function'],
      takes: ['group_by', 'filter_field', 'filter_operator', 'filter_value', 'filters'],
      adjustExample: (example) => countingIds(example, 'field', 'function'),
    },
  },
});
