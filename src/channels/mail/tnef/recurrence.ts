/** Converts Outlook recurrences to iCalendar rules. [MS-OXOCAL 2.2.1.44, MS-OXCICAL 2.1.3.2] */
import { BytesReader } from './bytes-reader.ts';

/** The recurrence of a meeting; times are local to its zone. */
export interface Recurrence {
  /** Such as `20261001T090000`. */
  readonly start: string;
  readonly end: string;
  /** The RRULE line. */
  readonly rule: string;
  /** Times of excluded occurrences. */
  readonly excluded: readonly string[];
}

const days = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const minuteMs = 60_000;
/** The time from which minutes are counted. */
const epochMs = Date.UTC(1601, 0, 1);
const mostExcluded = 1_000;
const endsByDate = 0x20_21;
const endsByCount = 0x20_22;
const yearly = 0x20_0d;

/** Parses a recurrence; undefined if it is not Gregorian or has changed occurrences. Throws BytesEnd. */
export function readRecurrence(bytes: Uint8Array): Recurrence | undefined {
  const reader = new BytesReader(bytes);
  reader.uint32();
  const [frequency, pattern, calendar] = [reader.uint16(), reader.uint16(), reader.uint16()];
  reader.uint32();
  const period = reader.uint32();
  reader.uint32();
  const rule = frequencyIn(reader, { frequency, pattern, period });
  const [ending, count, firstDay] = [reader.uint32(), reader.uint32(), reader.uint32()];
  const excluded = dayList(reader);
  const changed = dayList(reader);
  const [first, last] = [reader.uint32(), reader.uint32()];
  reader.uint32();
  reader.uint32();
  const [from, until] = [reader.uint32(), reader.uint32()];
  if (rule === undefined || calendar > 1 || changed.length > 0 || from > 1_440 || until > 20_000) return undefined;
  const isYear = frequency === yearly;
  const month = isYear ? `;BYMONTH=${new Date(epochMs + first * minuteMs).getUTCMonth() + 1}` : '';
  const end =
    ending === endsByCount ? `;COUNT=${count}` : ending === endsByDate ? `;UNTIL=${wall(last).slice(0, 8)}T235959` : '';
  return {
    start: wall(first + from),
    end: wall(first + until),
    rule: `RRULE:${rule}${month};WKST=${days[firstDay] ?? 'SU'}${end}`,
    excluded: excluded.map((day) => wall(day + from)),
  };
}

interface Pattern {
  readonly frequency: number;
  readonly pattern: number;
  readonly period: number;
}

function frequencyIn(reader: BytesReader, { frequency, pattern, period }: Pattern): string | undefined {
  const [unit, every] = frequency === yearly ? ['YEARLY', period / 12] : ['MONTHLY', period];
  switch (pattern) {
    case 0:
      return ruleOf('DAILY', period / 1_440);
    case 1:
      return ruleOf('WEEKLY', period, `;BYDAY=${daysIn(reader.uint32())}`);
    case 2:
    case 4: {
      const day = reader.uint32();
      return ruleOf(unit, every, `;BYMONTHDAY=${day === 31 || pattern === 4 ? -1 : day}`);
    }
    case 3: {
      const [on, which] = [daysIn(reader.uint32()), reader.uint32()];
      return ruleOf(unit, every, `;BYDAY=${on};BYSETPOS=${which >= 5 ? -1 : which}`);
    }
    default:
      return undefined;
  }
}

/** The beginning of a rule; undefined for an invalid interval. */
function ruleOf(unit: string, every: number, on = ''): string | undefined {
  return Number.isInteger(every) && every > 0 && every < 1_000 ? `FREQ=${unit};INTERVAL=${every}${on}` : undefined;
}

function daysIn(bits: number): string {
  return days.filter((_, day) => (bits & (1 << day)) !== 0).join(',');
}

/** A list of days, in minutes. Takes all its bytes first, so a false length throws BytesEnd instead of allocating. */
function dayList(reader: BytesReader): readonly number[] {
  const list = new BytesReader(reader.take(4 * reader.uint32()));
  return Array.from({ length: Math.min(list.left / 4, mostExcluded) }, () => list.uint32());
}

/** A local time from its minutes. */
function wall(minutes: number): string {
  return new Date(epochMs + minutes * minuteMs).toISOString().replaceAll(/[-:]|\.\d+Z$/g, '');
}
