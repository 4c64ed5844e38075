/** [spec: crm_global_search] Searches all objects. */
import { searchEverything } from '../operations/records/search.ts';
import { filters, objectName, sort, text, texts, whole } from './arguments.ts';
import { defineTool, maxTokens, reads } from './define.ts';

export const globalSearch = defineTool({
  name: 'crm_global_search',
  title: 'Global Search',
  description:
    'Records of all objects in which all words occur, best first. Objects without a field of filters or sort are left out.',
  input: {
    query: { ...text(), minLength: 2 },
    limit: { ...whole(20, 50), description: 'per object' },
    offset: whole(0),
    object_name: objectName,
    filters,
    sort,
    fields: texts,
    max_tokens: maxTokens,
  },
  output: { query: 'string', results: 'array', total: 'integer' },
  hints: reads,
  choose: () => 'search',
  as: { object_name: 'object' },
  actions: {
    search: {
      operation: searchEverything,
      needs: ['query'],
      takes: ['limit', 'offset', 'object_name', 'filters', 'sort'],
      defaults: { limit: 20 },
      rows: ['results.records'],
    },
  },
});
