/**
 * Days and instants as text: `2026-01-31`, `2026-01-31T09:30:00.000Z`. A day begins by the time zone's rules: at a
 * clock change it can begin at one o'clock, at the earlier of two midnights or, where a day is left out, on the next
 * day.
 */
import { Temporal } from 'temporal-polyfill';

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const instantPattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?:\s?(Z)|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?)?$/i;

/** Whether `text` is a calendar day as YYYY-MM-DD, from year 1 on. */
export function isDay(text: string): boolean {
  const match = dayPattern.exec(text);
  if (!match || match[1] === '0000') return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.getUTCDate() === Number(match[3]);
}

/** `day` plus `count` days; undefined outside the years 1 to 9999. */
export function addDays(day: string, count: number): string | undefined {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  const moved = date.toISOString().slice(0, 10);
  return isDay(moved) ? moved : undefined;
}

/** The Monday on or before `day`. */
export function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7)) ?? day;
}

/** The first day of the month after `day`'s; undefined after the year 9999. */
export function nextMonth(day: string): string | undefined {
  const lastPossible = addDays(`${day.slice(0, 7)}-28`, 4);
  return lastPossible && `${lastPossible.slice(0, 7)}-01`;
}

/** The day of a moment in the time zone. `moment` is milliseconds since the epoch, or an instant's text. */
export function dayOf(moment: number | string, timeZone: string): string {
  const instant =
    typeof moment === 'number' ? Temporal.Instant.fromEpochMilliseconds(moment) : Temporal.Instant.from(moment);
  return instant.toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** The instant at which `day` begins, in PostgreSQL's format. */
export function startOfDay(day: string, timeZone: string): string {
  const instant = Temporal.PlainDate.from(day).toZonedDateTime(timeZone).toInstant();
  return withinYears(instant) ?? (day.startsWith('0') ? '-infinity' : 'infinity');
}

/**
 * Parses ISO 8601 text as a UTC instant with microseconds; undefined outside the years 1 to 9999 or for other text.
 * Without an offset it is local time; a day alone is its beginning.
 */
export function parseInstant(text: string, timeZone: string): string | undefined {
  const match = instantPattern.exec(text.trim());
  if (!match) return undefined;
  const [, day = '', hour, minute, second = '00', fraction = '', zulu, sign, offsetHour = '', offsetMinute = '00'] =
    match;
  if (!isDay(day)) return undefined;
  if (hour === undefined) return withinYears(Temporal.PlainDate.from(day).toZonedDateTime(timeZone).toInstant());
  const local = `${day}T${hour}:${minute}:${second}.${fraction.slice(0, 6).padEnd(6, '0')}`;
  if (zulu) return withinYears(Temporal.Instant.from(`${local}Z`));
  if (sign) return withinYears(Temporal.Instant.from(`${local}${sign}${offsetHour}:${offsetMinute}`));
  return withinYears(Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).toInstant());
}

/** Whether text that `parseInstant` refuses names an instant outside the years 1 to 9999 in UTC. */
export function isBeyondYears(text: string): boolean {
  return isDay(instantPattern.exec(text.trim())?.[1] ?? '');
}

/** `…05.678Z`, with six digits when there are microseconds; undefined outside the years 1 to 9999. */
function withinYears(instant: Temporal.Instant): string | undefined {
  const exact = instant.toString({ fractionalSecondDigits: 6 });
  if (!/^\d{4}-/.test(exact) || exact.startsWith('0000')) return undefined;
  return exact.endsWith('000Z') ? `${exact.slice(0, -4)}Z` : exact;
}
