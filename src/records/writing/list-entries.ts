/** Lists (custom collections of records) as far as record writes touch them: `add_to_list_ids`, `create_list_name`. [spec: Records, Import] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { KithError, errors } from '../../errors.ts';
import { isUuid, newId } from '../../lib/id.ts';
import type { JsonObject } from '../../lib/json.ts';
import { labelProblem } from '../../lib/label.ts';
import { objectWithId, type ObjectDef } from '../../model/model.ts';
import { caps, takePlace } from '../../model/caps.ts';
import { sql } from '../../postgres/sql.ts';
import { authorOf, leaveEntries, leftRows } from './leave.ts';

/** Stands in history for lists, which are no object of the metadata. */
const listsObjectId = '00000000-0000-7000-8000-00000000115f';

/** Each is a transaction of its own. */
export const mostLists = 50;

export interface ListKeys {
  readonly listIds: readonly string[];
  readonly createName: string | undefined;
}

export interface ListOutcome {
  readonly list_id: string;
  readonly added: number;
  readonly skipped_already_in_list: number;
  readonly failed: number;
  readonly error?: string;
}

/** What the list keys of a write did; keys that were not given have no part in it. */
export interface ListAdditions {
  readonly lists?: readonly ListOutcome[];
  readonly created_list?: { readonly id: string; readonly name: string };
  readonly create_list_error?: string;
}

/** Reads the reserved keys. Throws VALIDATION_ERROR, and PERMISSION_DENIED when someone who is no admin asks for a new list. */
export function parseListKeys(call: Call, given: { add_to_list_ids?: unknown; create_list_name?: unknown }): ListKeys {
  const ids = given.add_to_list_ids ?? [];
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) {
    throw errors.validation('add_to_list_ids must be an array of list ids');
  }
  if (ids.length > mostLists)
    throw errors.validation(`add_to_list_ids takes at most ${mostLists} lists, not ${ids.length}`);
  const name = given.create_list_name ?? undefined;
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '' || name.length > 200)) {
    throw errors.validation('create_list_name must be a name of at most 200 characters');
  }
  const problem = name === undefined ? undefined : labelProblem(name.trim());
  if (problem !== undefined) throw errors.validation(`create_list_name ${problem}`);
  if (name !== undefined && !call.visibility.isAdmin) throw errors.adminOnly('Creating a list');
  return { listIds: [...new Set(ids)], createName: name?.trim() };
}

/** A record's values without the reserved keys beside them. */
export function splitListKeys(call: Call, body: JsonObject): { keys: ListKeys; values: JsonObject } {
  const keys = parseListKeys(call, body);
  // A copy of what anybody can make wide is made where it differs only.
  if (!Object.hasOwn(body, 'add_to_list_ids') && !Object.hasOwn(body, 'create_list_name'))
    return { keys, values: body };
  const { add_to_list_ids: _ids, create_list_name: _name, ...values } = body;
  return { keys, values };
}

/**
 * Adds the records to each list, and to a new one if asked for. Each is a transaction of its own, in the caller's name as it
 * is by then: nothing here undoes the records, and the answer says what became of each.
 */
export async function addToLists(
  call: Call,
  object: ObjectDef,
  recordIds: readonly string[],
  keys: ListKeys,
): Promise<ListAdditions> {
  const lists: ListOutcome[] = [];
  for (const listId of keys.listIds) lists.push(await addToList(call, object, recordIds, listId));
  const created = keys.createName === undefined ? {} : await createList(call, object, recordIds, keys.createName);
  return { ...((keys.listIds.length > 0 || keys.createName !== undefined) && { lists }), ...created };
}

