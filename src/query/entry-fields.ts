/** The field values of a list entry, stored by field id so that renamed fields keep them. */
import { isShownAsList, standsForItself } from '../fields/abilities.ts';
import { fieldTypeNames } from '../fields/field-def.ts';
import type { Json } from '../lib/json.ts';
import { literal, sql, type Sql } from '../postgres/sql.ts';

/** The types that a list's field can have. */
export const entryFieldTypes = fieldTypeNames.filter((type) => standsForItself({ type }));

const shownAsLists: ReadonlySet<Json> = new Set(entryFieldTypes.filter((type) => isShownAsList({ type })));

/**
 * The columns that `entryFields` reads: the stored values, then the ids, names and types of the list's fields. `list`
 * and `entry` are rows of those tables.
 */
export function entryColumns(list: Sql, entry: Sql): readonly Sql[] {
  const ofEach = (path: string) => sql`jsonb_path_query_array(${list}.fields, ${literal(`$[*].${path}`)})`;
  return [sql`${entry}.entry_fields`, ofEach('id'), ofEach('name'), ofEach('definition.type')];
}

/**
 * The values by field name, in the list's order, as JSON text. Built here: in PostgreSQL, records on no list would
 * pay for it, too.
 */
export function entryFields([values = {}, ids, names, types]: readonly Json[]): string {
  const known = new Map(Object.entries(values ?? {}));
  const members = listOf(ids).map((id, at) => {
    const none = shownAsLists.has(listOf(types)[at] ?? null) ? [] : null;
    return `${JSON.stringify(listOf(names)[at])}:${JSON.stringify(known.get(String(id)) ?? none)}`;
  });
  return `{${members.join(',')}}`;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
