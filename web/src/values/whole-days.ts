/** Dates in the service's format. */

/** The date in the reader's zone, as YYYY-MM-DD. */
export function dayText(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const byZone = new Map<string, Intl.DateTimeFormat>();

/** The date in another zone, as YYYY-MM-DD. */
export function dayTextIn(timeZone: string, date: Date): string {
  const known = byZone.get(timeZone);
  const format =
    known ??
    new Intl.DateTimeFormat('en-u-ca-iso8601', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  byZone.set(timeZone, format);
  const parts = new Map(format.formatToParts(date).map(({ type, value }) => [type, value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

/** The date so many days later. */
export function dayAfter(date: Date, days: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
}

/** The Monday of a date's week. */
export function mondayOf(date: Date): Date {
  return dayAfter(date, -((date.getDay() + 6) % 7));
}
