/** What history and reads of an earlier time share: whose past may be seen, and which links there were. */
import type { Call } from '../access/call.ts';
import type { FieldDef } from '../fields/field-def.ts';
import type { ObjectDef } from '../model/model.ts';
import { identifier, join, literal, or, sql, type Sql } from '../postgres/sql.ts';
import { objectScope } from '../query/object-scope.ts';
import { visibleRow } from '../query/where.ts';
import { junctionColumns, storedColumns, type StoredColumn } from './columns.ts';
import { trashedRow } from './trash.ts';

/** Fields that keep no past of their own. */
const withoutPast: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

/**
 * The clauses `r` (the row, if its past may be seen) and `h` (its history). Whoever may view the record may see its past;
 * of one in the trash, whoever may view and delete it: so that they can find out who did.
 */
export function pastClauses(call: Call, object: ObjectDef, id: string): Sql[] {
  const scope = objectScope(call, object, 't');
  return [
    sql`r as materialized (select * from ${call.workspace.table(object.name)} t
      where t.id = ${id}::uuid and ${or([visibleRow(scope), trashedRow(call, scope)])})`,
    sql`h as materialized (select h.* from ${call.workspace.table('_history')} h
      where h.record_id = ${id}::uuid and h.object_id = ${object.id}::uuid and exists (select from r))`,
  ];
}

/** The columns of each field that has a past, hidden ones too. */
export function columnsByField(object: ObjectDef): ReadonlyMap<FieldDef, readonly StoredColumn[]> {
  const byField = new Map<FieldDef, StoredColumn[]>();
  for (const column of storedColumns(object)) {
    if (withoutPast.has(column.field.name)) continue;
    byField.set(column.field, [...(byField.get(column.field) ?? []), column]);
  }
  return byField;
}

/** A field's value of the row `r`, in the form of a before-image. */
export function imageNow(columns: readonly StoredColumn[]): Sql {
  const values = columns.map(({ name }) => sql`r.${identifier(name)}`);
  return values.length === 1 ? sql`to_jsonb(${values[0] ?? sql`null`})` : sql`jsonb_build_array(${join(values, ', ')})`;
}

/**
 * The links of `r` as they were before the entry of `h` with the id `from`: JSON text `[[target, { field id: cell }], …]`, or
 * null. Of each target the first change from there on says how it was; without one, it is as it is now.
 */
export function linksBefore(call: Call, field: FieldDef, from: Sql): Sql {
  const key = literal(field.id);
  const cells = junctionColumns(field).map(
    ({ field: { id }, name }) => sql`${literal(id)}, l.${identifier(name)}::text`,
  );
  const now = sql`jsonb_build_object(${join(cells, ', ')})`;
  return sql`(select json_agg(json_build_array(x.target, x.junction) order by x.position, x.target)::text from (
    with event as (select distinct on (e.target) e.target, e.present, e.junction from (
        select h.id, a.target, false as present, null::jsonb as junction
          from h, jsonb_array_elements_text(h.links -> ${key} -> 'added') a (target)
        union all select h.id, b.target, true, h.links -> ${key} -> 'was' -> b.target
          from h, jsonb_array_elements_text(h.links -> ${key} -> 'removed') b (target)
        union all select h.id, w.target, true, w.junction
          from h, jsonb_each(h.links -> ${key} -> 'was') w (target, junction)
          where not (h.links -> ${key} -> 'removed') ? w.target) e
      where e.id >= ${from} order by e.target, e.id)
    select l.target_id::text as target, coalesce(e.junction, ${now}) as junction, l.position
      from ${call.workspace.table(field.linkTable ?? '')} l left join event e on e.target = l.target_id::text
      where l.source_id = (select r.id from r) and e.present is distinct from false
    union all select e.target, e.junction, null from event e where e.present and not exists (
      select from ${call.workspace.table(field.linkTable ?? '')} l
      where l.source_id = (select r.id from r) and l.target_id = e.target::uuid)) x)`;
}
