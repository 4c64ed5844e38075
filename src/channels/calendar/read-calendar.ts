/** Parses calendars of mails and servers as far as possible. Recurrences are expanded later, by `expand.ts`. */
import { createHash } from 'node:crypto';
import ICAL from 'ical.js';
import type { Attendee } from '../../records/conversations/ingest-lines.ts';
import { storable, storableLine } from '../storable-text.ts';
import type { CalendarMethod, CalendarPart, Moment, ReadCalendar } from './calendar-part.ts';
import { conferenceIn } from './conference.ts';
import { zoneNamed } from './zones.ts';

/** Properties and components in jCal, the format of ical.js (RFC 7265). */
type Property = readonly [name: string, params: Readonly<Record<string, unknown>>, type: string, ...values: unknown[]];
type Component = readonly [name: string, properties: readonly Property[], components: readonly Component[]];

/** Parts per calendar. A mail has one or two; a resource of a server also has its changed occurrences. */
const mostParts = 500;
const mostMoments = 2_000;
const mostAttendees = 500;
const longestText = 2_000;
const longestDescription = 8_000;
/** Bytes of a UID: PostgreSQL limits the size of index rows, and an occurrence's external id adds its time. */
const longestKey = 600;
/** Characters of the definition of a time zone. */
const longestZone = 20_000;

/** The calendars in a text, which may have several; empty if it cannot be parsed. */
export function readCalendars(text: string): readonly ReadCalendar[] {
  return parsed(text)
    .filter(([name]) => name === 'vcalendar')
    .flatMap((calendar) => {
      const method = methodOf(calendar);
      return method === undefined ? [] : [{ method, parts: partsOf(calendar) }];
    });
}

function parsed(text: string): readonly Component[] {
  try {
    const found = ICAL.parse(text) as unknown as Component | readonly Component[];
    return typeof found[0] === 'string' ? [found as Component] : (found as readonly Component[]);
  } catch {
    return [];
  }
}

/** The calendar's method; undefined for methods that change no meeting, such as COUNTER and REFRESH. */
function methodOf([, properties]: Component): CalendarMethod | undefined {
  const named = textOf(properties, 'method')?.toLowerCase() ?? 'publish';
  return named === 'publish' || named === 'request' || named === 'cancel' || named === 'reply' ? named : undefined;
}

function partsOf([, properties, components]: Component): readonly CalendarPart[] {
  const rules = new Map(
    components
      .filter(([name]) => name === 'vtimezone')
      .flatMap((zone) => {
        const name = textOf(zone[1], 'tzid');
        return name === null ? [] : [[name, zone] as const];
      }),
  );
  const named = textOf(properties, 'x-wr-timezone');
  const usualZone = (named === null ? undefined : zoneNamed(named)) ?? null;
  return components
    .filter(([name]) => name === 'vevent')
    .slice(0, mostParts)
    .flatMap(([, own]) => partOf(own, rules, usualZone) ?? []);
}

function partOf(
  properties: readonly Property[],
  rules: ReadonlyMap<string, Component>,
  usualZone: string | null,
): CalendarPart | undefined {
  const uid = textOf(properties, 'uid');
  if (uid === null) return undefined;
  const all = (name: string) => properties.filter(([own]) => own === name);
  const [start, end, recurrence] = ['dtstart', 'dtend', 'recurrence-id'].map((name) => momentsOf(all(name))[0] ?? null);
  const [added, excluded] = [momentsOf(all('rdate')), momentsOf(all('exdate'))];
  const moments = [start, end, recurrence, ...added, ...excluded];
  const range = all('recurrence-id')[0]?.[1]['range'];
  const status = textOf(properties, 'status')?.toLowerCase();
  const description = textOf(properties, 'description', longestDescription);
  const location = textOf(properties, 'location');
  return {
    uid: keyOf(uid),
    recurrence: recurrence ?? null,
    isRange: String(range ?? '').toUpperCase() === 'THISANDFUTURE',
    sequence: wholeNumber(all('sequence')[0]?.[3]),
    stamp: timeOf(properties),
    start: start ?? null,
    end: end ?? null,
    durationMs: durationOf(all('duration')[0]),
    rules: all('rrule')
      .slice(0, 10)
      // Plain values: objects of the library cannot be passed between threads.
      .flatMap(([, , , value]) => (isRule(value) ? [JSON.parse(JSON.stringify(value)) as object] : [])),
    added,
    excluded,
    status: status === 'cancelled' || status === 'tentative' ? status : 'confirmed',
    isPrivate: /^(private|confidential)$/i.test(textOf(properties, 'class') ?? ''),
    title: oneLine(textOf(properties, 'summary')),
    description,
    location: oneLine(location),
    meetingUrl: conferenceIn((name) => textOf(properties, name), location, description),
    organizer: all('organizer').map(personOf)[0] ?? null,
    attendees: attendeesOf(all('attendee')),
    zones: zonesOf(moments, rules),
    usualZone,
  };
}

