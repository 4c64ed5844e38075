/** Adds records to lists, removes them, and changes the values of entries. [spec: crm_manage_lists] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, quoted } from '../../errors.ts';
import { isUuid, newId } from '../../lib/id.ts';
import type { JsonObject } from '../../lib/json.ts';
import { objectHint } from '../../lib/other-names.ts';
import { objectWithId, type ObjectDef } from '../../model/model.ts';
import type { Rows } from '../../postgres/database.ts';
import { instant, sql } from '../../postgres/sql.ts';
import { namingMasters } from '../merging/old-ids.ts';
import { lockAlive, lockVisible } from '../writing/references.ts';
import { readEntryFields, refuseLongEntry } from './entry-values.ts';
import { earlierColumns, earlierEntry, leaveList, type EarlierEntry } from './list-history.ts';
import { listableObjects, type StoredList } from './stored-list.ts';

/** Failures reported individually. */
const mostReported = 50;

export interface FailedRecord {
  readonly record_id: string;
  readonly code: string;
  readonly message: string;
}

/** How many records were added, skipped or refused; one that is named twice counts twice. */
export interface Added {
  readonly added: number;
  readonly skipped_already_in_list: number;
  readonly failed: number;
  readonly errors?: readonly FailedRecord[];
}

export interface Removed {
  readonly removed: number;
  readonly not_in_list: number;
}

/** The records to add. */
export interface Addition {
  readonly object: ObjectDef;
  readonly recordIds: readonly string[];
  readonly entryFields?: JsonObject | undefined;
  /** The caller has just written them, and need not see them. */
  readonly areOwnWrites?: true;
}

/**
 * The current definition of the object. Throws CONFLICT where it is gone, PERMISSION_DENIED for a role that cannot
 * write it.
 */
export function writableObject({ model, visibility }: Call, { id, name }: ObjectDef): ObjectDef {
  const object = objectWithId(model, id);
  if (!object) throw errors.conflict(`There is no object ${name} any more`);
  if (visibility.mayCreate(object.name) || visibility.updates(object.name) !== 'none') return object;
  throw errors.permissionDenied(`Your role may not write ${object.name}, and so not change what lists hold of it`);
}

/** The object with that name, if the list takes it; throws VALIDATION_ERROR that names the possible ones. */
export function objectOfList(call: Call, list: StoredList, name: string): ObjectDef {
  const known = listableObjects(call).filter((object) => list.objects.includes(object));
  const object = known.find((candidate) => candidate.name === name);
  if (object) return object;
  const names = known.map((candidate) => candidate.name);
  const message = `The list does not take ${quoted(name)}${objectHint(name, names)}; it takes: ${names.join(', ') || 'nothing'}`;
  throw errors.validation(message, [{ field: 'object_type', message: `must be one of: ${names.join(', ')}` }], names);
}

/**
 * Adds records to the locked list; records already on it are left alone. Throws VALIDATION_ERROR for invalid values.
 */
export async function addEntries(
  call: Call,
  tx: WorkspaceTransaction,
  list: StoredList,
  { object, recordIds, entryFields = {}, areOwnWrites }: Addition,
): Promise<Added> {
  const values = await readEntryFields(call, tx, list.fields, entryFields, { object, isNew: true });
  refuseLongEntry(values.set);
  const ids = recordIds.map((id) => (isUuid(id) ? id.toLowerCase() : id));
  const wanted = [...new Set(ids.filter(isUuid))];
  const lock = areOwnWrites ? lockAlive : lockVisible;
  const found = new Set(idsIn(await tx.run(lock(call, object.name, wanted))));
  // Entry ids are in the given order, rows in record order, so that concurrent additions cannot deadlock.
  const entries = wanted.filter((id) => found.has(id)).map((recordId) => ({ id: newId(), recordId }));
  entries.sort((a, b) => (a.recordId < b.recordId ? -1 : 1));
  const added =
    entries.length === 0
      ? []
      : idsIn(
          await tx.run(sql`insert into ${call.workspace.table('_list_entries')}
          (id, list_id, object_id, record_id, entry_fields, created_by, created_at)
        select e.id, ${list.id}::uuid, ${object.id}::uuid, e.record_id, ${values.set}::jsonb,
          ${call.caller.workspaceUserId}::uuid, ${instant(call.now)}
        from unnest(${entries.map(({ id }) => id)}::uuid[], ${entries.map(({ recordId }) => recordId)}::uuid[]) e (id, record_id)
        order by e.record_id on conflict (list_id, record_id) do nothing returning record_id`),
        );
  if (added.length > 0) await leaveList(call, tx, list.id, { action: 'update', added });
  const failed = ids.filter((id) => !found.has(id));
  return {
    added: added.length,
    skipped_already_in_list: ids.length - added.length - failed.length,
    failed: failed.length,
    ...(failed.length > 0 && { errors: await failures(call, tx, object, failed.slice(0, mostReported)) }),
  };
}

