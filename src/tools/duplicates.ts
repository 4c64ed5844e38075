/** [spec: Duplicates] Finds and merges duplicates. */
import { handleDuplicates } from '../operations/records/duplicates.ts';
import { listRecords } from '../operations/records/records.ts';
import { objectName, oneOf, text, texts, values, whole, yesOrNo, type ArgumentValues } from './arguments.ts';
import { defineTool, destroys, maxTokens } from './define.ts';

const doing = (action: string) => (args: ArgumentValues) => ({ action, ...args });

export const duplicates = defineTool({
  name: 'crm_duplicates',
  title: 'Duplicates',
  description:
    'For admins. merge puts duplicate_ids into master_id; values has, by field, the id of the record whose value is kept. unmerge takes it back.',
  input: {
    object_name: objectName,
    fields: texts,
    limit: whole(50, 200),
    normalize: yesOrNo,
    max_tokens: maxTokens,
    master_id: text(),
    duplicate_ids: texts,
    merge_strategy: oneOf(['keep_master', 'fill_blanks'], 'keep_master'),
    values,
  },
  output: { duplicate_groups: 'array', total_groups: 'integer' },
  hints: destroys,
  actions: {
    detect: {
      operation: handleDuplicates,
      needs: ['object_name'],
      takes: ['fields', 'limit', 'normalize'],
      input: doing('detect'),
    },
    merge: {
      operation: handleDuplicates,
      needs: ['object_name', 'master_id', 'duplicate_ids'],
      takes: ['merge_strategy', 'values'],
      input: doing('merge'),
      adjustExample: ({ values: chosen, ...rest }, { values: asked }) =>
        chosen !== undefined && JSON.stringify(chosen) === JSON.stringify(asked) ? { ...rest, values: chosen } : rest,
      affects: ({ object_name: object = null, master_id: one = null, duplicate_ids: others = null }) => ({
        operation: listRecords,
        input: { object, ids: [one, others].flat().join(',') },
      }),
    },
    unmerge: {
      operation: handleDuplicates,
      needs: ['object_name', 'duplicate_ids'],
      takes: ['master_id'],
      input: doing('unmerge'),
    },
  },
});