function isRule(value: unknown): value is object {
  return typeof value === 'object' && value !== null && JSON.stringify(value).length <= longestText;
}

/** The UID as it is stored: without spaces, which separate it from the time of an occurrence, and not too long. */
function keyOf(uid: string): string {
  if (!/\s/.test(uid) && Buffer.byteLength(uid) <= longestKey) return uid;
  return `sha256:${createHash('sha256').update(uid).digest('hex')}`;
}

function momentsOf(properties: readonly Property[]): readonly Moment[] {
  return properties
    .flatMap(([, params, , ...values]) =>
      values.slice(0, mostMoments).flatMap((value) => momentOf(value, params) ?? []),
    )
    .slice(0, mostMoments);
}

/** The moment of a value, of a period its start; undefined if it is invalid. */
function momentOf(value: unknown, params: Property[1]): Moment | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  const match = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(Z)?)?$/.exec(String(text));
  if (!match) return undefined;
  const [, day = '', time, zulu] = match;
  const at = time === undefined ? day : `${day}T${time}`;
  if (Number.isNaN(Date.parse(time === undefined ? day : `${at}Z`)) || day < '1900' || day > '2200') return undefined;
  const zone = params['tzid'];
  return { at, zone: zulu ? 'UTC' : typeof zone === 'string' && time !== undefined ? zone.slice(0, 200) : null };
}

function timeOf(properties: readonly Property[]): number {
  const [written] = ['dtstamp', 'last-modified', 'created']
    .map((name) => textOf(properties, name))
    .filter((text) => text !== null);
  const time = Date.parse(written ?? '');
  return Number.isNaN(time) ? 0 : time;
}

function durationOf(property: Property | undefined): number | null {
  if (!property) return null;
  try {
    const seconds = ICAL.Duration.fromString(String(property[3])).toSeconds();
    return seconds >= 0 && seconds <= 366 * 86_400 ? seconds * 1_000 : null;
  } catch {
    return null;
  }
}

function wholeNumber(value: unknown): number {
  const number = Math.trunc(Number(value ?? 0));
  return number >= 0 && number <= 2_147_483_647 ? number : 0;
}

function attendeesOf(properties: readonly Property[]): readonly Attendee[] {
  const people = properties
    // Rooms and resources are no people.
    .filter(([, { cutype }]) => !/^(room|resource)$/i.test(String(cutype ?? '')))
    .flatMap(([, params, , value]) => {
      const email = emailIn(value, params);
      if (email === undefined) return [];
      const response = typeof params['partstat'] === 'string' ? params['partstat'].toLowerCase().slice(0, 50) : null;
      return [{ email, name: nameIn(params, email), response }];
    });
  return [...new Map(people.map((one) => [one.email.toLowerCase(), one])).values()].slice(0, mostAttendees);
}

function personOf([, params, , value]: Property): string | null {
  const email = emailIn(value, params);
  const name = nameIn(params, email ?? '');
  if (email === undefined) return name;
  return name === null ? email : `${name} <${email}>`;
}

function nameIn({ cn }: Property[1], email: string): string | null {
  const name = typeof cn === 'string' ? oneLine(storable(cn, 200))?.replaceAll(/[<>"]/g, '').trim() : undefined;
  return name === undefined || name === '' || name.toLowerCase() === email.toLowerCase() ? null : name;
}

/** The mail address: the value, else the EMAIL parameter, which some calendars use when the value is another kind of URI. */
function emailIn(value: unknown, { email }: Property[1]): string | undefined {
  for (const text of [value, email]) {
    if (typeof text !== 'string') continue;
    const address = storable(text, longestText)
      .trim()
      .replace(/^mailto:/i, '');
    if (/^[^\s@<>]+@[^\s@<>]+$/.test(address)) return address;
  }
  return undefined;
}

/** The definitions of the moments' zones that are no IANA or Windows zones. */
function zonesOf(
  moments: readonly (Moment | null | undefined)[],
  rules: ReadonlyMap<string, Component>,
): Record<string, readonly unknown[]> {
  const names = new Set(moments.flatMap((moment) => moment?.zone ?? []));
  const needed = [...names].filter((name) => zoneNamed(name) === undefined).slice(0, 10);
  return Object.fromEntries(
    needed.flatMap((name) => {
      const zone = rules.get(name);
      return zone === undefined || JSON.stringify(zone).length > longestZone ? [] : [[name, zone]];
    }),
  );
}

function textOf(properties: readonly Property[], name: string, most = longestText): string | null {
  const value = properties.find(([own]) => own === name)?.[3];
  if (typeof value !== 'string') return null;
  const text = storable(value, most).trim();
  return text === '' ? null : text;
}

function oneLine(text: string | null): string | null {
  const line = storableLine(text ?? '', longestText);
  return line === '' ? null : line;
}
