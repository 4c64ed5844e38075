/** Keeps all-day tasks on their day when the organization's time zone changes. [spec: Task] */
import { instantText } from '../fields/types/datetime.ts';
import type { Model, ObjectDef } from '../model/model.ts';
import { identifier, sql, type Sql } from '../postgres/sql.ts';

/**
 * Moves the due time of all-day tasks, including those in the trash, to the day's start in the new time zone, also in
 * history, so that an undo restores the day. It is no change of the task: no history entry, and `updated_at` stays. Empty
 * if the zone stays.
 */
export function keepDays(before: Model, after: Model): readonly Sql[] {
  const tasks = after.objects.get('tasks');
  if (before.timeZone === after.timeZone || tasks?.kind !== 'managed') return [];
  const table = identifier(after.schema, tasks.table);
  const moved = (due: Sql) =>
    sql`date_trunc('day', ${due} at time zone ${before.timeZone}::text) at time zone ${after.timeZone}::text`;
  return [
    sql`update ${table} set due_date = ${moved(sql`due_date`)} where due_all_day and ${isWithin(sql`due_date`)}`,
    pastDays(after, tasks, moved),
  ];
}

/** A history image contains `due_all_day` only if that changed, too; otherwise the next image that does, or the row, decides. */
function pastDays({ schema }: Model, tasks: ObjectDef, moved: (due: Sql) => Sql): Sql {
  const history = identifier(schema, '_history');
  const idOf = (name: string) => tasks.attributes.get(name)?.id ?? null;
  const [due, mark] = [idOf('due_date'), idOf('due_all_day')];
  const was = sql`(h.before ->> ${due}::text)::timestamptz`;
  const next = sql`(select coalesce(n.before ->> ${mark}::text, 'false') from ${history} n
    where n.record_id = h.record_id and n.id >= h.id and n.before ? ${mark}::text order by n.id limit 1)`;
  return sql`update ${history} h set before = jsonb_set(h.before, array[${due}::text], to_jsonb(${instantText(moved(was))}))
    from ${identifier(schema, tasks.table)} t where h.record_id = t.id and h.object_id = ${tasks.id}::uuid
      and h.before ->> ${due}::text is not null and ${isWithin(was)} and coalesce(${next}, t.due_all_day::text) = 'true'`;
}

/** Days at the ends of the calendar stay, since their start elsewhere could be outside the representable years. */
function isWithin(due: Sql): Sql {
  return sql`${due} between '0001-01-03' and '9999-12-29'`;
}
