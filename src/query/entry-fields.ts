/** What an entry of a list holds beside its record. It is stored by the ids of the list's fields, so that a renamed one keeps its values. */
import { isShownAsList, standsForItself } from '../fields/abilities.ts';
import { fieldTypeNames } from '../fields/field-def.ts';
import { join, literal, sql, type Sql } from '../postgres/sql.ts';

/** The types that a field of a list can have. */
export const entryFieldTypes = fieldTypeNames.filter((type) => standsForItself({ type }));

const shownAsLists = join(
  entryFieldTypes.filter((type) => isShownAsList({ type })).map((type) => literal(type)),
  ', ',
);

/** The values by the names of the fields, in the order of the list: json. `list` and `entry` name rows of the tables of both. */
export function entryFields(list: Sql, entry: Sql): Sql {
  const none = sql`case when f.value -> 'definition' ->> 'type' in (${shownAsLists}) then '[]'::jsonb end`;
  return sql`(select coalesce(json_object_agg(f.value ->> 'name', coalesce(${entry}.entry_fields -> (f.value ->> 'id'), ${none})
      order by f.place), '{}'::json)
    from jsonb_array_elements(${list}.fields) with ordinality f (value, place))`;
}
