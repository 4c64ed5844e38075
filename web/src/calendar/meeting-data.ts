/** Meetings of a range of days, and their position within a day. */
import { useQuery } from '@tanstack/react-query';
import { KithError, type MeetingsListItem } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { dayAfter, dayText } from '../values/whole-days.ts';

export type Meeting = MeetingsListItem;

const mostMeetings = 1_000;
const hourMs = 3_600_000;
/** The drawn length of a meeting without an end, and the minimum for any. */
const usualMs = hourMs;
const shortestMs = hourMs / 2;

/** The meetings that begin on these days in the reader's zone; undefined if the workspace has no calendar. */
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

/** The day on which it begins, in the reader's zone; an all-day meeting is on the same date in every zone. */
export function dayOf({ start_time: start, all_day: isAllDay }: Meeting): string {
  return isAllDay ? start.slice(0, 10) : dayText(new Date(start));
}

export interface Placed {
  readonly meeting: Meeting;
  /** The start in hours of the day, and the length. */
  readonly from: number;
  readonly hours: number;
  /** The index among overlapping meetings, and their number. */
  readonly column: number;
  readonly columns: number;
}

/** Positions the meetings of one day; overlapping ones are side by side. */
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
    // Overlapping meetings share the width.
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
