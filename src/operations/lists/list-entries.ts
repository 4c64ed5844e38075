/** Entries of lists: a page of them; add, change and remove. [spec: crm_manage_lists] */
import { Type } from 'typebox';
import { errors } from '../../errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { addEntries, changeEntry, objectOfList, removeEntries, writableObject } from '../../records/lists/entries.ts';
import { entriesPage, readEntry } from '../../records/lists/entries-page.ts';
import { lockedList } from '../../records/lists/stored-list.ts';
import { Cursor } from '../inputs.ts';
import { AddedOut, EntryFields, EntryOut, ListId, ObjectType, RecordIds } from './list-shapes.ts';
import { listsPageSize } from './lists.ts';
import { defineOperation, JsonText, pageText } from '../door/operation.ts';
import { Id, PageOf } from '../outputs.ts';

export const listEntries = defineOperation({
  id: 'listEntries.list',
  summary: 'Records on a list that the caller may see, latest first',
  input: Type.Object({ id: ListId, limit: listsPageSize.input, cursor: Cursor }, { additionalProperties: false }),
  output: PageOf(EntryOut),
  effect: 'read',
  cost: 'global',
  async run(call, { id, limit, cursor }) {
    return pageText(await entriesPage(call, id, { limit: listsPageSize.of(call, limit), cursor }));
  },
});

export const addListEntries = defineOperation({
  id: 'listEntries.add',
  summary: 'Add records to a list; those already on it stay unchanged',
  input: Type.Object(
    { id: ListId, object_type: ObjectType, ...RecordIds, entry_fields: Type.Optional(EntryFields) },
    { additionalProperties: false },
  ),
  output: AddedOut,
  forWriters: true,
  effect: 'write',
  cost: 'global',
  async run(call, input) {
    const recordIds = recordIdsOf(input);
    return call.workspace.transaction(async (tx) => {
      const list = await lockedList(call, tx, input.id, 'use');
      const object = writableObject(call, objectOfList(call, list, input.object_type));
      const entryFields = input.entry_fields as JsonObject | undefined;
      return { list_id: list.id, ...(await addEntries(call, tx, list, { object, recordIds, entryFields })) };
    });
  },
});

export const removeListEntries = defineOperation({
  id: 'listEntries.remove',
  summary: 'Remove records from a list; the records stay unchanged',
  input: Type.Object({ id: ListId, object_type: ObjectType, ...RecordIds }, { additionalProperties: false }),
  output: Type.Object({ list_id: Id, removed: Type.Integer(), not_in_list: Type.Integer() }),
  forWriters: true,
  effect: 'destructive',
  cost: 'global',
  async run(call, input) {
    const recordIds = recordIdsOf(input);
    return call.workspace.transaction(async (tx) => {
      const list = await lockedList(call, tx, input.id, 'use');
      const object = writableObject(call, objectOfList(call, list, input.object_type));
      return { list_id: list.id, ...(await removeEntries(call, tx, list, object, recordIds)) };
    });
  },
});

export const updateListEntry = defineOperation({
  id: 'listEntry.update',
  summary: 'Change the field values of a record on a list; absent fields stay unchanged',
  input: Type.Object(
    { id: ListId, entry_id: Type.String({ description: 'Id of the entry' }), entry_fields: EntryFields },
    { additionalProperties: false },
  ),
  output: EntryOut,
  forWriters: true,
  effect: 'write',
  cost: 'global',
  async run(call, { id, entry_id: entryId, entry_fields: given }) {
    return call.workspace.transaction(async (tx) => {
      const list = await lockedList(call, tx, id, 'use');
      const object = await changeEntry(call, tx, list, entryId, given as JsonObject);
      return new JsonText(await readEntry(call, tx, object, entryId));
    });
  },
});

/** The record ids of the request. Throws MISSING_REQUIRED_FIELD, and VALIDATION_ERROR if both keys are given. */
function recordIdsOf(input: {
  readonly record_id?: string;
  readonly record_ids?: readonly string[];
}): readonly string[] {
  const { record_id: one, record_ids: several } = input;
  if (one !== undefined && several) throw errors.validation('record_id and record_ids are not given together');
  if (one !== undefined) return [one];
  if (several && several.length > 0) return several;
  throw errors.missingField('record_ids', 'record_id of one record, or record_ids of several');
}
