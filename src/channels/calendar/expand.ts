/**
 * The occurrences of a meeting within a span of time: as its rules say, without those that are excluded, with those that were moved
 * or called off. Whoever calls it bounds its time: there are rules that the library looks for a match of without end.
 */
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { FieldProblem } from '../../fields/field-problem.ts';
import { dayMs } from '../../lib/durations.ts';
import type { CalendarPart, Moment, Occurrence } from './calendar-part.ts';
import { isLater, type Entry } from './entry.ts';
import { clockIn, clockOf, type Clock } from './zones.ts';

/** What is to be expanded. Times are in milliseconds. */
export interface Span {
  readonly from: number;
  readonly until: number;
  /** Of times that name no zone, or one that nobody knows. */
  readonly timeZone: string;
}

export interface Expanded {
  /** The earliest first. */
  readonly occurrences: readonly Occurrence[];
  /** Keys of those that the calendar leaves out. */
  readonly excluded: readonly string[];
  /** Which occurrence each answer is of; null for one of all of them. */
  readonly replied: readonly (string | null)[];
  /** When the first one after the span begins; null where there is none. */
  readonly nextStart: number | null;
}

/** More is no meeting of anybody's: three a day for two years are fewer. */
const mostOccurrences = 2_500;
/** Of the processor, however busy it is. */
const longestMs = 2_000;
/** Occurrences after which it is looked at. */
const lookedAfter = 100;
const longestMeetingMs = 366 * 86_400_000;

