/** The visible list entries: those whose records the caller's role may see. */
import type { Call } from '../../access/call.ts';
import { hasRecords, type ObjectDef } from '../../model/model.ts';
import { and, join, literal, or, sql, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';

/** The objects whose records the caller may see. */
export function seenObjects({ model, visibility }: Call): readonly ObjectDef[] {
  return [...model.objects.values()].filter((object) => hasRecords(object) && visibility.rows(object.name) !== 'none');
}

/** Whether the caller may see the record of entry `e`, which belongs to one of these objects. */
export function visibleEntry(call: Call, objects: readonly ObjectDef[]): Sql {
  return or(
    objects.map((object) =>
      and([sql`e.object_id = ${literal(object.id)}::uuid`, sql`exists (${recordOf(call, object)})`]),
    ),
  );
}

/** The number of visible entries of the list `l`. Only the objects of a list are looked up. */
export function visibleEntries(call: Call, objects: readonly ObjectDef[]): Sql {
  const counts = objects.map((object) => {
    const entries = sql`${call.workspace.table('_list_entries')} e`;
    return sql`(case when l.object_types @> array[${literal(object.name)}] then (select count(*) from ${entries}
      where e.list_id = l.id and e.object_id = ${literal(object.id)}::uuid and exists (${recordOf(call, object)})) else 0 end)`;
  });
  return counts.length === 0 ? sql`0` : sql`(${join(counts, ' + ')})`;
}

/** Selects the record of entry `e` if it belongs to the object and the caller may see it. */
function recordOf(call: Call, object: ObjectDef): Sql {
  const scope = objectScope(call, object, 'r');
  return sql`select from ${call.workspace.table(object.table)} r where r.id = e.record_id and ${visibleRow(scope)}`;
}
