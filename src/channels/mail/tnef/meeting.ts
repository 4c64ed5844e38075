/** Converts Outlook meeting messages, which have no iCalendar part, to iCalendar. [MS-OXOCAL, MS-OXCICAL] */
import { clockIn, zoneNamed } from '../../calendar/zones.ts';
import { BytesEnd, BytesReader } from './bytes-reader.ts';
import { textIn } from './code-pages.ts';
import type { Properties } from './properties.ts';
import { numberOf, textOf, type TnefMessage } from './read-tnef.ts';
import { readRecurrence, type Recurrence } from './recurrence.ts';

/** The addresses of the mail, as written. */
export interface Envelope {
  readonly from: string | null;
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

const appointment = '0220060000000000c000000000000046';
const meeting = '90dad86e0b451b1098da00aa003f1305';
const names = {
  start: `${appointment}/820d`,
  end: `${appointment}/820e`,
  isDay: `${appointment}/8215`,
  location: `${appointment}/8208`,
  sequence: `${appointment}/8201`,
  recurs: `${appointment}/8223`,
  recurrence: `${appointment}/8216`,
  replaces: `${appointment}/8228`,
  zone: `${appointment}/825e`,
  id: `${meeting}/3`,
  ownerChange: `${meeting}/1a`,
  attendeeChange: `${meeting}/1`,
  sent: '0039',
  subject: '0037',
  bareSubject: '0e1d',
  sensitivity: '0036',
};

const kinds: readonly (readonly [RegExp, method: string, response?: string])[] = [
  [/^IPM\.(Schedule\.Meeting\.Request|Microsoft Schedule\.MtgReq)/i, 'REQUEST'],
  [/^IPM\.(Schedule\.Meeting\.Canceled|Microsoft Schedule\.MtgCncl)/i, 'CANCEL'],
  [/^IPM\.(Schedule\.Meeting\.Resp\.Pos|Microsoft Schedule\.MtgRespP)/i, 'REPLY', 'ACCEPTED'],
  [/^IPM\.(Schedule\.Meeting\.Resp\.Neg|Microsoft Schedule\.MtgRespN)/i, 'REPLY', 'DECLINED'],
  [/^IPM\.(Schedule\.Meeting\.Resp\.Tent|Microsoft Schedule\.MtgRespA)/i, 'REPLY', 'TENTATIVE'],
];

/** The calendar of an invitation, cancellation or answer; undefined for other messages, and for meetings that cannot be converted. */
export function calendarOf(message: TnefMessage, envelope: Envelope): string | undefined {
  const [, method, response] = kinds.find(([kind]) => kind.test(message.kind)) ?? [];
  if (method === undefined) return undefined;
  try {
    return calendarText(message, envelope, method, response);
  } catch (error) {
    if (error instanceof BytesEnd) return undefined;
    throw error;
  }
}

function calendarText(message: TnefMessage, envelope: Envelope, method: string, response?: string): string | undefined {
  const { properties, codePage } = message;
  const id = properties.get(names.id)?.bytes;
  const uid = id && uidIn(id);
  const when = whenLines(properties, id);
  if (uid === undefined || when === undefined) return undefined;
  const text = (name: string) => textOf(properties, name, codePage);
  const change = response === undefined ? names.ownerChange : names.attendeeChange;
  const stamp = timeOf(properties, change) ?? timeOf(properties, names.sent);
  const isPrivate = (numberOf(properties, names.sensitivity) ?? 0) >= 2;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${escaped(uid)}`,
    ...(stamp === undefined ? [] : [`DTSTAMP:${utc(stamp)}`]),
    `SEQUENCE:${numberOf(properties, names.sequence) ?? 0}`,
    ...when,
    ...(method === 'CANCEL' ? ['STATUS:CANCELLED'] : []),
    ...(isPrivate ? ['CLASS:PRIVATE'] : []),
    ...line('SUMMARY', text(names.bareSubject) ?? text(names.subject)),
    ...line('LOCATION', text(names.location)),
    ...line('DESCRIPTION', message.text),
    ...peopleLines(envelope, response),
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.join('\r\n');
}

function peopleLines({ from, to, cc }: Envelope, response: string | undefined): readonly string[] {
  if (response !== undefined) {
    return [
      ...to.slice(0, 1).map((one) => person('ORGANIZER', one)),
      ...(from === null ? [] : [person(`ATTENDEE;PARTSTAT=${response}`, from)]),
    ];
  }
  const attendees = [...to, ...cc].map((one) => person('ATTENDEE;PARTSTAT=NEEDS-ACTION', one));
  return [...(from === null ? [] : [person('ORGANIZER', from)]), ...attendees];
}

function person(property: string, text: string): string {
  const [, name = '', address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const called = name.replaceAll(/["\p{Cc}]/gu, '').trim();
  return `${property}${called === '' ? '' : `;CN="${called}"`}:mailto:${address.replaceAll(/[\s\p{Cc}]/gu, '')}`;
}

/** The lines with the meeting's times and recurrence; undefined if they cannot be converted. */
function whenLines(properties: Properties, id: Uint8Array | undefined): readonly string[] | undefined {
  const zone = zoneOf(properties);
  const isDay = numberOf(properties, names.isDay) === 1;
  const [start, end] = [timeOf(properties, names.start), timeOf(properties, names.end)];
  const isOccurrence = id !== undefined && id.length >= 20 && id.subarray(16, 20).some((byte) => byte !== 0);
  const replaced = timeOf(properties, names.replaces);
  if (numberOf(properties, names.recurs) === 1 && !isOccurrence) {
    const bytes = properties.get(names.recurrence)?.bytes;
    const recurrence = bytes && readRecurrence(bytes);
    return recurrence && (isDay || zone !== undefined)
      ? recurringLines(recurrence, isDay ? undefined : zone)
      : undefined;
  }
  // An occurrence is identified by its original time.
  if (start === undefined || (isOccurrence && replaced === undefined)) return undefined;
  const clock = isDay && zone !== undefined ? clockIn(zoneNamed(zone) ?? 'UTC') : undefined;
  const at = (name: string, time: number) =>
    clock === undefined
      ? `${name}:${utc(time)}`
      : `${name};VALUE=DATE:${clock.wallOf(time).toPlainDate().toString().replaceAll('-', '')}`;
  return [
    at('DTSTART', start),
    ...(end === undefined ? [] : [at('DTEND', end)]),
    ...(isOccurrence && replaced !== undefined ? [at('RECURRENCE-ID', replaced)] : []),
  ];
}

/** The lines of a recurring meeting; without a zone it lasts whole days. */
function recurringLines({ start, end, rule, excluded }: Recurrence, zone: string | undefined): readonly string[] {
  const at = (name: string, time: string) =>
    zone === undefined ? `${name};VALUE=DATE:${time.slice(0, 8)}` : `${name};TZID="${zone}":${time}`;
  return [at('DTSTART', start), at('DTEND', end), rule, ...excluded.map((time) => at('EXDATE', time))];
}

/** The Windows name of the meeting's zone; undefined if it is missing or unknown. [MS-OXOCAL 2.2.1.42] */
function zoneOf(properties: Properties): string | undefined {
  const bytes = properties.get(names.zone)?.bytes;
  if (!bytes) return undefined;
  const reader = new BytesReader(bytes);
  reader.uint32();
  reader.uint16();
  const name = textIn(1_200, reader.take(2 * reader.uint16()));
  return zoneNamed(name) === undefined || /["\p{Cc}]/u.test(name) ? undefined : name;
}

/** The UID: that of the original calendar, else the id in hexadecimal without the day of an occurrence. [MS-OXCICAL 2.1.3.1.1.20.26] */
function uidIn(id: Uint8Array): string | undefined {
  if (id.length < 40) return undefined;
  const data = Buffer.from(id).subarray(40);
  if (data.subarray(0, 8).toString('latin1') === 'vCal-Uid') return untilEnd(data.subarray(12).toString('utf8'));
  const clean = Buffer.from(id);
  clean.fill(0, 16, 20);
  return clean.toString('hex').toUpperCase();
}

function untilEnd(text: string): string | undefined {
  const [uid = ''] = text.split('\0', 1);
  return uid === '' ? undefined : uid;
}

/** A time in milliseconds; undefined if it is missing or implausible. */
function timeOf(properties: Properties, name: string): number | undefined {
  const found = properties.get(name);
  if (found?.type !== 0x40 || found.bytes.length < 8) return undefined;
  const reader = new BytesReader(found.bytes);
  const [low, high] = [reader.uint32(), reader.uint32()];
  // In units of 100 nanoseconds since 1601.
  const time = Math.round((high * 2 ** 32 + low) / 10_000) + Date.UTC(1601, 0, 1);
  return time > Date.UTC(1970, 0) && time < Date.UTC(2200, 0) ? time : undefined;
}

function utc(time: number): string {
  return new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

function line(name: string, text: string | undefined): readonly string[] {
  return text === undefined || text.trim() === '' ? [] : [`${name}:${escaped(text)}`];
}

function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n?|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ');
}
