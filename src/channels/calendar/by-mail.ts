/**
 * What mails say of meetings. Whoever can write to somebody can write any calendar, so only the organizer of a meeting, whoever told of
 * it first, and the owner of the mailbox change one that is known; and each answers for oneself. RFC 6047
 */
import { addressIn } from '../../records/conversations/addresses.ts';
import type { CalendarMethod, CalendarPart, ReadCalendar } from './calendar-part.ts';
import { withCancel, withPart, withReply, type Entry } from './entry.ts';
import type { Change } from './keep-entries.ts';

/** Who has sent a mail. */
export interface Teller {
  /** As it is compared; undefined where the mail does not say. */
  readonly address: string | undefined;
  /** Whether it is the owner of the mailbox. */
  readonly isOwn: boolean;
}

/** Of one mail. An invitation is of one meeting; some programs send a few together. */
const mostMeetings = 20;
const mostChanges = 200;

/** What is to become of meetings by the calendars of a mail. */
export function changesByMail(calendars: readonly ReadCalendar[], teller: Teller): readonly Change[] {
  const all = calendars.flatMap(({ method, parts }) => parts.map((part) => ({ method, part })));
  const uids = new Set([...new Set(all.map(({ part }) => part.uid))].slice(0, mostMeetings));
  return all
    .filter(({ part }) => uids.has(part.uid))
    .slice(0, mostChanges)
    .map(({ method, part }) => ({ uid: part.uid, apply: (known: Entry) => applied(known, method, part, teller) }));
}

function applied(known: Entry, method: CalendarMethod, part: CalendarPart, teller: Teller): Entry {
  if (method === 'reply') return answered(known, part, teller);
  const organizers = [...known.parts, ...known.cancels].map(organizerOf);
  const isNew = organizers.length === 0;
  const isTheirs = (all: readonly (string | undefined)[]) =>
    teller.isOwn || (teller.address !== undefined && all.includes(teller.address));
  // Many are told of a meeting by a service that writes for its organizer; nobody is told so that it is called off.
  const isAllowed = isNew
    ? method !== 'cancel' || isTheirs([organizerOf(part)])
    : isTheirs([...organizers, known.teller ?? undefined]);
  if (!isAllowed) return known;
  const told = isNew ? { ...known, teller: teller.address ?? null } : known;
  if (method === 'cancel') return withCancel(told, part);
  // An organizer does not know that the owner has made it private.
  return withPart(told, { ...part, isPrivate: part.isPrivate || known.parts.some(({ isPrivate }) => isPrivate) });
}

function answered(known: Entry, { recurrence, sequence, stamp, attendees }: CalendarPart, teller: Teller): Entry {
  let entry = known;
  for (const { email, response } of attendees) {
    const address = addressIn(email);
    if (address === undefined || response === null || !(teller.isOwn || address === teller.address)) continue;
    entry = withReply(entry, { address, recurrence, response, sequence, stamp });
  }
  return entry;
}

function organizerOf({ organizer }: CalendarPart): string | undefined {
  return addressIn(organizer ?? '');
}
