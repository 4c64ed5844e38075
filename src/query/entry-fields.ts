/** What an entry of a list holds beside its record. It is stored by the ids of the list's fields, so that a renamed one keeps its values. */
import { isShownAsList, standsForItself } from '../fields/abilities.ts';
import { fieldTypeNames } from '../fields/field-def.ts';
import type { Json } from '../lib/json.ts';
import { literal, sql, type Sql } from '../postgres/sql.ts';

/** The types that a field of a list can have. */
export const entryFieldTypes = fieldTypeNames.filter((type) => standsForItself({ type }));

const shownAsLists: ReadonlySet<Json> = new Set(entryFieldTypes.filter((type) => isShownAsList({ type })));

/** What `entryFields` takes, as JSON: the stored values, then the ids, names and types of the list's fields. `list` and `entry` name rows of the tables of both. */
export function entryColumns(list: Sql, entry: Sql): readonly Sql[] {
  const ofEach = (path: string) => sql`jsonb_path_query_array(${list}.fields, ${literal(`$[*].${path}`)})`;
  return [sql`${entry}.entry_fields`, ofEach('id'), ofEach('name'), ofEach('definition.type')];
}

/**
 * The values by the names of the fields, in the order of the list, as JSON text. Made here: where PostgreSQL makes it, a record that
 * is on no list pays for it, too.
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
