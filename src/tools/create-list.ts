/** [decisions: crm_create_list] Creates a list with records. */
import { createList as create } from '../operations/lists/lists.ts';
import { objects, text, textOrNull, texts } from './arguments.ts';
import { defineTool, writes } from './define.ts';

export const createList = defineTool({
  name: 'crm_create_list',
  title: 'Create List',
  description: 'For admins. object_type is that of record_ids, where the list takes several.',
  input: {
    name: text(),
    object_types: texts,
    description: textOrNull(),
    icon_name: textOrNull(),
    color: textOrNull(),
    fields: objects('of entries: [{"name","type"}]'),
    record_ids: texts,
    object_type: text(),
  },
  output: { id: 'string' },
  hints: writes,
  choose: () => 'create',
  actions: {
    create: {
      operation: create,
      needs: ['name', 'object_types'],
      takes: ['description', 'icon_name', 'color', 'fields', 'record_ids', 'object_type'],
    },
  },
});
