/** What history and reads of an earlier time share: whose past may be seen, and which links there were. */
import type { Call } from '../../access/call.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';
import { identifier, join, literal, or, sql, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';
import { junctionColumns } from '../writing/columns.ts';
import { trashedRow } from '../writing/trash.ts';

/**
 * The clauses `r` (the row, if its past may be seen) and `h` (its history). Whoever may view the record may see its past;
 * of one in the trash, whoever may view and delete it: so that they can find out who did. Each look at `h` is one of its
 * own, by the index and as far as it must go: a record can have a long past, and entries are wide. Were the record's id a
 * constant there, PostgreSQL would go through everybody's entries for one that has many.
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
 * Whether the caller may know who acted on records: whoever made, owns or has a record is among them, and a rule such as `own`
 * lets nobody else change it.
 */
export function tellsWho({ visibility }: Call, { name, ownFields }: ObjectDef): boolean {
  return ownFields.every((field) => visibility.shows(name, field));
}

/** Whether the caller may know when records were made. */
export function tellsWhenMade({ visibility }: Call, { name }: ObjectDef): boolean {
  return visibility.shows(name, 'created_at');
}

/** The clause `linkings`: what `h` has of links from the entry with the id `from` on; `linksBefore` reads it for every field. */
export function linkings(from: Sql): Sql {
  return sql`linkings as materialized (select h.id, h.links from h where h.id >= ${from} and h.links is not null)`;
}

/**
 * The links of `r` as they were before the first entry of the clause `linkings`: JSON text `[[target, { field id: cell }], …]` in
 * their order, or null. Of each target the first change from there on says how it was; without one, it is as it is now. Where
 * a link stood that went before history knew of places, nobody knows: it comes last.
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
 * Of each target the first of the clause `change` that made it, took it away or is about it in `about`: whether it was there,
 * and `value`, made of what `about` says of it. That is joined: looked up for each target, it takes the square of their number.
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
