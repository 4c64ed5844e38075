/** The list keys of record writes: `add_to_list_ids` and `create_list_name`. [spec: Records, Import] */
import type { Call } from '../../access/call.ts';
import { KithError, errors } from '../../errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { labelProblem } from '../../lib/label.ts';
import type { ObjectDef } from '../../model/model.ts';
import { createList } from '../lists/change-list.ts';
import { addEntries, objectOfList, writableObject } from '../lists/entries.ts';
import { lockedList } from '../lists/stored-list.ts';

/** Limit, since each list is a transaction of its own. */
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

/** The results of a write's list keys; absent keys have no entry. */
export interface ListAdditions {
  readonly lists?: readonly ListOutcome[];
  readonly created_list?: { readonly id: string; readonly name: string };
  readonly create_list_error?: string;
}

/** Reads the reserved keys. Throws VALIDATION_ERROR, and PERMISSION_DENIED when a non-admin asks for a new list. */
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

/** Separates a record's values from the reserved keys. */
export function splitListKeys(call: Call, body: JsonObject): { keys: ListKeys; values: JsonObject } {
  const keys = parseListKeys(call, body);
  // Avoid copying a body, which may be wide, without reserved keys.
  if (!Object.hasOwn(body, 'add_to_list_ids') && !Object.hasOwn(body, 'create_list_name'))
    return { keys, values: body };
  const { add_to_list_ids: _ids, create_list_name: _name, ...values } = body;
  return { keys, values };
}

/**
 * Adds the records to each list, and to a new one if requested. Each is a separate transaction with the caller's
 * current rights: a failure does not undo the records, and the answer reports each result.
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
    return { ...none, error: failureText(call, error) };
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
    return { create_list_error: failureText(call, error) };
  }
}

/** A failed list addition is reported in the answer; an error that is no KithError is a defect and is thrown. */
function failureText(call: Call, thrown: unknown): string {
  const error = thrown instanceof KithError ? thrown : errors.internal(thrown);
  call.report(error);
  return error.message;
}
