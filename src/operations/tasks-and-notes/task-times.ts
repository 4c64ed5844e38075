/**
 * Due dates of tasks as filters, by the days of the request's time zone. A task due on a day without a time is stored as
 * the day's start in the organization's zone; so it is due that day in any zone. [spec: Task]
 */
import { addDays, dayOf, mondayOf, startOfDay } from '../../fields/local-time.ts';
import type { FilterCondition, FilterGroup } from '../../model/model.ts';
import type { QueryContext } from '../../query/context.ts';

export const taskModes = ['all', 'today', 'overdue', 'upcoming', 'completed'] as const;
export type TaskMode = (typeof taskModes)[number];

type Clock = Pick<QueryContext, 'now' | 'timeZone' | 'model'>;

/** Completed tasks. */
export const completed = all({ field: 'is_completed', operator: 'equals', value: true });

const open = all({ field: 'is_completed', operator: 'not_equals', value: true });

/** The filter of a mode; undefined for all. */
export function tasksIn(mode: TaskMode, clock: Clock): FilterGroup | undefined {
  if (mode === 'all') return undefined;
  return mode === 'completed' ? completed : all(open, dueIn(mode, clock));
}

/** Open tasks due in this week, Monday to Sunday. */
export function dueThisWeek(clock: Clock): FilterGroup {
  const monday = mondayOf(dayOf(clock.now, clock.timeZone));
  return all(open, dueBetween(clock, monday, addDays(monday, 7)));
}

/** Tasks completed today. */
export function completedToday({ now, timeZone }: Clock): FilterGroup {
  const today = dayOf(now, timeZone);
  return all(completed, between('completed_at', timeZone, today, addDays(today, 1)));
}

/** Tasks with a time are overdue once it has passed; tasks of a whole day, from the next midnight on. */
function dueIn(mode: 'today' | 'overdue' | 'upcoming', clock: Clock): FilterGroup {
  const { now, timeZone, model } = clock;
  const today = dayOf(now, timeZone);
  if (mode === 'today') return dueBetween(clock, today, addDays(today, 1));
  const operator = mode === 'overdue' ? 'less_than' : 'greater_equal';
  return any(
    all(allDay, due(operator, startOfDay(today, model.timeZone))),
    all(timed, due(operator, new Date(now).toISOString())),
  );
}

function dueBetween({ timeZone, model }: Clock, from: string, before: string | undefined): FilterGroup {
  const inZone = (zone: string) => between('due_date', zone, from, before);
  if (timeZone === model.timeZone) return inZone(timeZone);
  return any(all(allDay, inZone(model.timeZone)), all(timed, inZone(timeZone)));
}

/** From the start of the day `from` to before that of `before`, if given. */
function between(field: string, zone: string, from: string, before: string | undefined): FilterGroup {
  const begin: FilterCondition = { field, operator: 'greater_equal', value: startOfDay(from, zone) };
  if (before === undefined) return all(begin);
  return all(begin, { field, operator: 'less_than', value: startOfDay(before, zone) });
}

const allDay: FilterCondition = { field: 'due_all_day', operator: 'equals', value: true };
const timed: FilterCondition = { field: 'due_all_day', operator: 'not_equals', value: true };

function due(operator: string, value: string): FilterCondition {
  return { field: 'due_date', operator, value };
}

function all(...conditions: FilterGroup['conditions']): FilterGroup {
  return { type: 'AND', conditions };
}

function any(...conditions: FilterGroup['conditions']): FilterGroup {
  return { type: 'OR', conditions };
}
