/**
 * Dates as people and programs write them. The order of a column's day, month and year is decided by all its values.
 */
import { isDay } from '../../../fields/local-time.ts';

/** The order of day, month and year. */
export const dateOrders = ['YMD', 'DMY', 'MDY'] as const;
export type DateOrder = (typeof dateOrders)[number];

export interface DateGuess {
  /** Undefined where several orders are possible: the user must choose. */
  readonly order: DateOrder | undefined;
  /** The orders in which all values are dates. */
  readonly possible: readonly DateOrder[];
  readonly hasTime: boolean;
}

interface NumericDate {
  readonly numbers: readonly [string, string, string];
  readonly separator: string;
  readonly time: string;
}

const numeric = /^(\d{1,4})([-/.])\s?(\d{1,2})\2\s?(\d{1,4})\.?(?:[T ,]+(\d{1,2}:\d{2}.*))?$/;
const compact = /^(\d{4})(\d{2})(\d{2})$/;
const dayMonthName =
  /^(?:\p{L}+,? )?(\d{1,2})(?:\.|st|nd|rd|th)?[ .-]+(?:de )?(\p{L}{3,12})\.?[ ,.-]+(?:de )?(\d{4}|\d{2})(?:[T ,]+(\d{1,2}:\d{2}.*))?$/u;
const monthNameDay =
  /^(?:\p{L}+,? )?(\p{L}{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?:[T ,]+(\d{1,2}:\d{2}.*))?$/u;
const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?(?:\s*([ap])\.?m?\.?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;

/** Characters of the longest date. */
const longest = 100;

/** Three letters of each month in the languages of exports. */
const months = [
  'jan ene gen',
  'feb fév fev',
  'mar mär mrz maa',
  'apr abr avr',
  'may mai mag mei',
  'jun giu',
  'jul lug',
  'aug ago aoû aou',
  'sep set',
  'oct okt ott out',
  'nov',
  'dec dez déc dic',
].map((names) => names.split(' '));

/** What programs write for a missing date. */
const none = /^(?:0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?: 00:00(?::00)?)?|-+|n\/a|null|none)$/i;

/** Whether the cell stands for a missing date. */
export function isNoDate(text: string): boolean {
  const given = text.trim();
  return given.length <= longest && none.test(given);
}

/** Guesses the order of the dates; undefined where more than one in twenty is no date in any order. */
export function guessDates(values: readonly string[]): DateGuess | undefined {
  const given = values.map((value) => value.trim()).filter((value) => value !== '' && !isNoDate(value));
  if (given.length === 0) return undefined;
  const fits = (order: DateOrder) => given.filter((value) => readDate(value, order) !== undefined).length;
  const counted = dateOrders.map((order) => ({ order, count: fits(order) }));
  const most = Math.max(...counted.map(({ count }) => count));
  if (most < given.length * 0.95) return undefined;
  const possible = counted.filter(({ count }) => count === most).map(({ order }) => order);
  const hasTime =
    given.filter((value) => (readDate(value, possible[0] ?? 'YMD') ?? '').includes('T')).length > given.length / 2;
  // Dates that read the same in every order, such as `05 Mar 2021`, need no choice.
  const differ = given.some((value) => new Set(possible.map((order) => readDate(value, order))).size > 1);
  return { order: differ ? undefined : possible[0], possible, hasTime };
}

/** The date as `2026-01-31`, followed by its time if any; undefined where it is no date in that order. */
export function readDate(text: string, order: DateOrder): string | undefined {
  const given = text.trim();
  if (given.length > longest) return undefined;
  const named = namedMonth(given);
  if (named) return withTime(named.day, named.time);
  const parts = numericDate(given);
  if (!parts) return undefined;
  const day = dayIn(parts, order);
  return day === undefined ? undefined : withTime(day, parts.time);
}

function namedMonth(text: string): { readonly day: string; readonly time: string } | undefined {
  const [first, second] = [dayMonthName.exec(text), monthNameDay.exec(text)];
  const [day, name, year, time] = first
    ? [first[1], first[2], first[3], first[4]]
    : second
      ? [second[2], second[1], second[3], second[4]]
      : [];
  if (day === undefined || name === undefined || year === undefined) return undefined;
  const month = months.findIndex((names) => names.some((start) => name.toLowerCase().startsWith(start)));
  return month < 0 ? undefined : { day: dayOf(fullYear(year), String(month + 1), day) ?? '', time: time ?? '' };
}

function numericDate(text: string): NumericDate | undefined {
  const packed = compact.exec(text);
  if (packed) return { numbers: [packed[1] ?? '', packed[2] ?? '', packed[3] ?? ''], separator: '', time: '' };
  const match = numeric.exec(text);
  if (!match) return undefined;
  const [, a = '', separator = '', b = '', c = '', time = ''] = match;
  return { numbers: [a, b, c], separator, time };
}

function dayIn({ numbers: [a, b, c], separator }: NumericDate, order: DateOrder): string | undefined {
  // A leading year of four digits is followed by the month in any order.
  if (a.length === 4 || separator === '') return c.length > 2 ? undefined : dayOf(a, b, c);
  if (a.length > 2 || order === 'YMD') return undefined;
  // Dates with dots have the day first.
  const isDayFirst = order === 'DMY' || (separator === '.' && Number(b) <= 12);
  if (separator === '.' && order === 'MDY') return undefined;
  return isDayFirst ? dayOf(fullYear(c), b, a) : dayOf(fullYear(c), a, b);
}

/** Two digits mean a year from 1931 to 2030. */
function fullYear(year: string): string {
  if (year.length !== 2) return year;
  return `${Number(year) > 30 ? 19 : 20}${year}`;
}

function dayOf(year: string, month: string, day: string): string | undefined {
  const text = `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return year.length === 4 && isDay(text) ? text : undefined;
}

function withTime(day: string, time: string): string | undefined {
  if (day === '') return undefined;
  if (time === '') return day;
  const match = clock.exec(time.trim());
  if (!match) return undefined;
  const [, hours = '', minutes = '', seconds = '00', half, zone = ''] = match;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const offset = /^(?:utc|gmt)$/i.test(zone) ? 'Z' : zone;
  return hour > 23 || Number(minutes) > 59
    ? undefined
    : `${day}T${String(hour).padStart(2, '0')}:${minutes}:${seconds}${offset}`;
}
