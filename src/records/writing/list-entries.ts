/** Lists (custom collections of records) as far as record writes touch them: `add_to_list_ids`, `create_list_name`. [spec: Records, Import] */
import type { Call } from '../../access/call.ts';
import { KithError, errors } from '../../errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { labelProblem } from '../../lib/label.ts';
import type { ObjectDef } from '../../model/model.ts';
import { createList } from '../lists/change-list.ts';
import { addEntries, objectOfList, writableObject } from '../lists/entries.ts';
import { lockedList } from '../lists/stored-list.ts';

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
  const created = keys.createName === undefined ? {} : await createListOf(call, object, recordIds, keys.createName);
  return { ...((keys.listIds.length > 0 || keys.createName !== undefined) && { lists }), ...created };
}

async function addToList(
  call: Call,
  object: ObjectDef,
  recordIds: readonly string[],
  listId: string,
): Promise<ListOutcome> {
  const add = (now: Call) =>
    now.workspace.transaction(async (tx) => {
      const list = await lockedList(now, tx, listId, 'use');
      const target = objectOfList(now, list, writableObject(now, object).name);
      return addEntries(now, tx, list, { object: target, recordIds, areOwnWrites: true });
    });
  try {
    const { errors: failures, ...counts } = await call.part(add);
    const [failure] = failures ?? [];
    return { list_id: listId, ...counts, ...(failure && { error: failure.message }) };
  } catch (error) {
    const none = { list_id: listId, added: 0, skipped_already_in_list: 0, failed: recordIds.length };
    return { ...none, error: toldOf(call, error) };
  }
}

async function createListOf(
  call: Call,
  object: ObjectDef,
  recordIds: readonly string[],
  name: string,
): Promise<ListAdditions> {
  const create = (now: Call) => {
    if (!now.visibility.isAdmin) throw errors.adminOnly('Creating a list');
    const target = writableObject(now, object);
    return now.workspace.transaction(async (tx) => {
      const texts = { name, description: null, icon_name: null, color: null };
      const list = await createList(now, tx, { ...texts, objects: [target], fields: [] });
      await addEntries(now, tx, list, { object: target, recordIds, areOwnWrites: true });
      return list.id;
    });
  };
  try {
    return { created_list: { id: await call.part(create), name } };
  } catch (error) {
    return { create_list_error: toldOf(call, error) };
  }
}

/** A failed list addition is told, not thrown; what is no refusal of ours is a defect here as anywhere. */
function toldOf(call: Call, thrown: unknown): string {
  const error = thrown instanceof KithError ? thrown : errors.internal(thrown);
  call.report(error);
  return error.message;
}
