/**
 * What is known of a meeting, from all that was said of it: by mails, which may come in any order, and by a calendar, which says it
 * as a whole. RFC 5546
 */
import type { CalendarPart, Moment } from './calendar-part.ts';

/** What one of those who were asked has answered. */
export interface Reply {
  /** As it is compared. */
  readonly address: string;
  readonly recurrence: Moment | null;
  readonly response: string;
  readonly sequence: number;
  readonly stamp: number;
}

export interface Entry {
  /** The latest word on the meeting itself and on each occurrence that was spoken of. */
  readonly parts: readonly CalendarPart[];
  /** The same of those that were called off. */
  readonly cancels: readonly CalendarPart[];
  readonly replies: readonly Reply[];
  /** Who told of it first by mail, as it is compared: beside its organizer, nobody else may change it. */
  readonly teller: string | null;
  /** Whether its calendar has it no more. */
  readonly isGone: boolean;
}

export const emptyEntry: Entry = { parts: [], cancels: [], replies: [], teller: null, isGone: false };

/** Occurrences of a meeting that are spoken of; those beyond are as its rules say. */
const mostParts = 500;
const mostReplies = 1_000;

type Said = Pick<CalendarPart, 'sequence' | 'stamp'>;

/** Whether `a` is the later word, or the same (RFC 5546, section 2.1.5). */
export function isLater(a: Said, b: Said): boolean {
  return a.sequence === b.sequence ? a.stamp >= b.stamp : a.sequence > b.sequence;
}

/** The entry with that word, if it is the latest on its occurrence. */
export function withPart(entry: Entry, part: CalendarPart): Entry {
  return { ...entry, parts: withLatest(entry.parts, part, mostParts), isGone: false };
}

/** The entry with that part called off. */
export function withCancel(entry: Entry, part: CalendarPart): Entry {
  return { ...entry, cancels: withLatest(entry.cancels, part, mostParts) };
}

/** The entry with that answer. */
export function withReply(entry: Entry, reply: Reply): Entry {
  return { ...entry, replies: withLatest(entry.replies, reply, mostReplies) };
}

/** The entry as a calendar has it, if no later word has come by mail: then that stays. */
export function asInCalendar(entry: Entry, parts: readonly CalendarPart[]): Entry {
  const sequence = (all: readonly CalendarPart[]) => Math.max(0, ...all.map((part) => part.sequence));
  const has = sequence(parts);
  const isOvertaken = !entry.isGone && sequence([...entry.parts, ...entry.cancels]) > has;
  return isOvertaken ? entry : { ...emptyEntry, teller: entry.teller, parts: parts.slice(0, mostParts) };
}

function withLatest<One extends Said & { readonly recurrence: Moment | null }>(
  all: readonly One[],
  one: One,
  most: number,
): readonly One[] {
  const known = all.find((other) => isSamePlace(one, other));
  if (known && !isLater(one, known)) return all;
  const others = all.filter((other) => other !== known);
  return others.length < most ? [...others, one] : all;
}

interface Placed {
  readonly recurrence: Moment | null;
  readonly address?: string;
}

function isSamePlace(a: Placed, b: Placed): boolean {
  return a.recurrence?.at === b.recurrence?.at && a.recurrence?.zone === b.recurrence?.zone && a.address === b.address;
}