async function addToList(
  call: Call,
  object: ObjectDef,
  recordIds: readonly string[],
  listId: string,
): Promise<ListOutcome> {
  const outcome = (added: number, failed: number, error?: string): ListOutcome => ({
    list_id: listId,
    added,
    skipped_already_in_list: recordIds.length - added - failed,
    failed,
    ...(error !== undefined && { error }),
  });
  if (!isUuid(listId)) return outcome(0, recordIds.length, 'There is no such list');
  const add = (now: Call, target: ObjectDef) =>
    now.workspace.transaction(async (tx) => {
      const found = await tx.run(sql`select object_types::text[] @> array[${target.name}::text] or object_types = '{}'
        from ${now.workspace.table('_lists')} where id = ${listId}::uuid for key share`);
      if (found.rows.length === 0) return outcome(0, recordIds.length, 'There is no such list');
      if (found.rows[0]?.[0] !== 't') return outcome(0, recordIds.length, `The list does not take ${target.name}`);
      return outcome(await insertEntries(now, tx, target, recordIds, listId), 0);
    });
  try {
    return await call.part((now) => add(now, writableObject(now, object)));
  } catch (error) {
    return outcome(0, recordIds.length, toldOf(call, error));
  }
}

/** The object as it is by now. Throws CONFLICT where there is none any more, PERMISSION_DENIED for a role that writes none of it. */
function writableObject({ model, visibility }: Call, { id, name }: ObjectDef): ObjectDef {
  const object = objectWithId(model, id);
  if (!object) throw errors.conflict(`There is no object ${name} any more`);
  if (visibility.mayCreate(object.name) || visibility.updates(object.name) !== 'none') return object;
  throw errors.permissionDenied(`Your role may not write ${object.name} any more`);
}

async function createList(
  call: Call,
  object: ObjectDef,
  recordIds: readonly string[],
  name: string,
): Promise<ListAdditions> {
  const id = newId();
  const create = (now: Call, target: ObjectDef) => {
    if (!now.visibility.isAdmin) throw errors.adminOnly('Creating a list');
    const at = sql`${new Date(now.now).toISOString()}::timestamptz`;
    return now.workspace.transaction(async (tx) => {
      const existing = sql`select from ${now.workspace.table('_lists')}`;
      const lists = { what: 'lists in an organization', most: caps.lists, existing };
      await takePlace((query) => tx.run(query), now.model.schema, lists);
      await tx.run(sql`insert into ${now.workspace.table('_lists')} (id, name, object_types, created_by, created_at, updated_at)
        values (${id}::uuid, ${name}, array[${target.name}::text], ${now.caller.workspaceUserId}::uuid, ${at}, ${at})`);
      await recordHistory(now, tx, id, 'create', []);
      await insertEntries(now, tx, target, recordIds, id);
    });
  };
  try {
    await call.part((now) => create(now, writableObject(now, object)));
    return { created_list: { id, name } };
  } catch (error) {
    return { create_list_error: toldOf(call, error) };
  }
}

async function insertEntries(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  recordIds: readonly string[],
  listId: string,
): Promise<number> {
  const added =
    await tx.run(sql`insert into ${call.workspace.table('_list_entries')} (id, list_id, object_id, record_id, created_by, created_at)
    select e.id, ${listId}::uuid, ${object.id}::uuid, e.record_id, ${call.caller.workspaceUserId}::uuid, ${new Date(call.now).toISOString()}::timestamptz
    from unnest(${recordIds.map(() => newId())}::uuid[], ${recordIds}::uuid[]) e (id, record_id)
    on conflict (list_id, record_id) do nothing returning record_id`);
  const ids = added.rows.map(([id]) => id ?? '');
  if (ids.length > 0) await recordHistory(call, tx, listId, 'update', ids);
  return ids.length;
}

async function recordHistory(
  call: Call,
  tx: WorkspaceTransaction,
  listId: string,
  action: 'create' | 'update',
  added: readonly string[],
): Promise<void> {
  const links = JSON.stringify({ entries: { added, removed: [] } });
  const left = leftRows([{ id: listId, before: null, links }]);
  await tx.run(leaveEntries(authorOf(call), { objectId: listsObjectId, action }, left));
}

/** A failed list addition is told, not thrown; what is no refusal of ours is a defect here as anywhere. */
function toldOf(call: Call, thrown: unknown): string {
  const error = thrown instanceof KithError ? thrown : errors.internal(thrown);
  call.report(error);
  return error.message;
}
