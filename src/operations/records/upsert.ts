/** [decisions: Writing] Upserts: changes the record with the same value of a match field, or creates one. */
import { Type } from 'typebox';
import { Component, RecordOut, shapedAs } from '../../describe/annotations.ts';
import { errors } from '../../errors.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import { upsertRows } from '../../records/import/upsert-rows.ts';
import { addToLists, splitListKeys } from '../../records/writing/list-entries.ts';
import { matchField } from '../../records/writing/match.ts';
import { upsertOne } from '../../records/writing/upsert.ts';
import { changed } from './changed.ts';
import { defineRecordOperation } from '../door/operation.ts';
import { IfMatch, ObjectName } from '../inputs.ts';
import { Id, ListAdditionsOut } from '../outputs.ts';

const mostRecords = 1_000;

const Match = Type.Optional(
  Type.String({ description: 'Required: the field that finds a record, unique or of the type EMAILS or PHONES' }),
);

/** The match field. Throws MISSING_REQUIRED_FIELD. */
function needed(match: string | undefined): string {
  if (match === undefined || match === '')
    throw errors.missingField(
      'match',
      'the field that finds a record; POST makes one, and to change one its id goes into the path',
    );
  return match;
}

export const upsertRecord = defineRecordOperation({
  id: 'records.upsert',
  summary: 'Change the record that has the same value of a field, or create one',
  input: Type.Object(
    {
      object: ObjectName,
      match: Match,
      values: Type.Record(Type.String(), Type.Unknown(), {
        description: 'Field values by field name',
        ...shapedAs('update'),
      }),
      if_match: IfMatch,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    id: Id,
    action: Type.String({ enum: ['created', 'updated'] }),
    record: Type.Optional(RecordOut),
    ...ListAdditionsOut,
  }),
  needs: 'update',
  effect: 'write',
  cost: 'global',
  etag: 'state',
  async run(call, input, object) {
    const match = matchField(call, object, needed(input.match));
    const { keys, values } = splitListKeys(call, input.values as JsonObject);
    const { id, action, record } = await upsertOne(call, object, match, values, input.if_match);
    return changed(id, action, record, await addToLists(call, object, [id], keys));
  },
});

export const upsertRecords = defineRecordOperation({
  id: 'records.batchUpsert',
  summary: 'Change or create up to 1,000 records by the value of a field; each succeeds or fails by itself',
  input: Type.Object(
    { object: ObjectName, match: Match, records: Type.Array(Type.Unknown(shapedAs('update'))) },
    { additionalProperties: false },
  ),
  output: Type.Object({
    action: Type.String({ enum: ['upserted'] }),
    created: Type.Integer(),
    updated: Type.Integer(),
    failed: Type.Integer(),
    records: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0 }),
        id: Id,
        action: Type.String({ enum: ['created', 'updated'] }),
      }),
    ),
    errors: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0 }),
        code: Type.String({ examples: ['CONFLICT'] }),
        message: Type.String(),
        field_errors: Type.Optional(Type.Array(Component('FieldError'))),
      }),
    ),
  }),
  needs: 'update',
  effect: 'write',
  cost: 'long',
  async run(call, input, object) {
    const match = matchField(call, object, needed(input.match));
    if (input.records.length === 0) throw errors.missingField('records', 'at least one');
    if (input.records.length > mostRecords) throw errors.validation(`records takes at most ${mostRecords} records`);
    const { records, failures } = await call.workspace.transaction((tx) =>
      upsertRows(call, tx, object, match, input.records as Json[]),
    );
    const created = records.filter(({ action }) => action === 'created').length;
    return {
      action: 'upserted',
      created,
      updated: records.length - created,
      failed: failures.length,
      records,
      errors: failures.map(({ fieldErrors, ...rest }) => ({
        ...rest,
        ...(fieldErrors && { field_errors: fieldErrors }),
      })),
    };
  },
});
