/**
 * Writes notes: derives the title from the content, notifies mentioned people, and lets only the author change the
 * visibility. [spec: Notes]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, Mistakes } from '../../errors.ts';
import { newId } from '../../lib/id.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql } from '../../postgres/sql.ts';
import { changeRows, lockForChange } from '../../records/writing/change-rows.ts';
import { createRows } from '../../records/writing/create-rows.ts';
import { decodeValues, writingOf, type Decoded } from '../../records/writing/decode.ts';
import { fillNewRecord } from '../../records/writing/defaults.ts';
import type { ExpectedStates } from '../../records/writing/etag.ts';
import { isAsExpected } from '../../records/writing/expect-state.ts';
import { refuseFloodOfHtml } from '../../records/writing/html-flood.ts';
import { requireLinked } from '../../records/writing/linked-records.ts';
import { refuseHugeTexts } from '../../records/writing/record-size.ts';
import { throwRefusal } from '../../records/writing/row-write.ts';
import { keysNotStored, StaleState, namingClashes } from '../../records/writing/update.ts';
import { writtenLinks, type LinkedEntity } from './linked-entities.ts';
import { usersMentioned } from './mentions.ts';
import { refuseStrangers, strangersIn } from './note-keys.ts';
import { noteWithLinks } from './note-output.ts';
import { titleOf } from './note-title.ts';
import { notifyingTransaction } from '../following/notifying.ts';

/** The values of a note to write; absent ones stay, or take their defaults. */
export interface NoteValues {
  readonly content?: unknown;
  readonly visibility?: string | undefined;
  /** All linked records. */
  readonly links?: readonly LinkedEntity[] | undefined;
}

/** The keys of a change; further keys may repeat the stored values. */
export interface GivenNote {
  readonly content?: unknown;
  readonly linked_entities?: readonly LinkedEntity[];
  readonly data?: { readonly visibility?: string };
}

/**
 * Creates the note, notifies the mentioned users, and returns its id. Throws MISSING_REQUIRED_FIELD for content without
 * text, VALIDATION_ERROR, and RECORD_NOT_FOUND for a linked record that does not exist.
 */
export async function writeNote(
  call: Call,
  object: ObjectDef,
  values: NoteValues,
  mentioned: readonly string[],
): Promise<string> {
  const id = newId();
  const mistakes = new Mistakes();
  const writing = writingOf(call, object);
  const decoded = await decodeNote(call, object, values, mistakes);
  await fillNewRecord(call, object, decoded, writing.context, mistakes);
  await notifyingTransaction(call, async (tx, notify) => {
    const recipients = await usersMentioned(call, tx, mentioned, mistakes);
    mistakes.refuse();
    await requireLinked(call, tx, id, decoded.links);
    await notify(object, id, 'mention_in_note', recipients);
    await createRows(call, tx, object, [{ ...decoded, id }]);
  });
  return id;
}

/**
 * Changes the given values of the note. Throws as `writeNote`, RECORD_NOT_FOUND and PERMISSION_DENIED for the note itself,
 * and CONFLICT if its ETag is not among the expected ones.
 */
export async function changeNote(
  call: Call,
  object: ObjectDef,
  id: string,
  given: GivenNote,
  expected: ExpectedStates,
): Promise<void> {
  const { content, data } = given;
  const values = { content, visibility: data?.visibility, links: given.linked_entities };
  const written = givenFields(call, object, { content, visibility: values.visibility });
  await namingClashes(call, object, id, written, async () => {
    await refuseOthers(call, object, id, given, expected);
    const mistakes = new Mistakes();
    const decoded = await decodeNote(call, object, values, mistakes);
    await refuseHugeTexts(object, decoded);
    mistakes.refuse();
    await call.workspace.transaction(async (tx) => {
      throwRefusal(await lockForChange(call, tx, object, [id]));
      if (!(await isAsExpected(call, tx, object, id, expected))) throw new StaleState();
      await refuseOthersVisibility(call, tx, object, id, values.visibility);
      await requireLinked(call, tx, id, decoded.links);
      if (decoded.cells.size + decoded.links.size > 0) await changeRows(call, tx, object, [{ ...decoded, id }]);
    });
  });
}

/** Throws VALIDATION_ERROR for keys that no write takes, unless they repeat stored values. */
async function refuseOthers(
  call: Call,
  object: ObjectDef,
  id: string,
  given: GivenNote,
  expected: ExpectedStates,
): Promise<void> {
  const strangers = strangersIn(call, object, given, false);
  if (strangers.length === 0) return;
  const form = (record: JsonObject) => noteWithLinks(object, record);
  const others = await keysNotStored(call, object, id, given as JsonObject, strangers, expected, form);
  refuseStrangers(call, object, others, false);
}

/** Decodes the values and derives the title. Throws MISSING_REQUIRED_FIELD for content without text. */
async function decodeNote(call: Call, object: ObjectDef, values: NoteValues, mistakes: Mistakes): Promise<Decoded> {
  const writing = writingOf(call, object);
  const given = givenFields(call, object, values);
  refuseFloodOfHtml(object, [given]);
  const [content, title] = [object.attributes.get('content'), object.attributes.get('title')];
  if (!content || !title) throw new Error('A note has a content and a title');
  // Content is decoded as optional, since its absence has an error code of its own.
  const optional = { ...content, isRequired: false };
  const fields = new Map([...writing.fields].map(([name, field]) => [name, field === content ? optional : field]));
  const decoded = await decodeValues({ ...writing, fields }, given, mistakes);
  const cells = decoded.cells.get(optional);
  if (!cells) return decoded;
  const [, text] = cells;
  if (!text) throw errors.missingField('content', 'a note needs text');
  decoded.cells.delete(optional);
  decoded.cells.set(content, cells).set(title, [titleOf(text)]);
  return decoded;
}

/** The values by field name. */
function givenFields(call: Call, object: ObjectDef, { content, visibility, links }: NoteValues): JsonObject {
  return {
    ...(content !== undefined && { content: content as Json }),
    ...(visibility !== undefined && { visibility }),
    ...(links && writtenLinks(call, object, links)),
  };
}

/** Throws PERMISSION_DENIED if the caller is not the author: a note made private would vanish for a caller who is not. Locks the row. */
async function refuseOthersVisibility(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  id: string,
  visibility: string | undefined,
): Promise<void> {
  if (visibility === undefined) return;
  const { rows } =
    await tx.run(sql`select n.visibility = ${visibility} or n.created_by = ${call.caller.workspaceUserId}::uuid
    from ${call.workspace.table(object.table)} n where n.id = ${id}::uuid`);
  if (rows[0]?.[0] !== 't') throw errors.permissionDenied('Only the author of a note may change its visibility');
}
