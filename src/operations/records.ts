/** [spec: Records] One record at a time, and pages of them. */
import { Type } from 'typebox';
import type { Call } from '../access/call.ts';
import { errors } from '../errors.ts';
import type { JsonObject } from '../lib/json.ts';
import type { ObjectDef } from '../model/model.ts';
import { parseSort, type SortKey } from '../query/order.ts';
import { planGet } from '../query/plan.ts';
import { createOne } from '../records/create.ts';
import { objectNamed, recordId } from '../records/decode.ts';
import { addToLists, splitListKeys, type ListAdditions } from '../records/list-entries.ts';
import { listPage } from '../records/list-page.ts';
import { restoreFromTrash, trashRecord } from '../records/trash.ts';
import { updateOne } from '../records/update.ts';
import { filtersOf, FilterInput } from './filter-input.ts';
import { defineOperation, JsonText } from './operation.ts';
import { PageSize, pageSize } from './page-size.ts';

const ObjectName = Type.String({ description: 'Plural name of the object' });
const RecordId = Type.String({ description: 'Id of the record' });
const Values = Type.Record(Type.String(), Type.Unknown(), { description: 'Field values by field name' });

export const listRecords = defineOperation({
  id: 'records.list',
  summary: 'A page of records, filtered, searched and sorted',
  input: Type.Object(
    {
      object: ObjectName,
      limit: PageSize,
      cursor: Type.Optional(Type.String()),
      ...FilterInput,
      sort: Type.Optional(Type.Unknown()),
      sort_by: Type.Optional(Type.String()),
      sort_dir: Type.Optional(Type.String()),
      search: Type.Optional(Type.String()),
      fields: Type.Optional(Type.String({ description: 'Comma-separated; all visible ones when absent' })),
    },
    { additionalProperties: false },
  ),
  mode: 'read',
  cost: 'global',
  async run(call, input) {
    const object = viewableObject(call, input.object);
    const page = await listPage(call, object, {
      where: filtersOf(input, 'instead'),
      search: input.search,
      sort: parseSort(input as JsonObject, newestFirst(call, object)),
      limit: pageSize(input.limit, 20, 100),
      cursor: input.cursor,
      fields: namesIn(input.fields),
    });
    const next = page.nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(page.nextCursor)}`;
    return new JsonText(`{"data":${page.data},"total":${page.total}${next}}`);
  },
});

export const getRecord = defineOperation({
  id: 'records.get',
  summary: 'One record with its displays, relations and lists',
  input: Type.Object(
    { object: ObjectName, id: RecordId, fields: Type.Optional(Type.String()) },
    { additionalProperties: false },
  ),
  mode: 'read',
  cost: 'global',
  async run(call, input) {
    const object = viewableObject(call, input.object);
    const id = recordId(object, input.id);
    const plan = planGet(call, object, id, namesIn(input.fields));
    const [found] = await call.workspace.read(plan.statement);
    const record = plan.read(found?.rows ?? []);
    if (!record) throw errors.recordNotFound(object.name, id);
    return new JsonText(`{"record":${record.record}${record.lists === null ? '' : `,"lists":${record.lists}`}}`);
  },
});

export const createRecord = defineOperation({
  id: 'records.create',
  summary: 'Create a record',
  input: Type.Object({ object: ObjectName, values: Values }, { additionalProperties: false }),
  mode: 'write',
  cost: 'global',
  async run(call, input) {
    const object = creatableObject(call, input.object);
    const { keys, values } = splitListKeys(call, input.values as JsonObject);
    const { id, record } = await createOne(call, object, values);
    return changed(id, 'created', record, await addToLists(call, object, [id], keys));
  },
});

export const updateRecord = defineOperation({
  id: 'records.update',
  summary: 'Change fields of a record; those not given stay as they are',
  input: Type.Object({ object: ObjectName, id: RecordId, values: Values }, { additionalProperties: false }),
  mode: 'write',
  cost: 'global',
  async run(call, input) {
    const object = viewableObject(call, input.object);
    const id = recordId(object, input.id);
    const { keys, values } = splitListKeys(call, input.values as JsonObject);
    const record = await updateOne(call, object, id, values);
    return changed(id, 'updated', record, await addToLists(call, object, [id], keys));
  },
});

export const deleteRecord = defineOperation({
  id: 'records.delete',
  summary: 'Put a record into the trash',
  input: Type.Object({ object: ObjectName, id: RecordId }, { additionalProperties: false }),
  mode: 'write',
  cost: 'global',
  async run(call, input) {
    const object = viewableObject(call, input.object);
    await trashRecord(call, object, recordId(object, input.id));
    return { deleted: true };
  },
});

export const restoreRecord = defineOperation({
  id: 'records.restore',
  summary: 'Take a record out of the trash, within 30 days',
  input: Type.Object({ object: ObjectName, id: RecordId }, { additionalProperties: false }),
  mode: 'write',
  cost: 'global',
  async run(call, input) {
    const object = viewableObject(call, input.object);
    const id = recordId(object, input.id);
    return changed(id, 'restored', await restoreFromTrash(call, object, id), {});
  },
});

/** Ids are in the order of creation, too: for a role that does not see when that was. */
function newestFirst({ visibility }: Call, object: ObjectDef): readonly SortKey[] {
  return [{ field: visibility.shows(object.name, 'created_at') ? 'created_at' : 'id', direction: 'desc' }];
}

/** The object, for whoever may see some of its rows. Throws INVALID_OBJECT, PERMISSION_DENIED. */
function viewableObject(call: Call, name: string): ObjectDef {
  const object = objectNamed(call.model, call.visibility, name);
  if (call.visibility.rows(object.name) === 'none')
    throw errors.permissionDenied(`Your role may not view ${object.name}`);
  return object;
}

export function creatableObject(call: Call, name: string): ObjectDef {
  const object = objectNamed(call.model, call.visibility, name);
  if (!call.visibility.mayCreate(object.name)) throw errors.permissionDenied(`Your role may not create ${object.name}`);
  return object;
}

/** A record that its change took out of the caller's view is answered without itself. */
function changed(id: string, action: string, record: string | null, lists: ListAdditions): JsonText {
  const shown = record === null ? '' : `,"record":${record}`;
  const extra = Object.entries(lists).map(([key, value]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return new JsonText(`{"id":"${id}","action":"${action}"${shown}${extra.join('')}}`);
}

export function namesIn(text: string | undefined): string[] | undefined {
  const names = text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names && names.length > 0 ? names : undefined;
}
