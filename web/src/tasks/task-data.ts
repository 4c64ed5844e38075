/** Queries for tasks, and their grouping by day. */
import type { InfiniteData } from '@tanstack/react-query';
import type { FilterGroup, TasksListAnswer, TasksListItem, TasksListQuery } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { dayAfter, dayTextIn, dayText, mondayOf } from '../values/whole-days.ts';

export type Task = TasksListItem & { readonly id: string };
export type Show = 'mine' | 'created' | 'completed' | 'all';
export const shows: readonly Show[] = ['mine', 'created', 'completed', 'all'];

export const dayGroups = ['overdue', 'today', 'tomorrow', 'week', 'later', 'none', 'completed'] as const;
export type DayGroup = (typeof dayGroups)[number];

const pageSize = 100;

/** The day on which a task is due, in the reader's zone; an all-day task is due on the same date in every zone, that of the workspace's. */
export function dueDayOf({ due_date: due, due_all_day: isAllDay }: Task, zone: string): string | undefined {
  if (typeof due !== 'string') return undefined;
  // As chosen by the reader, until the service has answered.
  if (due.length === 'YYYY-MM-DD'.length) return due;
  return isAllDay ? dayTextIn(zone, new Date(due)) : dayText(new Date(due));
}

/** The day group of a task; `zone` is the workspace's. */
export function groupOf(task: Task, zone: string, now = new Date()): DayGroup {
  if (task.is_completed) return 'completed';
  const day = dueDayOf(task, zone);
  if (day === undefined) return 'none';
  const isOver = task.due_all_day ? day < dayText(now) : new Date(task.due_date ?? now) < now;
  if (isOver) return 'overdue';
  if (day === dayText(now)) return 'today';
  if (day === dayText(dayAfter(now, 1))) return 'tomorrow';
  return day <= dayText(dayAfter(mondayOf(now), 6)) ? 'week' : 'later';
}

/** Pages of tasks, fetched on demand. */
export function useTasks(show: Show, userId: string) {
  return usePages([...keys.tasks, 'list', show], (at, { signal }) =>
    kith.tasks.list({ ...queryOf(show, userId), ...at }, { signal }),
  );
}

const isOpen = { field: 'is_completed', operator: 'is_false' } as const;

function queryOf(show: Show, userId: string): TasksListQuery {
  const where = (...conditions: FilterGroup['conditions']): FilterGroup => ({ type: 'AND', conditions });
  if (show === 'completed')
    return { mode: 'completed', assigned_to: userId, sort_by: 'completed_at', sort_dir: 'desc', limit: pageSize };
  if (show === 'all') return { filters: where(isOpen), limit: pageSize };
  if (show === 'mine') return { assigned_to: userId, filters: where(isOpen), limit: pageSize };
  return { filters: where(isOpen, { field: 'created_by', operator: 'equals', value: userId }), limit: pageSize };
}

/** Shows changed values of a task before the service has confirmed them. */
export function showAs(id: string, values: Partial<Task>): void {
  const change = (page: TasksListAnswer): TasksListAnswer => ({
    ...page,
    data: page.data.map((task) => (task.id === id ? { ...task, ...values } : task)),
  });
  queries.setQueriesData<InfiniteData<TasksListAnswer> | TasksListAnswer>(
    { queryKey: [...keys.tasks, 'list'] },
    (old) => old && ('pages' in old ? { ...old, pages: old.pages.map(change) } : change(old)),
  );
}
