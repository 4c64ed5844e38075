/** What is due on a day stays due on it when the organization's days begin elsewhere. [spec: Task] */
import type { Model } from '../model/model.ts';
import { identifier, sql, type Sql } from '../postgres/sql.ts';

/**
 * Moves tasks that are due all day, those of the trash too, to where their day begins in the new time zone; nothing where the zone
 * stays. It is no change of the task: history has none, and `updated_at` stays.
 */
export function keepDays(before: Model, after: Model): readonly Sql[] {
  const tasks = after.objects.get('tasks');
  if (before.timeZone === after.timeZone || tasks?.kind !== 'managed') return [];
  const table = identifier(after.schema, tasks.table);
  const day = sql`date_trunc('day', due_date at time zone ${before.timeZone}::text)`;
  // A day at either end of the calendar stays where it is: its begin elsewhere could be in no year that is shown.
  return [
    sql`update ${table} set due_date = ${day} at time zone ${after.timeZone}::text
      where due_all_day and due_date between '0001-01-03' and '9999-12-29'`,
  ];
}
