/** [spec: Notes] Notes about records. A private note is visible to its author only. */
import { Type } from 'typebox';
import { describedAs, Lenient } from '../../describe/annotations.ts';
import { errors } from '../../errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';
import { parseSort } from '../../query/order.ts';
import { listPage } from '../../records/reading/list-page.ts';
import { recordId } from '../../records/reading/named.ts';
import { expectedStates } from '../../records/writing/etag.ts';
import { defineManagedOperation, pageText } from '../door/operation.ts';
import { FilterInput, filtersOfList } from '../records/filter-input.ts';
import { Choice, Cursor, IfMatch, RecordId, recordPage, Search } from '../inputs.ts';
import { linkableObjects, linkedTo, LinkedEntities, requireLinkable, type LinkedEntity } from './linked-entities.ts';
import { defineDeletion, readManaged } from './managed-record.ts';
import { MentionedUsers } from './mentions.ts';
import { refuseStrangers, requireContent, strangersIn } from './note-keys.ts';
import { noteSelection, NoteOut, noteWithLinks, NoteWithLinksOut, visibilities } from './note-output.ts';
import { writeNote, changeNote } from './note-writing.ts';
import { Id, PageOf } from '../outputs.ts';
import { newestFirst, SortInput } from '../records/sort-input.ts';

const manages = 'notes';

/** One record, by object and id. */
const Entity = {
  entity_type: Type.Optional(Type.String({ description: `One of ${linkableObjects.join(', ')}; with entity_id` })),
  entity_id: Type.Optional(Type.String({ description: 'Id of a record; with entity_type' })),
};

const Html = Type.String({ description: 'HTML; what could load or run something is removed' });

const Data = Type.Optional(
  Type.Object({ visibility: Type.Optional(Choice(visibilities, 'private')) }, { additionalProperties: false }),
);

const Written = (action: string) => Type.Object({ note_id: Id, action: Type.String({ enum: [action] }) });

export const listNotes = defineManagedOperation({
  id: 'notes.list',
  summary: "A page of notes: workspace notes and the caller's private ones",
  input: Type.Object(
    {
      ...Entity,
      ...FilterInput,
      search: Search,
      ...SortInput,
      cursor: Cursor,
      limit: recordPage.input,
    },
    { additionalProperties: false },
  ),
  output: PageOf(NoteOut),
  needs: 'view',
  manages,
  effect: 'read',
  cost: 'global',
  async run(call, input, object) {
    const entity = entityIn(object, input);
    const about = entity && linkedTo(object, entity.type, entity.id, 'entity_type');
    const request = {
      where: [...(about ? [about] : []), ...filtersOfList(input, call.warn)],
      search: input.search,
      sort: parseSort(input as JsonObject, newestFirst(call, object), call.warn),
      shown: noteSelection(call, object),
      limit: recordPage.of(call, input.limit),
      cursor: input.cursor,
    };
    return pageText(await listPage(call, object, request));
  },
});

export const getNote = defineManagedOperation({
  id: 'note.get',
  summary: 'One note with the records that it is about',
  input: Type.Object({ id: RecordId }, { additionalProperties: false }),
  output: Type.Object({ note: NoteWithLinksOut }),
  needs: 'view',
  manages,
  effect: 'read',
  cost: 'global',
  etag: 'state',
  run: (call, { id }, object) => readManaged(call, object, id, (record) => ({ note: noteWithLinks(object, record) })),
});

const NewNote = {
  content: Html,
  ...Entity,
  linked_entities: LinkedEntities,
  mentioned_user_ids: MentionedUsers,
  data: Data,
};

export const createNote = defineManagedOperation({
  id: 'note.create',
  summary: 'Create a note and notify the mentioned users',
  // Which keys are unknown or required depends on the role.
  input: Type.Object(
    { ...NewNote, content: Type.Optional(Type.Unknown()) },
    describedAs(Type.Object(NewNote, { additionalProperties: false })),
  ),
  output: Written('created'),
  needs: 'create',
  manages,
  effect: 'write',
  cost: 'global',
  status: 201,
  async run(call, given, object) {
    requireContent(call, object, given);
    refuseStrangers(call, object, strangersIn(call, object, given, true), true);
    const { content, linked_entities, mentioned_user_ids, data, ...rest } = given;
    const entity = entityIn(object, rest);
    const links = [...(entity ? [entity] : []), ...(linked_entities ?? [])];
    const values = { content, visibility: data?.visibility, ...(links.length > 0 && { links }) };
    return { note_id: await writeNote(call, object, values, mentioned_user_ids ?? []), action: 'created' };
  },
});

export const updateNote = defineManagedOperation({
  id: 'note.update',
  summary: 'Change a note; absent keys stay unchanged',
  input: Type.Object({
    id: RecordId,
    content: Type.Optional(Lenient(Html)),
    linked_entities: LinkedEntities,
    mentioned_user_ids: Type.Optional(Lenient(Type.Array(Type.String()), 'Ignored: a note mentions when it is made')),
    data: Data,
    if_match: IfMatch,
  }),
  output: Written('updated'),
  needs: 'update',
  manages,
  effect: 'write',
  cost: 'global',
  isPartial: true,
  async run(call, { id: named, if_match, ...given }, object) {
    const id = recordId(object, named);
    await changeNote(call, object, id, given, expectedStates(if_match));
    return { note_id: id, action: 'updated' };
  },
});

export const deleteNote = defineDeletion(manages, 'note.delete', 'Delete a note and its links');

/**
 * The record that a request names; undefined if none. Throws VALIDATION_ERROR for a type that cannot be linked, and
 * MISSING_REQUIRED_FIELD if one of the two keys is missing.
 */
function entityIn(
  object: ObjectDef,
  input: { readonly entity_type?: string; readonly entity_id?: string },
): LinkedEntity | undefined {
  const { entity_type: type, entity_id: id } = input;
  if (type === undefined && id === undefined) return undefined;
  if (type === undefined || type === '')
    throw errors.missingField('entity_type', 'it says of which object the record entity_id is');
  requireLinkable(object, type, 'entity_type');
  if (id === undefined || id === '') throw errors.missingField('entity_id', `it says which record of ${type} is meant`);
  return { type, id };
}
