/** [spec: Records] Single records, and pages of them. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { RecordOut, shapedAs } from '../../describe/annotations.ts';
import { errors, quoted } from '../../errors.ts';
import { parseInstant } from '../../fields/local-time.ts';
import type { JsonObject } from '../../lib/json.ts';
import { together } from '../../lib/long-text.ts';
import type { FilterGroup, ObjectDef } from '../../model/model.ts';
import { parseSort } from '../../query/order.ts';
import { planGet } from '../../query/plan-get.ts';
import { recordAsOf } from '../../records/past/as-of.ts';
import { masterOf, missingRecord, namingMaster } from '../../records/merging/old-ids.ts';
import { createOne } from '../../records/writing/create.ts';
import { recordId } from '../../records/reading/named.ts';
import { expectedStates, recordEtag } from '../../records/writing/etag.ts';
import { addToLists, splitListKeys } from '../../records/writing/list-entries.ts';
import { listPage } from '../../records/reading/list-page.ts';
import { restoreFromTrash, trashRecord } from '../../records/writing/trash.ts';
import { updateOne } from '../../records/writing/update.ts';
import { FilterInput, filtersOfList } from './filter-input.ts';
import { groupedList } from './grouped-list.ts';
import { Choice, Cursor, FieldNames, IfMatch, namesIn, ObjectName, RecordId, recordPage, Search } from '../inputs.ts';
import { newestFirst, SortInput } from './sort-input.ts';
import { changed } from './changed.ts';
import { JsonText, pageText, defineRecordOperation } from '../door/operation.ts';
import { Changed, GroupsOf, Id, PageOf } from '../outputs.ts';

const Values = (shape: 'create' | 'update') =>
  Type.Record(Type.String(), Type.Unknown(), { description: 'Field values by field name', ...shapedAs(shape) });

export const listRecords = defineRecordOperation({
  id: 'records.list',
  summary: 'A page of records, filtered, searched and sorted',
  input: Type.Object(
    {
      object: ObjectName,
      limit: recordPage.input,
      cursor: Cursor,
      ids: Type.Optional(Type.String({ description: 'Ids of records, comma-separated: of these alone' })),
      ...FilterInput,
      ...SortInput,
      search: Search,
      fields: FieldNames,
      group_by: Type.Optional(Type.String({ description: 'Records by this field; cursor and limit are ignored' })),
      limit_per_group: recordPage.input,
    },
    { additionalProperties: false },
  ),
  output: Type.Union([PageOf(RecordOut), GroupsOf(RecordOut)]),
  needs: 'view',
  effect: 'read',
  cost: 'global',
  async run(call, input, object) {
    const request = {
      where: [...filtersOfList(input, call.warn), ...withIds(namesIn(input.ids))],
      search: input.search,
      sort: parseSort(input as JsonObject, newestFirst(call, object), call.warn),
      fields: namesIn(input.fields),
    };
    if (input.group_by !== undefined) {
      const limit = recordPage.of(call, input.limit_per_group, 'limit_per_group');
      return groupedList(call, object, { ...request, groupBy: input.group_by, limit });
    }
    const limit = recordPage.of(call, input.limit);
    return pageText(await listPage(call, object, { ...request, limit, cursor: input.cursor }));
  },
});

/** A filter by ids. */
function withIds(ids: readonly string[] | undefined): readonly FilterGroup[] {
  return ids ? [{ type: 'AND', conditions: [{ field: 'id', operator: 'in', value: [...ids] }] }] : [];
}

export const getRecord = defineRecordOperation({
  id: 'records.get',
  summary: 'One record with its displays, relations and lists',
  input: Type.Object(
    {
      object: ObjectName,
      id: RecordId,
      fields: FieldNames,
      as_of: Type.Optional(Type.String({ description: 'A time: the record as it was then' })),
      follow: Type.Optional(Choice(['merged'])),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    record: RecordOut,
    lists: Type.Optional(
      Type.Array(
        Type.Object({
          list_id: Id,
          list_name: Type.String(),
          entry_id: Id,
          entry_fields: Type.Record(Type.String(), Type.Unknown()),
        }),
      ),
    ),
  }),
  needs: 'view',
  effect: 'read',
  cost: 'global',
  etag: 'state',
  async run(call, input, object) {
    const id = recordId(object, input.id);
    const fields = namesIn(input.fields);
    const { as_of: asOf, follow } = input;
    if (asOf !== undefined && follow !== undefined)
      throw errors.invalidArgument('as_of and follow are not given together: an old id has a past of its own');
    if (asOf !== undefined) return namingMaster(call, object, id, () => earlierRecord(call, object, id, asOf, fields));
    const record = (await read(call, object, id, fields)) ?? (await readMaster(call, object, id, fields, follow));
    const lists = record.lists === null ? '' : together(',"lists":', record.lists);
    const text = together('{"record":', record.record, lists, '}');
    return new JsonText(text, record.tag === null ? undefined : await recordEtag(record.tag, text));
  },
});

