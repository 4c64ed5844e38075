/** [spec: crm_manage_lists] Lists and their entries. */
import { addListEntries, listEntries, removeListEntries } from '../operations/lists/list-entries.ts';
import { deleteList, getList, listLists, updateList } from '../operations/lists/lists.ts';
import { cursor, text, textOrNull, texts, values, whole, type ArgumentValues } from './arguments.ts';
import { defineTool, destroys, maxTokens, paged } from './define.ts';

const records = { needs: ['list_id', 'object_type'], takes: ['record_id', 'record_ids'], shows: ['record_ids'] };

const theList = ({ list_id: id = null }: ArgumentValues) => ({ operation: getList, input: { id } });

export const manageLists = defineTool({
  name: 'crm_manage_lists',
  title: 'Manage Lists',
  description:
    'Lists of records, and what is on them. update and delete are for admins; nothing brings a deleted list back but crm_undo.',
  input: {
    list_id: text(),
    record_id: text(),
    record_ids: texts,
    object_type: text('plural name of the object of the records'),
    entry_fields: values,
    name: text(),
    description: textOrNull(),
    icon_name: textOrNull(),
    color: textOrNull(),
    cursor,
    limit: whole(50, 100),
    fields: texts,
    max_tokens: maxTokens,
  },
  output: paged,
  hints: destroys,
  as: { list_id: 'id' },
  actions: {
    list: { operation: listLists, takes: ['cursor', 'limit', 'object_type'], rows: ['data'] },
    get: { operation: getList, needs: ['list_id'] },
    get_entries: { operation: listEntries, needs: ['list_id'], takes: ['cursor', 'limit'], rows: ['data'] },
    add: { operation: addListEntries, ...records, takes: [...records.takes, 'entry_fields'] },
    remove: { operation: removeListEntries, ...records, affects: theList },
    update: {
      operation: updateList,
      needs: ['list_id'],
      takes: ['name', 'description', 'icon_name', 'color'],
      shows: ['name'],
    },
    delete: { operation: deleteList, needs: ['list_id'], affects: theList },
  },
});
