/** Times of the demo's past: within office hours (UTC), on workdays, and before its day begins. */
import { between } from './demo-chance.ts';

/** How far it goes back: a year and a half. */
export const pastDays = 546;

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** So many days ago, or one or two more where that was at a weekend. */
export function workday(today: Date, ago: number): number {
  const weekday = new Date(today.getTime() - ago * dayMs).getUTCDay();
  return ago + (weekday === 0 ? 2 : weekday === 6 ? 1 : 0);
}

/** Some moment of a workday, `ago` days before `today`, which is a midnight; 1 at least. */
export function workTime(today: Date, ago: number): number {
  return today.getTime() - workday(today, Math.max(1, ago)) * dayMs + between(8 * 60, 17 * 60) * minuteMs;
}

/** Early on the day on which the week's import was: the first that is not later than `ago` days before. */
export function importTime(today: Date, ago: number): number {
  const week = Math.min(pastDays / 7, Math.ceil(Math.max(1, ago) / 7));
  return today.getTime() - workday(today, week * 7) * dayMs + (6 * 60 + ((week * 37) % 60)) * minuteMs;
}

/** `at`, or a little after `earlier` where it is not later than that. */
export function after(earlier: number, at: number): number {
  // Drawn in either case: so chance goes on in the same way, whatever weekday it is.
  const pause = between(3, 25) * minuteMs;
  return at > earlier ? at : earlier + pause;
}

/** How many days before `today` that was, rounded up. */
export function daysAgo(today: Date, at: number): number {
  return Math.ceil((today.getTime() - at) / dayMs);
}
