/** [decisions: Tools] Creates, changes, deletes, restores or moves one record. */
import { moveInPipeline } from '../operations/workspace/pipelines.ts';
import { createRecord, deleteRecord, getRecord, restoreRecord, updateRecord } from '../operations/records/records.ts';
import { objectName, text, values } from './arguments.ts';
import { defineTool, destroys } from './define.ts';

const one = ['object_name', 'record_id'];

export const saveRecord = defineTool({
  name: 'crm_save_record',
  title: 'Save Record',
  description:
    'values: by field name, relations by id; what is not given stays. delete puts into the trash, restore takes out of it. move goes to a pipeline step, by id or name.',
  input: {
    object_name: objectName,
    record_id: text(),
    values,
    pipeline_step_id: text(),
    pipeline_id: text(),
  },
  output: { id: 'string', record: 'object' },
  hints: destroys,
  as: { object_name: 'object', record_id: 'id' },
  actions: {
    create: { operation: createRecord, needs: ['object_name', 'values'] },
    update: { operation: updateRecord, needs: [...one, 'values'] },
    delete: {
      operation: deleteRecord,
      needs: one,
      affects: ({ object_name: object = null, record_id: id = null }) => ({
        operation: getRecord,
        input: { object, id },
      }),
    },
    restore: { operation: restoreRecord, needs: one },
    move: {
      operation: moveInPipeline,
      needs: [...one, 'pipeline_step_id'],
      takes: ['pipeline_id'],
      samples: { object_name: 'opportunities' },
    },
  },
});
