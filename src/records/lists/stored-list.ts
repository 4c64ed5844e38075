/** A stored list, and who may know of it. [spec: Other resources] */
import type { Call } from '../../access/call.ts';
import { mayKnow } from '../../access/policies.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { parseJson } from '../../lib/json.ts';
import type { StoredField } from '../../model/definition.ts';
import { hasRecords, type ObjectDef } from '../../model/model.ts';
import { sql, trusted, type Sql } from '../../postgres/sql.ts';

/** The settings of a list. */
export interface ListText {
  readonly name: string;
  readonly description: string | null;
  readonly icon_name: string | null;
  readonly color: string | null;
}

export interface StoredList extends ListText {
  readonly id: string;
  /** The objects whose records it takes. */
  readonly objects: readonly ObjectDef[];
  /** The fields of its entries. */
  readonly fields: readonly StoredField[];
}

/** The objects whose records can be on lists, as far as the caller may know of them. */
export function listableObjects({ model, visibility }: Call): readonly ObjectDef[] {
  return [...model.objects.values()].filter((object) => hasRecords(object) && mayKnow(object, visibility));
}

/** The objects' names as a parameter. */
export function namesOf(objects: readonly ObjectDef[]): Sql {
  return sql`${objects.map(({ name }) => name)}::text[]`;
}

/** Whether the list `row` exists for the caller: a list is hidden if the role may know none of its objects. */
export function visibleList(call: Call, row: Sql): Sql {
  return call.visibility.isAdmin ? sql`true` : sql`${row}.object_types && ${namesOf(listableObjects(call))}`;
}

/** The id in the database's form; throws RECORD_NOT_FOUND for invalid ones. */
export function listId(id: string): string {
  if (isUuid(id)) return id.toLowerCase();
  throw errors.listNotFound(id);
}

/**
 * The list, locked until the end of the transaction; for `change`, exclusively, which waits for those that add to it.
 * Throws RECORD_NOT_FOUND.
 */
export async function lockedList(
  call: Call,
  tx: WorkspaceTransaction,
  id: string,
  lock: 'use' | 'change',
): Promise<StoredList> {
  const list = await listIfThere(call, tx, id, lock);
  if (!list) throw errors.listNotFound(id);
  return list;
}

/** As `lockedList`; undefined where there is none. */
export async function listIfThere(
  call: Call,
  tx: WorkspaceTransaction,
  id: string,
  lock: 'use' | 'change',
): Promise<StoredList | undefined> {
  if (!isUuid(id)) return undefined;
  const strength = trusted(lock === 'change' ? 'update' : 'key share');
  const { rows } =
    await tx.run(sql`select l.name, l.description, l.icon_name, l.color, to_jsonb(l.object_types), l.fields
    from ${call.workspace.table('_lists')} l where l.id = ${listId(id)}::uuid and ${visibleList(call, sql`l`)}
    for ${strength} of l`);
  const [found] = rows;
  if (!found) return undefined;
  const [name, description = null, icon_name = null, color = null, types, fields] = found;
  const names: readonly string[] = JSON.parse(types ?? '[]');
  return {
    id: listId(id),
    name: name ?? '',
    description,
    icon_name,
    color,
    objects: names.flatMap((called) => call.model.objects.get(called) ?? []),
    fields: storedFields(fields ?? '[]'),
  };
}

/** Parses the fields column of a list. */
export function storedFields(text: string): readonly StoredField[] {
  return parseJson(text) as unknown as readonly StoredField[]; // nothing else is ever stored there
}
