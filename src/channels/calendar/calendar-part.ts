/** The stored parts of calendars: plain values, which can be serialized. RFC 5545 */

import type { Attendee } from '../../records/conversations/ingest-lines.ts';

/** A time as a calendar writes it. */
export interface Moment {
  /** Local time such as `2026-10-02T13:00:00`, or a day such as `2026-10-02`. */
  readonly at: string;
  /** The zone's name as written, `UTC`, or null for a floating time. */
  readonly zone: string | null;
}

/** A meeting, or an occurrence that deviates from the meeting's rules (VEVENT). */
export interface CalendarPart {
  /** The UID as it is stored, which all parts of a meeting share. */
  readonly uid: string;
  /** The original time of the occurrence; null for the meeting itself. */
  readonly recurrence: Moment | null;
  /** Whether it applies to all later occurrences, too. */
  readonly isRange: boolean;
  readonly sequence: number;
  /** When it was written, in milliseconds. */
  readonly stamp: number;
  readonly start: Moment | null;
  readonly end: Moment | null;
  /** The duration, for parts without an end. */
  readonly durationMs: number | null;
  /** Recurrence rules in the format of ical.js. */
  readonly rules: readonly object[];
  readonly added: readonly Moment[];
  readonly excluded: readonly Moment[];
  readonly status: 'confirmed' | 'tentative' | 'cancelled';
  readonly isPrivate: boolean;
  readonly title: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly meetingUrl: string | null;
  /** An address such as `Bob <bob@globex.test>`. */
  readonly organizer: string | null;
  readonly attendees: readonly Attendee[];
  /** Definitions of time zones that are no IANA or Windows zones, by name, in the format of ical.js. */
  readonly zones: Readonly<Record<string, readonly unknown[]>>;
  /** The zone of floating times; null for the organization's. */
  readonly usualZone: string | null;
}

/** What a calendar does to its meetings. RFC 5546 */
export type CalendarMethod = 'publish' | 'request' | 'cancel' | 'reply';

/** A parsed calendar. */
export interface ReadCalendar {
  readonly method: CalendarMethod;
  readonly parts: readonly CalendarPart[];
}

/** An occurrence within the requested span. */
export interface Occurrence {
  /** Distinguishes the occurrences of a meeting; undefined if the meeting does not recur. */
  readonly key: string | undefined;
  /** In milliseconds, like `end`. */
  readonly start: number;
  readonly end: number;
  readonly allDay: boolean;
  readonly status: CalendarPart['status'];
  /** Index of the part with its details, in the entry's parts followed by its cancels. */
  readonly part: number;
}