async function read(call: Call, object: ObjectDef, id: string, fields: readonly string[] | undefined) {
  const plan = planGet(call, object, id, fields);
  const [found] = await call.workspace.read(plan.statement);
  return plan.read(found?.rows ?? []);
}

/** Returns the record that `id` was merged into if the caller follows merges. Throws RECORD_NOT_FOUND, which names that record. */
async function readMaster(
  call: Call,
  object: ObjectDef,
  id: string,
  fields: readonly string[] | undefined,
  follow: 'merged' | undefined,
) {
  const master = follow && (await masterOf(call, object, id));
  const record = master && (await read(call, object, master, fields));
  if (record) return record;
  throw await missingRecord(call, object, id);
}

async function earlierRecord(
  call: Call,
  object: ObjectDef,
  id: string,
  asOf: string,
  fields: readonly string[] | undefined,
): Promise<JsonText> {
  const time = parseInstant(asOf, call.timeZone);
  if (time === undefined)
    throw errors.validation(`as_of must be a time such as 2026-01-31T09:30:00Z, not ${quoted(asOf)}`);
  const record = await recordAsOf(call, object, id, time, fields);
  if (record === undefined) throw errors.recordNotFound(object.name, id);
  return new JsonText(together('{"record":', record, '}'));
}

export const createRecord = defineRecordOperation({
  id: 'records.create',
  summary: 'Create a record',
  input: Type.Object({ object: ObjectName, values: Values('create') }, { additionalProperties: false }),
  output: Changed('created'),
  needs: 'create',
  effect: 'write',
  cost: 'global',
  etag: 'state',
  async run(call, input, object) {
    const { keys, values } = splitListKeys(call, input.values as JsonObject);
    const { id, record } = await createOne(call, object, values);
    return changed(id, 'created', record, await addToLists(call, object, [id], keys));
  },
});

export const updateRecord = defineRecordOperation({
  id: 'records.update',
  summary: 'Change fields of a record; absent ones stay unchanged',
  input: Type.Object(
    { object: ObjectName, id: RecordId, values: Values('update'), if_match: IfMatch },
    { additionalProperties: false },
  ),
  output: Changed('updated'),
  needs: 'update',
  effect: 'write',
  cost: 'global',
  etag: 'state',
  async run(call, input, object) {
    const id = recordId(object, input.id);
    const { keys, values } = splitListKeys(call, input.values as JsonObject);
    const expected = expectedStates(input.if_match);
    const record = await namingMaster(call, object, id, () => updateOne(call, object, id, values, expected));
    return changed(id, 'updated', record, await addToLists(call, object, [id], keys));
  },
});

export const deleteRecord = defineRecordOperation({
  id: 'records.delete',
  summary: 'Put a record into the trash',
  input: Type.Object({ object: ObjectName, id: RecordId, if_match: IfMatch }, { additionalProperties: false }),
  output: Type.Object({ deleted: Type.Boolean() }),
  needs: 'delete',
  effect: 'destructive',
  cost: 'global',
  async run(call, input, object) {
    const id = recordId(object, input.id);
    const expected = expectedStates(input.if_match);
    await namingMaster(call, object, id, () => trashRecord(call, object, id, expected));
    return { deleted: true };
  },
});

export const restoreRecord = defineRecordOperation({
  id: 'records.restore',
  summary: 'Restore a record from the trash, within 30 days',
  input: Type.Object({ object: ObjectName, id: RecordId }, { additionalProperties: false }),
  output: Changed('restored'),
  needs: 'delete',
  effect: 'write',
  cost: 'global',
  etag: 'state',
  async run(call, input, object) {
    const id = recordId(object, input.id);
    return changed(id, 'restored', await restoreFromTrash(call, object, id), {});
  },
});
