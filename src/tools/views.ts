/** Views, of which the specification has no tool. */
import { createView, deleteView, getView, listViews, updateView } from '../operations/views.ts';
import { isObject } from '../lib/json.ts';
import { cursor, objectName, oneOf, text, values, type Given } from './arguments.ts';
import { defineTool, destroys } from './define.ts';

/** What `view` has stands beside the rest. */
function made({ view_id: id, view = {}, ...rest }: Given) {
  return { ...(isObject(view) && view), ...rest, ...(id !== undefined && { id }) };
}

export const views = defineTool({
  name: 'crm_views',
  title: 'Views',
  description:
    'Saved tables and boards. view: columns [{field,width}], filters, sort, search, group_by, totals, is_shared, position.',
  input: {
    view_id: text(),
    object_name: objectName,
    name: text(),
    layout: oneOf(['table', 'board']),
    view: values,
    cursor,
  },
  output: {},
  hints: destroys,
  as: { view_id: 'id', object_name: 'object' },
  actions: {
    list: { operation: listViews, takes: ['object_name', 'cursor'] },
    create: { operation: createView, needs: ['object_name', 'name'], takes: ['layout', 'view'], input: made },
    update: {
      operation: updateView,
      needs: ['view_id'],
      takes: ['name', 'layout', 'view'],
      shows: ['name'],
      input: made,
    },
    delete: {
      operation: deleteView,
      needs: ['view_id'],
      affects: ({ view_id: id = null }) => ({ operation: getView, input: { id } }),
    },
  },
});
