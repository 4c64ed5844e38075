/** Shared by history and reads of an earlier time: who may see a record's past, and its former links. */
import type { Call } from '../../access/call.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';
import { identifier, join, literal, or, sql, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';
import { junctionColumns } from '../writing/columns.ts';
import { trashedRow } from '../writing/trash.ts';

/**
 * The clauses `r` (the row, if its past may be seen) and `h` (its history). Whoever may view the record may see its
 * past; for a trashed one, whoever may view and delete it, so that they can find out who did. Each use of `h` is a
 * separate index scan, only as far as needed: a record may have a long past with wide entries. With the record's id
 * as a constant, PostgreSQL would scan everybody's entries for a record with many.
 */
export function pastClauses(call: Call, object: ObjectDef, id: string): Sql[] {
  const scope = objectScope(call, object, 't');
  return [
    sql`r as materialized (select * from ${call.workspace.table(object.table)} t
      where t.id = ${id}::uuid and ${or([visibleRow(scope), trashedRow(call, scope)])})`,
    sql`h as not materialized (select h.* from ${call.workspace.table('_history')} h
      where h.record_id = (select r.id from r) and h.object_id = ${object.id}::uuid)`,
  ];
}

/**
 * Whether the caller may know who acted on records: that reveals creators and owners, who may be the only ones
 * allowed to change a record (`own`).
 */
export function showsActors({ visibility }: Call, { name, ownFields }: ObjectDef): boolean {
  return ownFields.every((field) => visibility.shows(name, field));
}

/** Whether the caller may know when records were created. */
export function showsCreationTime({ visibility }: Call, { name }: ObjectDef): boolean {
  return visibility.shows(name, 'created_at');
}

/**
 * The clause `linkings`: the link changes of `h` from the entry with the id `from` on; read by `linksBefore` for
 * every field.
 */
export function linkings(from: Sql): Sql {
  return sql`linkings as materialized (select h.id, h.links from h where h.id >= ${from} and h.links is not null)`;
}

/**
 * The links of `r` before the first entry of the clause `linkings`: JSON text `[[target, { field id: cell }], …]` in
 * order, or null. The first later change of a target says how it was; without one, it is as now. Links removed before
 * history recorded positions come last, since their positions are unknown.
 */
export function linksBefore(call: Call, field: FieldDef): Sql {
  const cells = junctionColumns(field).map(
    ({ field: { id }, name }) => sql`${literal(id)}, l.${identifier(name)}::text`,
  );
  const now = sql`jsonb_build_object(${join(cells, ', ')})`;
  const links = sql`(select * from ${call.workspace.table(field.linkTable ?? '')} l where l.source_id = (select r.id from r))`;
  return sql`(select json_agg(json_build_array(x.target, x.junction) order by x.position, x.target)::text from (
    with change as (select h.id, h.links -> ${literal(field.id)} as links from linkings h where h.links ? ${literal(field.id)}),
      event as (${firstEvents(sql`i.value as junction`, sql`c.links -> 'was'`)}),
      placed as (${firstEvents(sql`i.value::text::int as position`, sql`c.links -> 'stood'`)})
    select l.target_id::text as target, coalesce(e.junction, ${now}) as junction,
        case when p.target is null then l.position else p.position end as position
      from ${links} l left join event e on e.target = l.target_id::text left join placed p on p.target = l.target_id::text
      where e.present is distinct from false
    union all select e.target, e.junction, p.position from event e left join placed p on p.target = e.target
      where e.present and not exists (select from ${links} l where l.target_id = e.target::uuid)) x)`;
}

/**
 * For each target, the first row of the clause `change` that added it, removed it or mentions it in `about`: whether
 * it existed, and `value`, computed from `about`. Joined, since a look-up per target would take quadratic time.
 */
function firstEvents(value: Sql, about: Sql): Sql {
  return sql`select distinct on (i.target) i.target, i.present, ${value} from change c
    cross join lateral (
      select a.target, false as present, null::jsonb as value from jsonb_array_elements_text(c.links -> 'added') a (target)
      union all select coalesce(b.target, k.target), true, k.value
        from jsonb_array_elements_text(c.links -> 'removed') b (target)
        full join jsonb_each(${about}) k (target, value) on k.target = b.target) i
    order by i.target, c.id`;
}
