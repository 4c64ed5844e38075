/** Times of the demo's past: on workdays within office hours (UTC), and before today. */
import { between } from './demo-chance.ts';
import { dayMs } from '../lib/durations.ts';

/** A year and a half. */
export const pastDays = 546;

const minuteMs = 60_000;

/** The days ago, moved back to a workday if that day is at a weekend. */
export function workday(today: Date, ago: number): number {
  const weekday = new Date(today.getTime() - ago * dayMs).getUTCDay();
  return ago + (weekday === 0 ? 2 : weekday === 6 ? 1 : 0);
}

/** `days`, or one or two more if that is a weekend. */
export function comingWorkday(today: Date, days: number): number {
  const weekday = new Date(today.getTime() + days * dayMs).getUTCDay();
  return days + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0);
}

/** The begin of the quarter hour that a moment is in. */
export function quarterHour(at: number): number {
  return at - (at % (15 * minuteMs));
}

/** A time on a workday, at least one day before `today`, which is a midnight. */
export function workTime(today: Date, ago: number): number {
  return today.getTime() - workday(today, Math.max(1, ago)) * dayMs + between(8 * 60, 17 * 60) * minuteMs;
}

/** The morning of the week's import, at or before `ago` days ago. */
export function importTime(today: Date, ago: number): number {
  const week = Math.min(pastDays / 7, Math.ceil(Math.max(1, ago) / 7));
  return today.getTime() - workday(today, week * 7) * dayMs + (6 * 60 + ((week * 37) % 60)) * minuteMs;
}

/** `at`, or a little after `earlier` if `at` is not later. */
export function after(earlier: number, at: number): number {
  // Drawn in either case, so that the random sequence does not depend on the weekday.
  const pause = between(3, 25) * minuteMs;
  return at > earlier ? at : earlier + pause;
}

/** The days from `at` to `today`, rounded up. */
export function daysAgo(today: Date, at: number): number {
  return Math.ceil((today.getTime() - at) / dayMs);
}
