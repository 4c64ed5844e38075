/**
 * Expands a meeting into its occurrences within a span: those of its rules without the excluded ones, with moved and cancelled ones.
 * Callers must bound the time: for some rules the library searches for a match without end.
 */
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { FieldProblem } from '../../fields/field-problem.ts';
import { dayMs } from '../../lib/durations.ts';
import type { CalendarPart, Moment, Occurrence } from './calendar-part.ts';
import { isLater, type Entry } from './entry.ts';
import { clockIn, clockOf, type Clock } from './zones.ts';

/** The span to expand. Times are in milliseconds. */
export interface Span {
  readonly from: number;
  readonly until: number;
  /** The zone of times without a known zone. */
  readonly timeZone: string;
}

export interface Expanded {
  /** Earliest first. */
  readonly occurrences: readonly Occurrence[];
  /** Keys of occurrences that the calendar excludes. */
  readonly excluded: readonly string[];
  /** The key of the occurrence that each answer is for; null for the whole meeting. */
  readonly replied: readonly (string | null)[];
  /** The start of the first occurrence after the span; null without one. */
  readonly nextStart: number | null;
}

/** Real meetings have fewer: even three a day for two years. */
const mostOccurrences = 2_500;
/** Processor time of an expansion, so that a busy machine does not shorten it. */
const longestMs = 2_000;
/** The processor time is checked after this many occurrences. */
const checkedEvery = 100;
const longestMeetingMs = 366 * dayMs;

/** Expands a meeting. Throws FieldProblem if it recurs too often, or by an invalid rule. */
export function expand({ parts, cancels, replies }: Entry, span: Span): Expanded {
  const builder = new OccurrenceBuilder([...parts, ...cancels], cancels, span);
  const master = newest(parts, null) ?? newest(cancels, null);
  const regular = master?.start ? expandMaster(master, builder) : [];
  const all = [...regular, ...builder.standalone(master)].toSorted((a, b) => a.start - b.start);
  return {
    occurrences: all.filter(({ start, end }) => start < span.until && end >= span.from),
    excluded: master ? master.excluded.map((moment) => builder.timeOf(master, moment).key) : [],
    replied: replies.map(({ recurrence }) => recurrence && builder.timeOf(master ?? zoneless, recurrence).key),
    nextStart: all.find(({ start }) => start >= span.until)?.start ?? null,
  };
}

function newest(parts: readonly CalendarPart[], recurrence: null): CalendarPart | undefined {
  return parts.filter((part) => part.recurrence === recurrence).reduce<CalendarPart | undefined>(later, undefined);
}

function later(a: CalendarPart | undefined, b: CalendarPart): CalendarPart {
  return a && isLater(a, b) ? a : b;
}

const zoneless = { zones: {}, usualZone: null };

interface Time {
  readonly instant: number;
  readonly key: string;
}

type Zoned = Pick<CalendarPart, 'zones' | 'usualZone'>;

/** A part that replaces an occurrence of the rules, with the time of that occurrence. */
interface Override extends Time {
  readonly part: CalendarPart;
}

/** Builds the occurrences of one meeting. */
class OccurrenceBuilder {
  readonly span: Span;
  readonly #all: readonly CalendarPart[];
  readonly #cancels: ReadonlySet<CalendarPart>;
  /** The latest part of each deviating occurrence, by key; a cancellation only if it is the later one. */
  readonly #overrides = new Map<string, Override>();
  readonly #built = new Set<string>();

  constructor(all: readonly CalendarPart[], cancels: readonly CalendarPart[], span: Span) {
    this.span = span;
    this.#all = all;
    this.#cancels = new Set(cancels);
    for (const part of all) {
      if (!part.recurrence) continue;
      const time = this.timeOf(part, part.recurrence);
      const known = this.#overrides.get(time.key);
      this.#overrides.set(time.key, { ...time, part: known ? this.#laterPart(known.part, part) : part });
    }
  }

