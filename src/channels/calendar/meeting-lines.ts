/** Occurrences of meetings as events and messages. */
import type { Call } from '../../access/call.ts';
import { addressIn } from '../../records/conversations/addresses.ts';
import type { NewInteraction } from '../../records/conversations/ingest.ts';
import type { NewEvent } from '../../records/conversations/ingest-events.ts';
import type { Mailbox } from '../mailbox.ts';
import type { CalendarPart, Occurrence, ToldAttendee } from './calendar-part.ts';
import { isLater } from './entry.ts';
import type { Expanded } from './expand.ts';
import type { StoredEntry } from './keep-entries.ts';

/** From so long before it begins, a meeting is among the messages. */
export const aheadMs = 14 * 86_400_000;
/** Of one meeting: people times occurrences. */
const mostAttendances = 20_000;

/** A meeting with its occurrences. */
export interface Told {
  readonly stored: StoredEntry;
  readonly expanded: Expanded;
  /** Whether something was said of it since it was told of. */
  readonly isChanged: boolean;
}

/** An occurrence with all that is known of it. */
export interface TellableOccurrence extends Occurrence {
  readonly uid: string;
  readonly externalId: string;
  readonly said: CalendarPart;
  readonly attendees: readonly ToldAttendee[];
  readonly integrationId: string;
  readonly isChanged: boolean;
}

/** What an occurrence is known by; `key` is undefined for the only one of its meeting. */
export function externalIdOf(uid: string, key: string | undefined): string {
  return key === undefined ? uid : `${uid} ${key}`;
}

/** The occurrences of a meeting, with the answers of those who were asked. */
export function tellable({ stored, expanded, isChanged }: Told): readonly TellableOccurrence[] {
  const { uid, entry, integrationId } = stored;
  const parts = [...entry.parts, ...entry.cancels];
  const most = Math.floor(mostAttendances / Math.max(1, expanded.occurrences.length));
  const repliesTo = (key: string | undefined) =>
    entry.replies.filter((_, at) => expanded.replied[at] === null || expanded.replied[at] === key);
  return expanded.occurrences.map((occurrence) => {
    const said = parts[occurrence.part]!;
    const replies = new Map(repliesTo(occurrence.key).map((reply) => [reply.address, reply]));
    const attendees = said.attendees.slice(0, most).map((one) => {
      const reply = replies.get(addressIn(one.email) ?? '');
      return reply && isLater(reply, said) ? { ...one, response: reply.response } : one;
    });
    const externalId = externalIdOf(uid, occurrence.key);
    return { ...occurrence, uid, externalId, said, attendees, integrationId, isChanged };
  });
}

/** The occurrence as an event; `threads` has the threads of meetings, by their UIDs. */
export function eventOf({ owner }: Mailbox, one: TellableOccurrence, threads: ReadonlyMap<string, string>): NewEvent {
  const { uid, externalId, said, attendees, start, end, allDay, status, integrationId } = one;
  return {
    kind: 'event',
    owner,
    externalId,
    title: said.title,
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    allDay,
    status,
    organizer: said.organizer,
    location: said.location,
    meetingUrl: said.meetingUrl,
    attendees,
    integrationId,
    threadId: status === 'cancelled' ? null : (threads.get(uid) ?? null),
    isPrivate: said.isPrivate,
    isChanged: one.isChanged,
  };
}

/** A message, and whether it may be other than before. */
export type MeetingMessage = NewInteraction & { readonly isChanged: boolean };

/** The occurrence as a message; undefined for one that is called off, far away, or of its owner alone. */
export function messageOf(
  { now }: Call,
  { owner, ownAddresses }: Mailbox,
  { uid, externalId, said, attendees, start, end, status, integrationId, isChanged }: TellableOccurrence,
): MeetingMessage | undefined {
  if (status === 'cancelled' || start > now + aheadMs) return undefined;
  const people = attendees.map(({ email, name }) => (name === null ? email : `${name} <${email}>`));
  const participants = [...new Map([said.organizer, ...people].flatMap(byAddress)).values()];
  const isOwn = (text: string) => ownAddresses.has(addressIn(text) ?? '');
  if (participants.every(isOwn)) return undefined;
  const text = said.description ?? '';
  return {
    kind: 'interaction',
    owner,
    channel: 'meeting',
    threadId: uid,
    externalId,
    subject: said.title,
    direction: said.organizer !== null && isOwn(said.organizer) ? 'outbound' : 'inbound',
    date: new Date(start).toISOString(),
    participants,
    text,
    html: null,
    plain: text,
    visibility: said.isPrivate ? 'none' : undefined,
    integrationId,
    // What is over stays as it was, but for who sees it.
    isChanged: isChanged && (end > now || said.isPrivate),
  };
}

function byAddress(text: string | null): readonly (readonly [string, string])[] {
  return text === null ? [] : [[addressIn(text) ?? text, text]];
}
