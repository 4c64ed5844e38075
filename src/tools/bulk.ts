/** [spec: Bulk] [decisions: Tools] One change of many records, and creating many records. */
import { createRecords } from '../operations/records/batch.ts';
import { bulkUpdate } from '../operations/records/bulk.ts';
import { cancelJob, getJob } from '../operations/background/jobs.ts';
import { listRecords } from '../operations/records/records.ts';
import { upsertRecords } from '../operations/records/upsert.ts';
import {
  anything,
  filters,
  objectName,
  objects,
  text,
  texts,
  values,
  whole,
  type ArgumentValues,
} from './arguments.ts';
import { defineTool, destroys } from './define.ts';

const which = ['record_ids', 'filters', 'expected_count'];
const relation = {
  operation: bulkUpdate,
  needs: ['object_name', 'relation_field', 'target_ids'],
  shows: ['record_ids'],
  samples: { object_name: 'opportunities', relation_field: 'contacts' },
};

const changing = (action: string) => (args: ArgumentValues) => ({ action, ...args });
const making = ({ object_name: object = null, ...rest }: ArgumentValues) => ({ object, ...rest });

/** Reads the first of the records, with their total. */
function theRecords({ object_name: object = null, record_ids: ids = null, filters = null }: ArgumentValues) {
  const which = ids === null || ids === '' ? (filters === null ? {} : { filters }) : { ids: [ids].flat().join(',') };
  return { operation: listRecords, input: { object, limit: 5, ...which } };
}

export const bulk = defineTool({
  name: 'crm_bulk',
  title: 'Bulk',
  description:
    'One change of records, or their end in the trash (delete, restore), those of record_ids or all that match filters, of which expected_count says how many; or up to 1,000 records made (create) or matched by the value of a field (upsert). status looks at a job, cancel ends it.',
  input: {
    object_name: objectName,
    record_ids: texts,
    filters,
    expected_count: whole(),
    field_name: text(),
    field_value: anything,
    relation_field: text(),
    target_ids: texts,
    target_object: text(),
    junction_data: values,
    records: objects(),
    match: text('upsert: this field'),
    add_to_list_ids: texts,
    create_list_name: text(),
    job_id: text(),
  },
  output: { updated: 'integer', deleted: 'integer', created: 'integer', failed: 'integer', job_id: 'string' },
  hints: destroys,
  as: { job_id: 'id' },
  actions: {
    update_field: {
      operation: bulkUpdate,
      needs: ['object_name', 'field_name', 'field_value'],
      takes: which,
      shows: ['record_ids'],
      input: changing('update_field'),
      affects: theRecords,
    },
    add_relation: {
      ...relation,
      takes: [...which, 'target_object', 'junction_data'],
      input: changing('add_relation'),
      affects: theRecords,
    },
    remove_relation: { ...relation, takes: which, input: changing('remove_relation'), affects: theRecords },
    delete: {
      operation: bulkUpdate,
      needs: ['object_name'],
      takes: which,
      shows: ['record_ids'],
      input: changing('delete'),
      affects: theRecords,
    },
    restore: { operation: bulkUpdate, needs: ['object_name', 'record_ids'], input: changing('restore') },
    create: {
      operation: createRecords,
      needs: ['object_name', 'records'],
      takes: ['add_to_list_ids', 'create_list_name'],
      input: making,
    },
    upsert: {
      operation: upsertRecords,
      needs: ['object_name', 'records', 'match'],
      input: making,
      samples: {
        object_name: 'contacts',
        records: [{ emails: 'anna@globex.test', job_title: 'CEO' }],
        match: 'emails',
      },
      affects: () => undefined,
    },
    status: { operation: getJob, needs: ['job_id'] },
    cancel: { operation: cancelJob, needs: ['job_id'] },
  },
});
