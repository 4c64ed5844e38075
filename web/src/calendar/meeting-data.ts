/** Meetings of a span of days, and where they stand on a day. */
import { useQuery } from '@tanstack/react-query';
import { KithError, type MeetingsListItem } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { dayAfter, dayText } from '../values/whole-days.ts';

export type Meeting = MeetingsListItem;

const mostMeetings = 1_000;
const hourMs = 3_600_000;
/** A meeting without an end is drawn so long, and none shorter than that can be read. */
const usualMs = hourMs;
const shortestMs = hourMs / 2;

/** The meetings that begin on these days of the reader's zone; undefined where the workspace has no calendar at all. */
export function useMeetings(from: Date, days: number) {
  return useQuery({
    queryKey: [...keys.meetings, dayText(from), days],
    async queryFn({ signal }) {
      const span = {
        start_date: from.toISOString(),
        end_date: new Date(dayAfter(from, days).valueOf() - 1).toISOString(),
      };
      const found: Meeting[] = [];
      try {
        for await (const meeting of kith.meetings.listAll({ ...span, limit: 200 }, { signal })) {
          found.push(meeting);
          if (found.length >= mostMeetings) break;
        }
      } catch (error) {
        if (error instanceof KithError && error.code === 'NOT_SUPPORTED') return { meetings: [], hasCalendar: false };
        throw error;
      }
      return { meetings: found, hasCalendar: true };
    },
  });
}

/** The day on which it begins, in the reader's zone; one that lasts all day is on that day in every zone. */
export function dayOf({ start_time: start, all_day: isAllDay }: Meeting): string {
  return isAllDay ? start.slice(0, 10) : dayText(new Date(start));
}

export interface Placed {
  readonly meeting: Meeting;
  /** Hours since the day began, and how many it takes. */
  readonly from: number;
  readonly hours: number;
  /** Which of the columns side by side, of how many. */
  readonly column: number;
  readonly columns: number;
}

/** Where the meetings of one day stand: those at the same time stand side by side. */
export function placed(meetings: readonly Meeting[], day: Date): Placed[] {
  const begin = day.valueOf();
  const end = dayAfter(day, 1).valueOf();
  const spans = meetings
    .filter((meeting) => !meeting.all_day)
    .map((meeting) => {
      const from = new Date(meeting.start_time).valueOf();
      const until = meeting.end_time === null ? from + usualMs : new Date(meeting.end_time).valueOf();
      return { meeting, from, until: Math.min(end, Math.max(until, from + shortestMs)) };
    })
    .toSorted((a, b) => a.from - b.from || b.until - a.until);
  const out: Placed[] = [];
  for (let at = 0; at < spans.length;) {
    // Those that touch each other share the width.
    const ends: number[] = [];
    const columnOf: number[] = [];
    let next = at;
    while (next < spans.length && (ends.length === 0 || spans[next]!.from < Math.max(...ends))) {
      const span = spans[next]!;
      const free = ends.findIndex((until) => until <= span.from);
      const column = free < 0 ? ends.length : free;
      ends[column] = span.until;
      columnOf.push(column);
      next++;
    }
    spans.slice(at, next).forEach(({ meeting, from, until }, index) => {
      const [start, hours] = [(from - begin) / hourMs, (until - from) / hourMs];
      out.push({ meeting, from: start, hours, column: columnOf[index] ?? 0, columns: ends.length });
    });
    at = next;
  }
  return out;
}
