/** [decisions: Tools] Change sets and their undo. */
import { getChangeSet, listChangeSets } from '../operations/records/change-sets.ts';
import { recordHistory } from '../operations/records/history.ts';
import { stepHistory } from '../operations/workspace/pipelines.ts';
import { listTrash } from '../operations/records/trash.ts';
import { undoChangeSet } from '../operations/records/undo.ts';
import { cursor, objectName, text, texts, whole, type ArgumentValues } from './arguments.ts';
import { defineTool, destroys, maxTokens, paged } from './define.ts';

const one = ['object_name', 'record_id'];
const page = ['cursor', 'limit'];

function theChangeSet({ change_set: id = null }: ArgumentValues) {
  return { operation: getChangeSet, input: { id } };
}

export const undo = defineTool({
  name: 'crm_undo',
  title: 'Undo',
  description:
    'list: change sets, the latest first. undo reverses one, as far as nobody has changed the same since. history: who changed a record. steps: its way through the pipeline. trash: what crm_save_record can restore.',
  input: {
    change_set: text(),
    since: text('a time; default 30 days ago'),
    actor: text(),
    object_name: objectName,
    record_id: text(),
    cursor,
    limit: whole(20, 100),
    fields: texts,
    max_tokens: maxTokens,
  },
  output: paged,
  hints: destroys,
  as: { object_name: 'object', record_id: 'id' },
  actions: {
    list: { operation: listChangeSets, takes: ['since', 'actor', ...page], rows: ['data'] },
    undo: { operation: undoChangeSet, needs: ['change_set'], affects: theChangeSet },
    history: { operation: recordHistory, needs: one, takes: page, rows: ['data'] },
    steps: {
      operation: stepHistory,
      needs: one,
      takes: page,
      rows: ['data'],
      samples: { object_name: 'opportunities' },
    },
    trash: { operation: listTrash, needs: ['object_name'], takes: page, rows: ['data'] },
  },
});