  /** The instant of a part's moment, and the key of an occurrence at that time. */
  timeOf(part: Zoned, moment: Moment): Time {
    const instant = instantOf(moment, this.clock(part, moment));
    return { instant, key: isDay(moment) ? moment.at : new Date(instant).toISOString() };
  }

  clock(part: Zoned, moment: Pick<Moment, 'zone'>): Clock {
    return clockOf(moment, part.zones, part.usualZone ?? this.span.timeZone);
  }

  /** The occurrence at a time of the rules, with the details of the latest part for it. */
  occurrence(master: CalendarPart, time: Time, isRecurring: boolean): Occurrence {
    const own = this.#overrides.get(time.key);
    this.#built.add(time.key);
    const key = isRecurring || own ? time.key : undefined;
    if (own) return this.#build(own.part, key, own);
    const range = this.#rangeAt(time.instant);
    return this.#build(range?.part ?? master, key, time, range);
  }

  /** Overrides of times that the rules do not have, unless they are older than the meeting itself. */
  standalone(master: CalendarPart | undefined): readonly Occurrence[] {
    return [...this.#overrides.values()]
      .filter(({ key, part }) => !this.#built.has(key) && (!master || part.sequence >= master.sequence))
      .map((own) => this.#build(own.part, own.key, own));
  }

  #build(part: CalendarPart, key: string | undefined, time: Time, range?: Override): Occurrence {
    // A cancellation may lack all other details.
    const source = this.#cancels.has(part) ? (this.#cancelledPart(part) ?? part) : part;
    const shift = range && range.part.start ? this.timeOf(range.part, range.part.start).instant - range.instant : 0;
    const isOwn = source.recurrence !== null && !range;
    const start = isOwn && source.start ? this.timeOf(source, source.start).instant : time.instant + shift;
    const allDay = source.start ? isDay(source.start) : false;
    return {
      key,
      start,
      end: start + this.#lengthOf(source, start),
      allDay,
      status: this.#isCancelled(part) ? 'cancelled' : source.status,
      part: this.#all.indexOf(source),
    };
  }

  /** The length in milliseconds. Whole days are counted in local time, so a day with a clock change has 23 or 25 hours. */
  #lengthOf(part: CalendarPart, start: number): number {
    const { start: first, end, durationMs } = part;
    if (!first) return 0;
    if (isDay(first)) {
      const days = end ? Math.round((Date.parse(end.at.slice(0, 10)) - Date.parse(first.at)) / dayMs) : 0;
      const wanted = days > 0 ? days : Math.max(1, Math.round((durationMs ?? dayMs) / dayMs));
      const clock = this.clock(part, first);
      const last = clock.wallOf(start).add({ days: Math.min(wanted, 366) });
      return clock.instantOf(last) - start;
    }
    const length = end ? this.timeOf(part, end).instant - this.timeOf(part, first).instant : (durationMs ?? 0);
    return Math.min(Math.max(length, 0), longestMeetingMs);
  }

  #rangeAt(instant: number): Override | undefined {
    return [...this.#overrides.values()]
      .filter((own) => own.part.isRange && own.instant <= instant)
      .toSorted((a, b) => b.instant - a.instant)[0];
  }

  #isCancelled(part: CalendarPart): boolean {
    const whole = [...this.#cancels].filter(({ recurrence }) => recurrence === null);
    return this.#cancels.has(part) || whole.some((cancel) => isLater(cancel, part));
  }

  /** The latest part for the occurrence that was cancelled, else of the meeting itself. */
  #cancelledPart(cancel: CalendarPart): CalendarPart | undefined {
    const key = cancel.recurrence && this.timeOf(cancel, cancel.recurrence).key;
    const sameTime = (part: CalendarPart) =>
      part.recurrence === null ? key === null : this.timeOf(part, part.recurrence).key === key;
    const others = this.#all.filter((part) => !this.#cancels.has(part) && part.start !== null);
    return others.filter(sameTime).reduce<CalendarPart | undefined>(later, undefined) ?? newest(others, null);
  }

