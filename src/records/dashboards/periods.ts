/** The current period and the previous one, each from its first day to the same day of it. */
import { dayOf } from '../../fields/local-time.ts';

export const comparisonPeriods = ['previous_month', 'previous_quarter', 'previous_year'] as const;

export type ComparisonPeriod = (typeof comparisonPeriods)[number];

/** Days, both inclusive. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

const lengths: Readonly<Record<ComparisonPeriod, number>> = {
  previous_month: 1,
  previous_quarter: 3,
  previous_year: 12,
};

/**
 * The period up to the day of `now`, and the previous one up to the corresponding day, or to its last day if it is
 * shorter.
 */
export function periodsAt(
  period: ComparisonPeriod,
  now: number,
  timeZone: string,
): { readonly current: Days; readonly previous: Days } {
  const today = dayOf(now, timeZone);
  const months = lengths[period];
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const index = year * 12 + month - 1;
  const first = index - (index % months);
  return {
    current: { from: dayIn(first, 1), to: today },
    previous: { from: dayIn(first - months, 1), to: dayIn(index - months, day) },
  };
}

/** The day of a month that is counted from year 0. */
function dayIn(index: number, day: number): string {
  const year = Math.floor(index / 12);
  const month = (index % 12) + 1;
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const digits = (value: number, length: number) => String(value).padStart(length, '0');
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(Math.min(day, last), 2)}`;
}
