/** Lists: custom collections of records of one or several objects. [spec: Other resources, crm_manage_lists] */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { objectHint } from '../../lib/other-names.ts';
import type { ObjectDef } from '../../model/model.ts';
import { changeList, createList as storeList, deleteList as removeList } from '../../records/lists/change-list.ts';
import { addEntries, objectOfList } from '../../records/lists/entries.ts';
import { listsPage, readList } from '../../records/lists/lists-page.ts';
import { listableObjects } from '../../records/lists/stored-list.ts';
import { givenName } from '../given-name.ts';
import { Cursor, pageSize } from '../inputs.ts';
import { mergedFields } from './list-fields.ts';
import { CreatedListOut, Fields, ListId, ListName, ListOut, ListTexts, ObjectTypes, RecordIds } from './list-shapes.ts';
import { defineOperation, JsonText, pageText } from '../door/operation.ts';
import { PageOf } from '../outputs.ts';

/** [spec: Page and size limits] The page size of lists. */
export const listsPageSize = pageSize(50, 100);

export const listLists = defineOperation({
  id: 'lists.list',
  summary: 'Lists of records, by name',
  input: Type.Object(
    {
      object_type: Type.Optional(Type.String({ description: 'Lists that take records of this object' })),
      search: Type.Optional(Type.String({ maxLength: 500, description: 'Part of a name' })),
      limit: listsPageSize.input,
      cursor: Cursor,
    },
    { additionalProperties: false },
  ),
  output: PageOf(ListOut),
  effect: 'read',
  cost: 'global',
  etag: 'answer',
  async run(call, { object_type: objectType, search, limit, cursor }) {
    const request = { limit: listsPageSize.of(call, limit), cursor, objectType, search };
    return pageText(await listsPage(call, request));
  },
});

export const getList = defineOperation({
  id: 'list.get',
  summary: 'One list',
  input: Type.Object({ id: ListId }, { additionalProperties: false }),
  output: ListOut,
  effect: 'read',
  cost: 'global',
  etag: 'answer',
  async run(call, { id }) {
    return new JsonText(await readList(call, id));
  },
});

export const createList = defineOperation({
  id: 'list.create',
  summary: 'Create a list, optionally with records',
  input: Type.Object(
    {
      name: ListName,
      object_types: ObjectTypes,
      ...ListTexts,
      fields: Fields,
      record_ids: RecordIds.record_ids,
      object_type: Type.Optional(
        Type.String({ description: 'The object of record_ids; needed where the list takes several' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: CreatedListOut,
  effect: 'write',
  cost: 'global',
  adminOnly: 'Creating a list',
  async run(call, { name, object_types: types, fields, record_ids: recordIds, object_type: type, ...texts }) {
    const { description = null, icon_name = null, color = null } = texts;
    const list = {
      name: givenName(name),
      description,
      icon_name,
      color,
      objects: objectsOf(call, types),
      fields: mergedFields(call, fields ?? [], []),
    };
    const only = list.objects.length === 1 ? list.objects[0]?.name : undefined;
    const objectName = type ?? only;
    if (recordIds?.length === 0) throw errors.missingField('record_ids', 'at least one, or leave it out');
    if (recordIds && objectName === undefined) throw errors.missingField('object_type', 'the object of record_ids');
    return call.workspace.transaction(async (tx) => {
      const made = await storeList(call, tx, list);
      const outcome =
        recordIds && objectName !== undefined
          ? await addEntries(call, tx, made, { object: objectOfList(call, made, objectName), recordIds })
          : {};
      return new JsonText(withMembers(await readList(call, made.id, tx), outcome));
    });
  },
});

export const updateList = defineOperation({
  id: 'list.update',
  summary: 'Change a list; absent keys stay unchanged',
  input: Type.Object(
    {
      id: ListId,
      name: Type.Optional(ListName),
      ...ListTexts,
      object_types: Type.Optional(ObjectTypes),
      fields: Fields,
    },
    { additionalProperties: false },
  ),
  output: ListOut,
  effect: 'write',
  cost: 'global',
  isPartial: true,
  adminOnly: 'Changing a list',
  async run(call, { id, name, object_types: types, fields, ...texts }) {
    const changes = {
      ...texts,
      ...(name !== undefined && { name: givenName(name) }),
      ...(types && { objects: objectsOf(call, types) }),
      ...(fields && { fields: (stored: Parameters<typeof mergedFields>[2]) => mergedFields(call, fields, stored) }),
    };
    return call.workspace.transaction(async (tx) => {
      await changeList(call, tx, id, changes);
      return new JsonText(await readList(call, id, tx));
    });
  },
});

export const deleteList = defineOperation({
  id: 'list.delete',
  summary: 'Delete a list and its entries; the records stay',
  input: Type.Object({ id: ListId }, { additionalProperties: false }),
  output: Type.Object({ deleted: Type.Boolean() }),
  effect: 'destructive',
  cost: 'global',
  adminOnly: 'Deleting a list',
  async run(call, { id }) {
    await call.workspace.transaction((tx) => removeList(call, tx, id));
    return { deleted: true };
  },
});

/** The objects of the names. Throws VALIDATION_ERROR if records of one cannot be on a list. */
function objectsOf(call: Call, names: readonly string[]): readonly ObjectDef[] {
  const known = listableObjects(call);
  const available = known.map(({ name }) => name);
  return [...new Set(names)].map((name) => {
    const object = known.find((candidate) => candidate.name === name);
    if (object) return object;
    throw errors.unknownName('object', name, available, objectHint(name, available));
  });
}

/** Adds members to the JSON text of a non-empty object. */
function withMembers(text: string, more: object): string {
  const members = Object.entries(more).map(([key, value]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `${text.slice(0, -1)}${members.join('')}}`;
}