/** The failures of missing records. */
async function failures(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  ids: readonly string[],
): Promise<readonly FailedRecord[]> {
  const missing = new Map(ids.map((id) => [id, errors.recordNotFound(object.name, id)]));
  const refusals = await namingMasters(call, tx, object, missing);
  return [...refusals].map(([id, { code, message }]) => ({ record_id: id, code, message }));
}

function idsIn({ rows }: Rows): readonly string[] {
  return rows.map(([id]) => id ?? '');
}

/** Deletes locked entries, and returns their former state. */
export async function deleteEntries(
  call: Call,
  tx: WorkspaceTransaction,
  ids: readonly string[],
): Promise<readonly EarlierEntry[]> {
  if (ids.length === 0) return [];
  const entries = call.workspace.table('_list_entries');
  const { rows } = await tx.run(
    sql`select ${earlierColumns} from ${entries} e where e.id = any(${ids}::uuid[]) order by e.id`,
  );
  await tx.run(sql`delete from ${entries} where id = any(${ids}::uuid[])`);
  return rows.map(earlierEntry);
}

/** Removes records that the caller may see from the locked list. */
export async function removeEntries(
  call: Call,
  tx: WorkspaceTransaction,
  list: StoredList,
  object: ObjectDef,
  recordIds: readonly string[],
): Promise<Removed> {
  const wanted = [...new Set(recordIds.filter(isUuid).map((id) => id.toLowerCase()))];
  const seen = idsIn(await tx.run(lockVisible(call, object.name, wanted)));
  const locked = await tx.run(sql`select e.id from ${call.workspace.table('_list_entries')} e
    where e.list_id = ${list.id}::uuid and e.record_id = any(${seen}::uuid[]) order by e.id for update`);
  const gone = await deleteEntries(call, tx, idsIn(locked));
  if (gone.length > 0) await leaveList(call, tx, list.id, { action: 'update', removed: gone });
  return { removed: gone.length, not_in_list: recordIds.length - gone.length };
}

/**
 * Changes values of the entry, and returns its record's object; absent fields stay. Throws RECORD_NOT_FOUND,
 * VALIDATION_ERROR, PERMISSION_DENIED.
 */
export async function changeEntry(
  call: Call,
  tx: WorkspaceTransaction,
  list: StoredList,
  entryId: string,
  entryFields: JsonObject,
): Promise<ObjectDef> {
  const entries = call.workspace.table('_list_entries');
  const unknown = errors.entryNotFound(entryId);
  if (!isUuid(entryId)) throw unknown;
  const found = await tx.run(sql`select e.object_id, e.record_id from ${entries} e
    where e.id = ${entryId}::uuid and e.list_id = ${list.id}::uuid`);
  const [objectId = null, recordId = null] = found.rows[0] ?? [];
  const object = listableObjects(call).find(({ id }) => id === objectId);
  if (!object || recordId === null) throw unknown;
  // Lock the record first: a purge locks the record, then its entries.
  const seen = await tx.run(lockVisible(call, object.name, [recordId]));
  if (seen.rows.length === 0) throw unknown;
  writableObject(call, object);
  const { set, cleared } = await readEntryFields(call, tx, list.fields, entryFields, { object, isNew: false });
  await tx.run(sql`select e.id from ${entries} e where e.id = ${entryId}::uuid for update`);
  const { rows } = await tx.run(sql`select ${earlierColumns}, x.merged, x.merged is distinct from e.entry_fields
    from ${entries} e cross join lateral (select (e.entry_fields - ${cleared}::text[]) || ${set}::jsonb as merged) x
    where e.id = ${entryId}::uuid`);
  const [row] = rows;
  if (!row) throw unknown;
  const [merged = '{}', differs] = row.slice(3);
  if (differs !== 't') return object;
  refuseLongEntry(merged ?? '{}');
  await tx.run(sql`update ${entries} set entry_fields = ${merged ?? '{}'}::jsonb where id = ${entryId}::uuid`);
  await leaveList(call, tx, list.id, { action: 'update', altered: [earlierEntry(row)] });
  return object;
}
