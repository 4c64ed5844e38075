/** The entries of lists that there are for a caller: those of records that its role may see. */
import type { Call } from '../../access/call.ts';
import { hasRecords, type ObjectDef } from '../../model/model.ts';
import { and, join, literal, or, sql, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';

/** The objects of which the caller may see records. */
export function seenObjects({ model, visibility }: Call): readonly ObjectDef[] {
  return [...model.objects.values()].filter((object) => hasRecords(object) && visibility.rows(object.name) !== 'none');
}

/** Whether the caller may see the record of the entry `e`, which is of one of these objects. */
export function visibleEntry(call: Call, objects: readonly ObjectDef[]): Sql {
  return or(
    objects.map((object) =>
      and([sql`e.object_id = ${literal(object.id)}::uuid`, sql`exists (${recordOf(call, object)})`]),
    ),
  );
}

/** How many entries of the list `l` the caller may see. A list looks for records of those objects alone that it takes. */
export function visibleEntries(call: Call, objects: readonly ObjectDef[]): Sql {
  const counts = objects.map((object) => {
    const entries = sql`${call.workspace.table('_list_entries')} e`;
    return sql`(case when l.object_types @> array[${literal(object.name)}] then (select count(*) from ${entries}
      where e.list_id = l.id and e.object_id = ${literal(object.id)}::uuid and exists (${recordOf(call, object)})) else 0 end)`;
  });
  return counts.length === 0 ? sql`0` : sql`(${join(counts, ' + ')})`;
}

/** The record of the entry `e`, where it is one of the object that the caller may see. */
function recordOf(call: Call, object: ObjectDef): Sql {
  const scope = objectScope(call, object, 'r');
  return sql`select from ${call.workspace.table(object.table)} r where r.id = e.record_id and ${visibleRow(scope)}`;
}
