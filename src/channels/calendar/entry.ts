/**
 * The merged state of a meeting, from mails, which may arrive in any order, and from a calendar, which always has the whole meeting.
 * RFC 5546
 */
import type { CalendarPart, Moment } from './calendar-part.ts';

/** An attendee's answer. */
export interface Reply {
  /** The attendee's normalized address. */
  readonly address: string;
  readonly recurrence: Moment | null;
  readonly response: string;
  readonly sequence: number;
  readonly stamp: number;
}

/** A meeting's merged state. Stored sealed as JSON: its property names cannot change. */
export interface Entry {
  /** The latest version of the meeting itself and of each occurrence that deviates. */
  readonly parts: readonly CalendarPart[];
  /** The latest cancellation of the meeting itself and of each cancelled occurrence. */
  readonly cancels: readonly CalendarPart[];
  readonly replies: readonly Reply[];
  /** The normalized address of the first mail's sender, who may change the meeting like its organizer. */
  readonly teller: string | null;
  /** Whether its calendar has deleted it. */
  readonly isGone: boolean;
}

export const emptyEntry: Entry = { parts: [], cancels: [], replies: [], teller: null, isGone: false };

/** Parts per meeting; further deviating occurrences are ignored. */
const mostParts = 500;
const mostReplies = 1_000;

type Version = Pick<CalendarPart, 'sequence' | 'stamp'>;

/** Whether `a` is at least as new as `b` (RFC 5546, section 2.1.5). */
export function isLater(a: Version, b: Version): boolean {
  return a.sequence === b.sequence ? a.stamp >= b.stamp : a.sequence > b.sequence;
}

/** The entry with the part, unless it has a newer version of it. */
export function withPart(entry: Entry, part: CalendarPart): Entry {
  return { ...entry, parts: withLatest(entry.parts, part, mostParts), isGone: false };
}

/** The entry with the part cancelled, unless it has a newer cancellation of it. */
export function withCancel(entry: Entry, part: CalendarPart): Entry {
  return { ...entry, cancels: withLatest(entry.cancels, part, mostParts) };
}

/** The entry with the answer, unless it has a newer one of the attendee. */
export function withReply(entry: Entry, reply: Reply): Entry {
  return { ...entry, replies: withLatest(entry.replies, reply, mostReplies) };
}

/** The entry with the state of a calendar, unless a mail has brought a newer one. */
export function asInCalendar(entry: Entry, parts: readonly CalendarPart[]): Entry {
  const sequence = (all: readonly CalendarPart[]) => Math.max(0, ...all.map((part) => part.sequence));
  const inCalendar = sequence(parts);
  const isOvertaken = !entry.isGone && sequence([...entry.parts, ...entry.cancels]) > inCalendar;
  return isOvertaken ? entry : { ...emptyEntry, teller: entry.teller, parts: parts.slice(0, mostParts) };
}

function withLatest<One extends Version & { readonly recurrence: Moment | null }>(
  all: readonly One[],
  one: One,
  most: number,
): readonly One[] {
  const known = all.find((other) => isForSame(one, other));
  if (known && !isLater(one, known)) return all;
  const others = all.filter((other) => other !== known);
  return others.length < most ? [...others, one] : all;
}

interface Subject {
  readonly recurrence: Moment | null;
  readonly address?: string;
}

/** Whether both are for the same occurrence and, for answers, of the same attendee. */
function isForSame(a: Subject, b: Subject): boolean {
  return a.recurrence?.at === b.recurrence?.at && a.recurrence?.zone === b.recurrence?.zone && a.address === b.address;
}
