/**
 * Filters by day, for days and instants alike: each is a half-open range of days in the context's time zone. Weeks
 * are Monday to Sunday; `date_between` includes its end day.
 */
import type { Json } from '../../lib/json.ts';
import { and, or, sql } from '../../postgres/sql.ts';
import type { Sql } from '../../postgres/sql.ts';
import { addDays, dayOf, mondayOf, nextMonth, startOfDay } from '../local-time.ts';
import type { FilterContext, Operator, OperatorSet } from './operator.ts';
import { dayFrom, pairFrom } from './values.ts';

/** From the start of one day to the start of another; open where undefined. */
interface Days {
  readonly from?: string | undefined;
  readonly before?: string | undefined;
}

function within(days: (value: Json, context: FilterContext) => Days): Operator {
  return ({ kind, value, wholeDay }, wanted, context) => {
    const { from, before } = days(wanted, context);
    const inZone = (zone: string): Sql => {
      const bound = (day: string): Sql =>
        kind === 'date' ? sql`${day}::date` : sql`${startOfDay(day, zone)}::timestamptz`;
      const conditions: Sql[] = [];
      if (from !== undefined) conditions.push(sql`${value} >= ${bound(from)}`);
      if (before !== undefined) conditions.push(sql`${value} < ${bound(before)}`);
      return and(conditions);
    };
    const there = inZone(context.timeZone);
    if (!wholeDay || wholeDay.timeZone === context.timeZone) return there;
    const { isOne, timeZone } = wholeDay;
    return or([and([sql`${isOne} is true`, inZone(timeZone)]), and([sql`${isOne} is not true`, there])]);
  };
}

function today({ now, timeZone }: FilterContext): string {
  return dayOf(now, timeZone);
}

const oneDay = (day: string): Days => ({ from: day, before: addDays(day, 1) });

/** Nothing follows the last possible day. */
function after(day: string): Days {
  const next = addDays(day, 1);
  return next === undefined ? { from: day, before: day } : { from: next };
}

export const dateOperators: OperatorSet = {
  date_equals: within((value, context) => oneDay(dayFrom(value, context))),
  date_before: within((value, context) => ({ before: dayFrom(value, context) })),
  date_after: within((value, context) => after(dayFrom(value, context))),
  date_between: within((value, context) => {
    const [from, to] = pairFrom(value, 'dates');
    return { from: dayFrom(from, context), before: addDays(dayFrom(to, context), 1) };
  }),
  date_today: within((_, context) => oneDay(today(context))),
  date_this_week: within((_, context) => {
    const monday = mondayOf(today(context));
    return { from: monday, before: addDays(monday, 7) };
  }),
  date_this_month: within((_, context) => {
    const day = today(context);
    return { from: `${day.slice(0, 7)}-01`, before: nextMonth(day) };
  }),
};
