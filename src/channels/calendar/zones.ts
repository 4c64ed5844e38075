/** Time zones of calendars: by the names that the world has agreed on, those of Windows, or rules that a calendar brings along. */
import { findIana } from 'windows-iana';
import { Temporal } from 'temporal-polyfill';
import ICAL from 'ical.js';
import type { Moment } from './calendar-part.ts';

const known = new Map<string, string | undefined>();
/** Names that are remembered; they come from strangers. */
const mostKnown = 2_000;

/** The IANA name of a zone that a calendar names; undefined for one that is known to the calendar alone, or to nobody. */
export function zoneNamed(name: string): string | undefined {
  if (known.has(name)) return known.get(name);
  if (known.size >= mostKnown) known.clear();
  const found = foundZone(name.trim());
  known.set(name, found);
  return found;
}

function foundZone(name: string): string | undefined {
  if (/^(z|utc|gmt|etc\/utc)$/i.test(name)) return 'UTC';
  // Such as `/mozilla.org/20050126_1/Europe/Berlin`; names have up to three parts.
  const parts = name.split('/').filter((part) => part !== '');
  const ends = [3, 2].filter((count) => parts.length >= count).map((count) => parts.slice(-count).join('/'));
  const iana = [name, ...ends].find((candidate) => isIana(candidate));
  // Of the zones of a Windows name, the first is the usual one.
  return iana ?? findIana(name)?.[0];
}

/** Names of three letters are as often wrong as right, so they are left to the calendar's own rules. */
function isIana(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)+$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** From times on the wall to moments. */
export interface Clock {
  instantOf(at: Temporal.PlainDateTime): number;
  wallOf(instant: number): Temporal.PlainDateTime;
}

/** The clock of a moment's zone: `zones` are the rules that its calendar brings along, `usual` is the zone of times without one. */
export function clockOf(
  { zone }: Pick<Moment, 'zone'>,
  zones: Readonly<Record<string, readonly unknown[]>>,
  usual: string,
): Clock {
  if (zone === null) return clockIn(usual);
  const name = zoneNamed(zone);
  if (name !== undefined) return clockIn(name);
  const rules = zones[zone];
  if (rules === undefined) return clockIn(usual);
  const known = clocks.get(rules) ?? clockByRules(rules);
  clocks.set(rules, known);
  return known;
}

/** A zone finds out when its clock changes, and is kept for that as long as its rules are. */
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
