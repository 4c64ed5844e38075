/** [contract: batch create] Creates up to 1,000 records in one request, each succeeding or failing by itself. */
import { Type } from 'typebox';
import { Component, RecordOut, shapedAs } from '../../describe/annotations.ts';
import { errors } from '../../errors.ts';
import type { Json } from '../../lib/json.ts';
import { joined, together } from '../../lib/long-text.ts';
import { readCreated } from '../../records/reading/read-created.ts';
import { importRows } from '../../records/import/import-rows.ts';
import { addToLists, parseListKeys } from '../../records/writing/list-entries.ts';
import { ListKeyInput, ObjectName } from '../inputs.ts';
import { JsonText, defineRecordOperation } from '../door/operation.ts';
import { ListAdditionsOut } from '../outputs.ts';

const mostRecords = 1000;

export const createRecords = defineRecordOperation({
  id: 'records.batchCreate',
  summary: 'Create up to 1,000 records; each succeeds or fails by itself',
  input: Type.Object(
    { object: ObjectName, records: Type.Array(Type.Unknown(shapedAs('create'))), ...ListKeyInput },
    { additionalProperties: false },
  ),
  output: Type.Object({
    action: Type.String({ enum: ['created'] }),
    created: Type.Integer(),
    failed: Type.Integer(),
    records: Type.Array(RecordOut),
    errors: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0 }),
        code: Type.String({ examples: ['VALIDATION_ERROR'] }),
        message: Type.String(),
        field_errors: Type.Optional(Type.Array(Component('FieldError'))),
      }),
    ),
    ...ListAdditionsOut,
  }),
  needs: 'create',
  effect: 'write',
  cost: 'global',
  async run(call, input, object) {
    const keys = parseListKeys(call, input);
    if (input.records.length === 0) throw errors.missingField('records', 'at least one');
    if (input.records.length > mostRecords) throw errors.validation(`records takes at most ${mostRecords} records`);
    const { outcome, records } = await call.workspace.transaction(async (tx) => {
      const written = await importRows(call, tx, object, input.records as Json[], 'strict');
      return { outcome: written, records: await readCreated(call, tx, object, written.createdIds) };
    });
    const lists = outcome.createdIds.length === 0 ? {} : await addToLists(call, object, outcome.createdIds, keys);
    const errorsFound = outcome.failures.map(({ index, code, message, fieldErrors }) => ({
      index,
      code,
      message,
      ...(fieldErrors && { field_errors: fieldErrors }),
    }));
    const rest = { created: outcome.createdIds.length, failed: outcome.failures.length, errors: errorsFound, ...lists };
    const text = together('{"action":"created","records":[', joined(records, ','), '],', JSON.stringify(rest).slice(1));
    return new JsonText(text);
  },
});
