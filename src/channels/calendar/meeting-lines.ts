/** Turns occurrences of meetings into events and messages. */
import type { Call } from '../../access/call.ts';
import { dayMs } from '../../lib/durations.ts';
import { addressIn } from '../../records/conversations/addresses.ts';
import type { NewInteraction } from '../../records/conversations/ingest.ts';
import type { NewEvent } from '../../records/conversations/ingest-events.ts';
import type { Mailbox } from '../mailbox.ts';
import type { Attendee } from '../../records/conversations/ingest-lines.ts';
import type { CalendarPart, Occurrence } from './calendar-part.ts';
import { isLater } from './entry.ts';
import type { Expanded } from './expand.ts';
import type { StoredEntry } from './keep-entries.ts';

/** A meeting becomes a message this long before it begins. */
export const aheadMs = 14 * dayMs;
/** Attendees times occurrences of one meeting. */
const mostAttendances = 20_000;

/** A meeting with its occurrences. */
export interface ExpandedMeeting {
  readonly stored: StoredEntry;
  readonly expanded: Expanded;
  /** Whether it has changed since it was last published. */
  readonly isChanged: boolean;
}

/** An occurrence with its details. */
export interface MeetingOccurrence extends Occurrence {
  readonly uid: string;
  readonly externalId: string;
  readonly details: CalendarPart;
  /** The attendees with their latest answers. */
  readonly attendees: readonly Attendee[];
  readonly integrationId: string;
  readonly isChanged: boolean;
}

/** The external id of an occurrence; `key` is undefined for the only one of its meeting. */
export function externalIdOf(uid: string, key: string | undefined): string {
  return key === undefined ? uid : `${uid} ${key}`;
}

/** The occurrences of a meeting, with the attendees' answers. */
export function occurrencesOf({ stored, expanded, isChanged }: ExpandedMeeting): readonly MeetingOccurrence[] {
  const { uid, entry, integrationId } = stored;
  const parts = [...entry.parts, ...entry.cancels];
  const most = Math.floor(mostAttendances / Math.max(1, expanded.occurrences.length));
  const repliesTo = (key: string | undefined) =>
    entry.replies.filter((_, at) => expanded.replied[at] === null || expanded.replied[at] === key);
  return expanded.occurrences.map((occurrence) => {
    const details = parts[occurrence.part]!;
    const replies = new Map(repliesTo(occurrence.key).map((reply) => [reply.address, reply]));
    const attendees = details.attendees.slice(0, most).map((one) => {
      const reply = replies.get(addressIn(one.email) ?? '');
      return reply && isLater(reply, details) ? { ...one, response: reply.response } : one;
    });
    const externalId = externalIdOf(uid, occurrence.key);
    return { ...occurrence, uid, externalId, details, attendees, integrationId, isChanged };
  });
}

/** The occurrence as an event; `threads` has the threads of meetings, by their UIDs. */
export function eventOf({ owner }: Mailbox, one: MeetingOccurrence, threads: ReadonlyMap<string, string>): NewEvent {
  const { uid, externalId, details, attendees, start, end, allDay, status, integrationId } = one;
  return {
    kind: 'event',
    owner,
    externalId,
    title: details.title,
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    allDay,
    status,
    organizer: details.organizer,
    location: details.location,
    meetingUrl: details.meetingUrl,
    attendees,
    integrationId,
    threadId: status === 'cancelled' ? null : (threads.get(uid) ?? null),
    isPrivate: details.isPrivate,
    isChanged: one.isChanged,
  };
}

/** A message of a meeting, and whether it may differ from the stored one. */
export type MeetingMessage = NewInteraction & { readonly isChanged: boolean };

/** The occurrence as a message; undefined if it is cancelled, too far ahead, or without other participants. */
export function messageOf(
  { now }: Call,
  { owner, ownAddresses }: Mailbox,
  { uid, externalId, details, attendees, start, end, status, integrationId, isChanged }: MeetingOccurrence,
): MeetingMessage | undefined {
  if (status === 'cancelled' || start > now + aheadMs) return undefined;
  const people = attendees.map(({ email, name }) => (name === null ? email : `${name} <${email}>`));
  const participants = [...new Map([details.organizer, ...people].flatMap(byAddress)).values()];
  const isOwn = (text: string) => ownAddresses.has(addressIn(text) ?? '');
  if (participants.every(isOwn)) return undefined;
  const text = details.description ?? '';
  return {
    kind: 'interaction',
    owner,
    channel: 'meeting',
    threadId: uid,
    externalId,
    subject: details.title,
    direction: details.organizer !== null && isOwn(details.organizer) ? 'outbound' : 'inbound',
    date: new Date(start).toISOString(),
    participants,
    text,
    html: null,
    plain: text,
    visibility: details.isPrivate ? 'none' : undefined,
    integrationId,
    // A past meeting stays as it was, but can still become private.
    isChanged: isChanged && (end > now || details.isPrivate),
  };
}

function byAddress(text: string | null): readonly (readonly [string, string])[] {
  return text === null ? [] : [[addressIn(text) ?? text, text]];
}
