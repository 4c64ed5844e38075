/**
 * Applies calendars in mails to meetings. Anybody can mail any calendar, so a known meeting is only changed by its organizer, the
 * sender of its first mail, and the owner of the mailbox; and attendees answer only for themselves. RFC 6047
 */
import { addressIn } from '../../records/conversations/addresses.ts';
import type { CalendarMethod, CalendarPart, ReadCalendar } from './calendar-part.ts';
import { withCancel, withPart, withReply, type Entry } from './entry.ts';
import type { Change } from './keep-entries.ts';

/** The sender of a mail. */
export interface MailSender {
  /** The normalized address; undefined if the mail has none. */
  readonly address: string | undefined;
  /** Whether the sender is the owner of the mailbox. */
  readonly isOwn: boolean;
}

/** Meetings per mail. An invitation is for one meeting; some programs send a few together. */
const mostMeetings = 20;
const mostChanges = 200;

/** The changes of meetings by the calendars of a mail. */
export function changesByMail(calendars: readonly ReadCalendar[], sender: MailSender): readonly Change[] {
  const all = calendars.flatMap(({ method, parts }) => parts.map((part) => ({ method, part })));
  const uids = new Set([...new Set(all.map(({ part }) => part.uid))].slice(0, mostMeetings));
  return all
    .filter(({ part }) => uids.has(part.uid))
    .slice(0, mostChanges)
    .map(({ method, part }) => ({ uid: part.uid, apply: (known: Entry) => applied(known, method, part, sender) }));
}

function applied(known: Entry, method: CalendarMethod, part: CalendarPart, sender: MailSender): Entry {
  if (method === 'reply') return answered(known, part, sender);
  const organizers = [...known.parts, ...known.cancels].map(organizerOf);
  const isNew = organizers.length === 0;
  const isFrom = (all: readonly (string | undefined)[]) =>
    sender.isOwn || (sender.address !== undefined && all.includes(sender.address));
  // Services send invitations on behalf of organizers, so anybody may introduce a meeting; but not with a cancellation.
  const isAllowed = isNew
    ? method !== 'cancel' || isFrom([organizerOf(part)])
    : isFrom([...organizers, known.teller ?? undefined]);
  if (!isAllowed) return known;
  const entry = isNew ? { ...known, teller: sender.address ?? null } : known;
  if (method === 'cancel') return withCancel(entry, part);
  // The owner may have made it private, which the organizer does not know.
  return withPart(entry, { ...part, isPrivate: part.isPrivate || known.parts.some(({ isPrivate }) => isPrivate) });
}

function answered(known: Entry, { recurrence, sequence, stamp, attendees }: CalendarPart, sender: MailSender): Entry {
  let entry = known;
  for (const { email, response } of attendees) {
    const address = addressIn(email);
    if (address === undefined || response === null || !(sender.isOwn || address === sender.address)) continue;
    entry = withReply(entry, { address, recurrence, response, sequence, stamp });
  }
  return entry;
}

function organizerOf({ organizer }: CalendarPart): string | undefined {
  return addressIn(organizer ?? '');
}
