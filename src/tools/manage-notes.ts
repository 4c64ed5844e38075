/** [spec: crm_manage_notes] Notes. */
import type { JsonObject } from '../lib/json.ts';
import { createNote, deleteNote, getNote, listNotes, updateNote } from '../operations/tasks-and-notes/notes.ts';
import { cursor, direction, objects, oneOf, someOf, text, texts, whole, type ArgumentValues } from './arguments.ts';
import { defineTool, destroys, maxTokens, paged } from './define.ts';

const entity = ['entity_type', 'entity_id'];
const values = ['visibility', 'linked_entities', 'mentioned_user_ids'];

/** The note; the operation expects its visibility in `data`. */
function written({ note_id: id, visibility, ...rest }: ArgumentValues) {
  return { ...rest, ...(id !== undefined && { id }), ...(visibility !== undefined && { data: { visibility } }) };
}

/** Drops a half of type and id, which only together name a record. */
function adjustExample({ entity_type: type, entity_id: id, ...rest }: JsonObject, given: ArgumentValues): JsonObject {
  const isWhole = type !== undefined && type === given.entity_type && id !== undefined;
  return isWhole || id === '<entity_id>'
    ? { ...rest, ...(type !== undefined && { entity_type: type }), entity_id: id ?? null }
    : rest;
}

export const manageNotes = defineTool({
  name: 'crm_manage_notes',
  title: 'Manage Notes',
  description:
    'Notes of the workspace and the private ones of the caller. entity_type and entity_id filter a list and link a new note; an update replaces all linked_entities.',
  input: {
    entity_type: oneOf(['contacts', 'companies', 'opportunities']),
    entity_id: text(),
    sort_by: someOf(['created_at', 'updated_at', 'title'], 'created_at'),
    sort_dir: direction('desc'),
    cursor,
    limit: whole(20, 100),
    fields: texts,
    max_tokens: maxTokens,
    note_id: text(),
    content: text('text or HTML'),
    visibility: { ...oneOf(['workspace', 'private']), description: 'private when new' },
    linked_entities: objects('[{"type":"contacts","id"}]'),
    mentioned_user_ids: texts,
  },
  output: paged,
  hints: destroys,
  as: { note_id: 'id' },
  actions: {
    list: {
      operation: listNotes,
      takes: [...entity, 'sort_by', 'sort_dir', 'cursor', 'limit'],
      rows: ['data'],
      adjustExample,
    },
    get: { operation: getNote, needs: ['note_id'], rows: ['note'] },
    create: { operation: createNote, needs: ['content'], takes: [...entity, ...values], input: written, adjustExample },
    update: {
      operation: updateNote,
      needs: ['note_id'],
      takes: ['content', ...values],
      shows: ['content'],
      input: written,
    },
    delete: {
      operation: deleteNote,
      needs: ['note_id'],
      affects: ({ note_id: id = null }) => ({ operation: getNote, input: { id } }),
    },
  },
});
