/** Notes in answers. [spec: Note] */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import type { Member } from '../../fields/field-type.ts';
import { jsonString, type Json, type JsonObject } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Shown } from '../../query/paging.ts';
import { shownAs } from '../../query/shown-as.ts';
import { linkedEntities, LinkedEntitiesOut } from './linked-entities.ts';
import { Id, Nullable, Time } from '../outputs.ts';

export const visibilities = ['workspace', 'private'] as const;

const Text = Type.String();
const author = 'created_by';
const authorDisplay = 'created_by_display';

const noteMembers = {
  id: Id,
  title: Type.Optional(Text),
  content: Type.Optional(Type.String({ description: 'HTML', examples: ['<p>Call Anna</p>'] })),
  visibility: Type.Optional(Type.String({ enum: [...visibilities] })),
  [authorDisplay]: Type.Optional(Nullable(Type.Object({ id: Id, display: Nullable(Text), image: Nullable(Text) }))),
  created_at: Type.Optional(Time),
  updated_at: Type.Optional(Time),
};

/** A note in a list. Fields that the role hides are absent. */
export const NoteOut = Type.Object(noteMembers);

/** A single note, with its linked records. */
export const NoteWithLinksOut = Type.Object({ ...noteMembers, linked_entities: LinkedEntitiesOut });

/** The fields of a note, in the order of the answer. */
const shownFields = ['id', 'title', 'content', 'visibility', author, 'created_at', 'updated_at'] as const;

/** The selection of a note's fields that the caller may see. */
export function noteSelection(call: Call, object: ObjectDef): Shown {
  return shownAs(call, object, shownFields, (reading, { name }) =>
    name === author ? { ...reading, members: [authorMember] } : reading,
  );
}

/** The name of the author, from the user id. Users have no images. */
const authorMember: Member = {
  key: authorDisplay,
  json: (row, at) => (row[at] ? `{"id":"${row[at]}","display":${displayText(row[at + 1])},"image":null}` : 'null'),
  cell: (row, at) => row[at + 1] ?? '',
};

function displayText(name: string | null | undefined): string {
  return name === null || name === undefined ? 'null' : jsonString(name);
}

/** A record of notes as a note with its links. */
export function noteWithLinks(object: ObjectDef, record: JsonObject): JsonObject {
  const note: Record<string, Json> = {};
  for (const name of shownFields) {
    const value = record[name];
    if (value === undefined) continue;
    if (name !== author) note[name] = value;
    else note[authorDisplay] = value && { id: value, display: record[authorDisplay] ?? null, image: null };
  }
  return { ...note, linked_entities: linkedEntities(object, record) };
}
