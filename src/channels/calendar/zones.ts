/** Time zones of calendars: by IANA name, by Windows name, or by the calendar's own definition. */
import { findIana } from 'windows-iana';
import { Temporal } from 'temporal-polyfill';
import ICAL from 'ical.js';
import type { Moment } from './calendar-part.ts';

const known = new Map<string, string | undefined>();
/** Cached names; bounded, since they come from strangers. */
const mostKnown = 2_000;

/** The IANA name for a zone name of a calendar; undefined for other names, which only the calendar may define. */
export function zoneNamed(name: string): string | undefined {
  if (known.has(name)) return known.get(name);
  if (known.size >= mostKnown) known.clear();
  const found = foundZone(name.trim());
  known.set(name, found);
  return found;
}

function foundZone(name: string): string | undefined {
  if (/^(z|utc|gmt|etc\/utc)$/i.test(name)) return 'UTC';
  // Prefixed names, such as `/mozilla.org/20050126_1/Europe/Berlin`; IANA names have up to three parts.
  const parts = name.split('/').filter((part) => part !== '');
  const ends = [3, 2].filter((count) => parts.length >= count).map((count) => parts.slice(-count).join('/'));
  const iana = [name, ...ends].find((candidate) => isIana(candidate));
  // The first zone of a Windows name is its default.
  return iana ?? findIana(name)?.[0];
}

/** Whether it is an IANA name with a region. Abbreviations such as `EST` are unreliable, so the calendar's own definition is used. */
function isIana(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)+$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Converts between local times of a zone and instants. */
export interface Clock {
  instantOf(at: Temporal.PlainDateTime): number;
  wallOf(instant: number): Temporal.PlainDateTime;
}

/** The clock of a moment's zone: `zones` are the calendar's own definitions, `fallback` is the zone for moments without a known one. */
export function clockOf(
  { zone }: Pick<Moment, 'zone'>,
  zones: Readonly<Record<string, readonly unknown[]>>,
  fallback: string,
): Clock {
  if (zone === null) return clockIn(fallback);
  const name = zoneNamed(zone);
  if (name !== undefined) return clockIn(name);
  const rules = zones[zone];
  if (rules === undefined) return clockIn(fallback);
  const known = clocks.get(rules) ?? clockByRules(rules);
  clocks.set(rules, known);
  return known;
}

/** Clocks by zone definition, since finding out when a clock changes is costly. */
const clocks = new WeakMap<readonly unknown[], Clock>();

/** The clock of a zone with an IANA name. */
export function clockIn(zone: string): Clock {
  return {
    instantOf: (at) => at.toZonedDateTime(zone).epochMilliseconds,
    wallOf: (instant) => Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDateTime(),
  };
}

function clockByRules(rules: readonly unknown[]): Clock {
  const component = new ICAL.Component(rules as ConstructorParameters<typeof ICAL.Component>[0]);
  const zone = new ICAL.Timezone(component);
  const utc = (at: Temporal.PlainDateTime) => at.toZonedDateTime('UTC').epochMilliseconds;
  const offsetAt = (at: Temporal.PlainDateTime) =>
    1_000 * zone.utcOffset(ICAL.Time.fromDateTimeString(at.toString({ smallestUnit: 'second' })));
  const inUtc = clockIn('UTC');
  return {
    instantOf: (at) => utc(at) - offsetAt(at),
    wallOf(instant) {
      const rough = inUtc.wallOf(instant + offsetAt(inUtc.wallOf(instant)));
      return inUtc.wallOf(instant + offsetAt(rough));
    },
  };
}
