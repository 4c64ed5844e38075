/** Calendars for tests. */
import { mailOf, type MailParts } from './mails.ts';

/** Lines of a meeting; those that begin with a name of a property alone are left out. */
export interface MeetingParts {
  readonly uid: string;
  /** As it is written, such as `;TZID=Europe/Berlin:20261001T090000`. */
  readonly start: string;
  readonly end?: string;
  readonly title?: string;
  readonly sequence?: number;
  readonly stamp?: string;
  readonly organizer?: string;
  readonly attendees?: readonly string[];
  /** Further lines. */
  readonly more?: readonly string[];
}

const day = 86_400_000;

/** A day so many days from now, as `20261001`. */
export function dayFromNow(days: number): string {
  return new Date(Date.now() + days * day).toISOString().slice(0, 10).replaceAll('-', '');
}

/** The moment at so many days from now, at a time of UTC such as `0900`; as it is written, and as it is told. */
export function momentFromNow(days: number, time: string): { readonly ics: string; readonly iso: string } {
  const text = `${dayFromNow(days)}T${time}00Z`;
  const iso = text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6.000Z');
  return { ics: `:${text}`, iso };
}

/** A VEVENT. */
export function meetingOf({
  uid,
  start,
  end,
  title,
  sequence = 0,
  stamp,
  organizer,
  attendees = [],
  more = [],
}: MeetingParts) {
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${stamp ?? '20261001T080000Z'}`,
    `SEQUENCE:${sequence}`,
    `DTSTART${start}`,
    ...(end === undefined ? [] : [`DTEND${end}`]),
    `SUMMARY:${title ?? uid}`,
    ...(organizer === undefined ? [] : [`ORGANIZER:mailto:${organizer}`]),
    ...attendees.map((address) => `ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:${address}`),
    ...more,
    'END:VEVENT',
  ].join('\r\n');
}

/** A calendar of such. */
export function calendarOf(meetings: readonly string[], method?: string): string {
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN'];
  return [...head, ...(method === undefined ? [] : [`METHOD:${method}`]), ...meetings, 'END:VCALENDAR', ''].join(
    '\r\n',
  );
}

/** A mail that brings a calendar. */
export function invitationOf(calendar: string, parts: MailParts = {}): string {
  const type = 'Content-Type: multipart/alternative; boundary="b"';
  const part = (kind: string, text: string) => `--b\r\nContent-Type: ${kind}; charset=utf-8\r\n\r\n${text}\r\n`;
  return mailOf({ ...parts, text: '' })
    .replace('Content-Type: text/plain; charset=utf-8', type)
    .concat(part('text/plain', 'You are invited'), part('text/calendar', calendar), '--b--\r\n');
}
