/** [spec: Import] */
import { Type } from 'typebox';
import { Lenient } from '../describe/annotations.ts';
import { errors } from '../errors.ts';
import type { Json } from '../lib/json.ts';
import { importRows } from '../records/import/import-rows.ts';
import { addToLists, parseListKeys } from '../records/writing/list-entries.ts';
import { askAfterImport, manyRecords } from './background/after-import.ts';
import { ListKeyInput, ObjectName } from './inputs.ts';
import { defineRecordOperation } from './door/operation.ts';
import { Id, ListAdditionsOut } from './outputs.ts';

const mostRecords = 10_000;
const mostErrors = 100;

export const importRecords = defineRecordOperation({
  id: 'records.import',
  summary: 'Create many records from rows of field values; labels are taken for ids',
  input: Type.Object(
    {
      object: ObjectName,
      records: Type.Array(Lenient(Type.Object({}), 'Values by field; text is taken for every type')),
      ...ListKeyInput,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    object_name: Type.String(),
    created: Type.Integer(),
    created_ids: Type.Array(Id),
    duplicates: Type.Integer(),
    failed: Type.Integer(),
    errors: Type.Array(Type.Object({ index: Type.Integer({ minimum: 0 }), error: Type.String() }), { maxItems: 100 }),
    ...ListAdditionsOut,
  }),
  needs: 'create',
  effect: 'write',
  cost: 'bulk',
  source: 'import',
  adminOnly: 'Importing records',
  async run(call, input, object) {
    const keys = parseListKeys(call, input);
    if (input.records.length === 0) throw errors.missingField('records', 'at least one');
    if (input.records.length > mostRecords)
      throw errors.validation(`records takes at most ${mostRecords} records a call`);
    const { createdIds, duplicates, failures, ignored, unknownOwners } = await call.workspace.transaction(
      async (tx) => {
        const outcome = await importRows(call, tx, object, input.records as Json[], 'import');
        if (outcome.createdIds.length >= manyRecords) await askAfterImport(call, tx, object);
        return outcome;
      },
    );
    if (ignored.length > 0) call.warn(`Read-only columns were ignored: ${ignored.join(', ')}`);
    if (unknownOwners > 0) call.warn(`${unknownOwners} owners are no users here; their records are yours`);
    const failed = failures.filter((failure) => failure.code !== 'DUPLICATE_RECORD');
    return {
      object_name: object.name,
      created: createdIds.length,
      created_ids: createdIds,
      duplicates,
      failed: failed.length,
      errors: failed.slice(0, mostErrors).map(({ index, message }) => ({ index, error: message })),
      ...(createdIds.length > 0 && (await addToLists(call, object, createdIds, keys))),
    };
  },
});
