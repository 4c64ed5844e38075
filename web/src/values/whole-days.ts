/** Days as the service writes them. */

/** The day of the reader's zone, as YYYY-MM-DD. */
export function dayText(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The day so many days after this one. */
export function dayAfter(date: Date, days: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
}

/** The Monday of a day's week. */
export function mondayOf(date: Date): Date {
  return dayAfter(date, -((date.getDay() + 6) % 7));
}