  #laterPart(a: CalendarPart, b: CalendarPart): CalendarPart {
    if (this.#cancels.has(a) && isLater(a, b)) return a;
    if (this.#cancels.has(b) && isLater(b, a)) return b;
    return later(a, b);
  }
}

/** The occurrences by the rules: those of the span, and the first one after it. */
function expandMaster(master: CalendarPart, builder: OccurrenceBuilder): readonly Occurrence[] {
  const start = master.start!;
  const isRecurring = master.rules.length > 0 || master.added.length > 0;
  const first = builder.timeOf(master, start);
  const times = new Map([[first.key, first]]);
  for (const moment of master.added) add(times, builder.timeOf(master, moment));
  for (const rule of master.rules) for (const time of timesOf(rule, master, builder)) add(times, time);
  const excluded = new Set(master.excluded.map((moment) => builder.timeOf(master, moment).key));
  const left = [...times.values()].filter(({ key }) => !excluded.has(key));
  return left.map((time) => builder.occurrence(master, time, isRecurring));
}

function add(times: Map<string, Time>, time: Time): void {
  times.set(time.key, time);
  if (times.size > mostOccurrences) throw tooOften();
}

/** The times of a rule up to the first one after the span. The rule is evaluated in local time, then converted to instants. */
function* timesOf(data: object, master: CalendarPart, builder: OccurrenceBuilder): Generator<Time> {
  const start = master.start!;
  const clock = builder.clock(master, start);
  const rule = ruleIn(data, start, clock);
  const iterator = rule.iterator(wallTime(start.at));
  // Occurrences that began before the span may reach into it.
  const from = builder.span.from - reachBackMs(master);
  // A local time one day earlier is before it in any zone, without the costly conversion.
  const wellBefore = clockIn('UTC')
    .wallOf(from - dayMs)
    .toString({ smallestUnit: 'second' });
  const begun = cpuMs();
  let count = 0;
  for (let next = iterator.next(); next; next = iterator.next()) {
    if (++count % checkedEvery === 0 && cpuMs() - begun > longestMs) throw tooOften();
    const at = next.toString();
    if (!/^\d{4}-/.test(at)) return;
    if (at < wellBefore) continue;
    const time = builder.timeOf(master, { at, zone: start.zone });
    if (time.instant >= from) yield time;
    if (time.instant >= builder.span.until) return;
  }
}

/** Processor time of this thread. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** How long before the span an occurrence may begin and still reach into it. */
function reachBackMs({ durationMs, start, end }: CalendarPart): number {
  const utc = clockIn('UTC');
  const length = start && end ? instantOf(end, utc) - instantOf(start, utc) : (durationMs ?? 0);
  return Math.min(Math.max(length, dayMs), longestMeetingMs);
}

/** The parsed rule, with its end in the same local time as its start. */
function ruleIn(data: object, start: Moment, clock: Clock): ICAL.Recur {
  try {
    const rule = ICAL.Recur.fromData(data);
    const until = rule.until?.toString();
    if (until !== undefined) rule.until = wallTime(localEnd(until, isDay(start), clock));
    return rule;
  } catch (error) {
    throw new FieldProblem(`has a recurrence rule that cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
}

/** A floating time of the library. */
function wallTime(at: string): ICAL.Time {
  return at.length === 10 ? ICAL.Time.fromDateString(at) : ICAL.Time.fromDateTimeString(at);
}

/** The end of a rule in local time; an end that is a day includes the whole day. */
function localEnd(until: string, isOfDays: boolean, clock: Clock): string {
  const wall = until.endsWith('Z') ? clock.wallOf(Date.parse(until)).toString({ smallestUnit: 'second' }) : until;
  if (isOfDays) return wall.slice(0, 10);
  return wall.length === 10 ? `${wall}T23:59:59` : wall;
}

function isDay({ at }: Moment): boolean {
  return at.length === 10;
}

function instantOf({ at }: Moment, clock: Clock): number {
  return clock.instantOf(Temporal.PlainDateTime.from(at.length === 10 ? `${at}T00:00:00` : at));
}

const tooOften = () => new FieldProblem('recurs too often for a meeting');