/** Throws FieldProblem for what recurs more often than any meeting does. */
export function expand({ parts, cancels, replies }: Entry, span: Span): Expanded {
  const tell = new Telling([...parts, ...cancels], cancels, span);
  const master = newest(parts, null) ?? newest(cancels, null);
  const told = master?.start ? expandMaster(master, tell) : [];
  const all = [...told, ...tell.alone(master)].toSorted((a, b) => a.start - b.start);
  return {
    occurrences: all.filter(({ start, end }) => start < span.until && end >= span.from),
    excluded: master ? master.excluded.map((moment) => tell.timeOf(master, moment).key) : [],
    replied: replies.map(({ recurrence }) => recurrence && tell.timeOf(master ?? zoneless, recurrence).key),
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

/** A part of another occurrence than its rules say, by the occurrence that it is of. */
interface Override extends Time {
  readonly part: CalendarPart;
}

class Telling {
  readonly span: Span;
  readonly #all: readonly CalendarPart[];
  readonly #cancels: ReadonlySet<CalendarPart>;
  /** The latest word on each occurrence; what calls off counts where it is the later. */
  readonly #overrides = new Map<string, Override>();
  readonly #told = new Set<string>();

  constructor(all: readonly CalendarPart[], cancels: readonly CalendarPart[], span: Span) {
    this.span = span;
    this.#all = all;
    this.#cancels = new Set(cancels);
    for (const part of all) {
      if (!part.recurrence) continue;
      const time = this.timeOf(part, part.recurrence);
      const known = this.#overrides.get(time.key);
      this.#overrides.set(time.key, { ...time, part: known ? this.#laterWord(known.part, part) : part });
    }
  }

  /** A moment of a part, and what an occurrence at it is known by. */
  timeOf(part: Zoned, moment: Moment): Time {
    const instant = instantOf(moment, this.clock(part, moment));
    return { instant, key: isDay(moment) ? moment.at : new Date(instant).toISOString() };
  }

  clock(part: Zoned, moment: Pick<Moment, 'zone'>): Clock {
    return clockOf(moment, part.zones, part.usualZone ?? this.span.timeZone);
  }

  /** The occurrence at a time that the rules of `master` give, as the latest word on it says. */
  occurrence(master: CalendarPart, time: Time, isRecurring: boolean): Occurrence {
    const own = this.#overrides.get(time.key);
    this.#told.add(time.key);
    const key = isRecurring || own ? time.key : undefined;
    if (own) return this.#tell(own.part, key, own);
    const range = this.#rangeAt(time.instant);
    return this.#tell(range?.part ?? master, key, time, range);
  }

  /** Those that were spoken of, and are not among the occurrences of the meeting: a word that is older than the meeting's is over. */
  alone(master: CalendarPart | undefined): readonly Occurrence[] {
    return [...this.#overrides.values()]
      .filter(({ key, part }) => !this.#told.has(key) && (!master || part.sequence >= master.sequence))
      .map((own) => this.#tell(own.part, own.key, own));
  }

  #tell(part: CalendarPart, key: string | undefined, time: Time, range?: Override): Occurrence {
    // What calls off may say nothing else.
    const source = this.#cancels.has(part) ? (this.#earlierWord(part) ?? part) : part;
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

  /** In milliseconds of the clock on the wall: a night in which the clock changes is as long as it is. */
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

  #earlierWord(cancel: CalendarPart): CalendarPart | undefined {
    const key = cancel.recurrence && this.timeOf(cancel, cancel.recurrence).key;
    const sameTime = (part: CalendarPart) =>
      part.recurrence === null ? key === null : this.timeOf(part, part.recurrence).key === key;
    const words = this.#all.filter((part) => !this.#cancels.has(part) && part.start !== null);
    return words.filter(sameTime).reduce<CalendarPart | undefined>(later, undefined) ?? newest(words, null);
  }

  #laterWord(a: CalendarPart, b: CalendarPart): CalendarPart {
    if (this.#cancels.has(a) && isLater(a, b)) return a;
    if (this.#cancels.has(b) && isLater(b, a)) return b;
    return later(a, b);
  }
}

/** The occurrences by the rules: those of the span, and the first one after it. */
function expandMaster(master: CalendarPart, tell: Telling): readonly Occurrence[] {
  const start = master.start!;
  const isRecurring = master.rules.length > 0 || master.added.length > 0;
  const first = tell.timeOf(master, start);
  const times = new Map([[first.key, first]]);
  for (const moment of master.added) add(times, tell.timeOf(master, moment));
  for (const rule of master.rules) for (const time of timesOf(rule, master, tell)) add(times, time);
  const excluded = new Set(master.excluded.map((moment) => tell.timeOf(master, moment).key));
  const left = [...times.values()].filter(({ key }) => !excluded.has(key));
  return left.map((time) => tell.occurrence(master, time, isRecurring));
}

function add(times: Map<string, Time>, time: Time): void {
  times.set(time.key, time);
  if (times.size > mostOccurrences) throw tooOften();
}

/** What a rule gives: it counts on the wall, and is bound to moments after it. The first after the span is the last. */
function* timesOf(data: object, master: CalendarPart, tell: Telling): Generator<Time> {
  const start = master.start!;
  const clock = tell.clock(master, start);
  const rule = ruleIn(data, start, clock);
  const iterator = rule.iterator(wallTime(start.at));
  // Occurrences that began before the span may reach into it.
  const from = tell.span.from - connectorOf(master);
  // What is a day before that on any wall is before it; most of an old series is.
  const wellBefore = clockIn('UTC')
    .wallOf(from - dayMs)
    .toString({ smallestUnit: 'second' });
  const begun = cpuMs();
  let looked = 0;
  for (let next = iterator.next(); next; next = iterator.next()) {
    if (++looked % lookedAfter === 0 && cpuMs() - begun > longestMs) throw tooOften();
    const at = next.toString();
    if (!/^\d{4}-/.test(at)) return;
    if (at < wellBefore) continue;
    const time = tell.timeOf(master, { at, zone: start.zone });
    if (time.instant >= from) yield time;
    if (time.instant >= tell.span.until) return;
  }
}

/** What this thread has used of the processor. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function connectorOf({ durationMs, start, end }: CalendarPart): number {
  const utc = clockIn('UTC');
  const length = start && end ? instantOf(end, utc) - instantOf(start, utc) : (durationMs ?? 0);
  return Math.min(Math.max(length, dayMs), longestMeetingMs);
}

/** The rule with its end on the same wall as its begin. */
function ruleIn(data: object, start: Moment, clock: Clock): ICAL.Recur {
  try {
    const rule = ICAL.Recur.fromData(data);
    const until = rule.until?.toString();
    if (until !== undefined) rule.until = wallTime(lastOnWall(until, isDay(start), clock));
    return rule;
  } catch (error) {
    throw new FieldProblem(`recurs by a rule that cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
}

/** As the library takes it: of no zone. */
function wallTime(at: string): ICAL.Time {
  return at.length === 10 ? ICAL.Time.fromDateString(at) : ICAL.Time.fromDateTimeString(at);
}

/** A day alone is the whole of it. */
function lastOnWall(until: string, isOfDays: boolean, clock: Clock): string {
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

const tooOften = () => new FieldProblem('recurs more often than a meeting does');
