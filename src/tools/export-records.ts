/** [spec: crm_export_records] Exports records. */
import { Download, type Answer } from '../operations/door/operation.ts';
import { exportRecords as exportThem } from '../operations/exports/export.ts';
import { anything, cursor, direction, filters, objectName, oneOf, someOf, text, texts, whole } from './arguments.ts';
import { defineTool, maxTokens, reads } from './define.ts';
import { simpleOperators } from './simple-filter.ts';
import type { ToolResult } from './tool.ts';

/** Puts a file into a member of the answer. */
async function inAnswer(answer: Answer): Promise<ToolResult> {
  if (!(answer instanceof Download)) return answer;
  const csv = (await Array.fromAsync(answer.chunks)).join('');
  const { shown = 0, nextCursor, isCut } = answer.page ?? {};
  return {
    format: 'csv',
    csv,
    total: shown,
    ...(nextCursor !== undefined && { nextCursor }),
    ...(isCut && { truncated: true }),
  };
}

export const exportRecords = defineTool({
  name: 'crm_export_records',
  title: 'Export Records',
  description: 'For admins. Labels stand in place of ids.',
  input: {
    object_name: objectName,
    format: oneOf(['json', 'csv'], 'json'),
    fields: texts,
    filter_field: text(),
    filter_operator: someOf([...simpleOperators, 'not_in', 'between']),
    filter_value: anything,
    filters,
    sort_by: text(),
    sort_dir: direction('asc'),
    limit: whole(500, 10_000),
    cursor,
    max_tokens: maxTokens,
  },
  output: { format: 'string', records: 'array', csv: 'string', total: 'integer', nextCursor: 'string' },
  hints: reads,
  choose: () => 'export',
  as: { object_name: 'object' },
  actions: {
    export: {
      operation: exportThem,
      needs: ['object_name'],
      takes: [
        ...['format', 'fields', 'filter_field', 'filter_operator', 'filter_value', 'filters'],
        ...['sort_by', 'sort_dir', 'limit', 'cursor'],
      ],
      joins: ['fields'],
      defaults: { limit: 500, format: 'json' },
      answer: inAnswer,
    },
  },
});
