/** What calendars say of meetings, as far as it is kept: plain values, so that it can lie in the database. RFC 5545 */

/** A time as it is written. */
export interface Moment {
  /** `2026-10-02T13:00:00`, or `2026-10-02` where it is a day. */
  readonly at: string;
  /** The name of its zone as it is written, `UTC`, or null for the time of wherever one is. */
  readonly zone: string | null;
}

export interface ToldAttendee {
  readonly email: string;
  readonly name: string | null;
  readonly response: string | null;
}

/** A meeting, or one of its occurrences that is other than its rules say. */
export interface CalendarPart {
  /** Of all parts of a meeting: its UID, as rows are known by it. */
  readonly uid: string;
  /** Which occurrence it is; null for the meeting itself. */
  readonly recurrence: Moment | null;
  /** Whether it is of those after it, too. */
  readonly isRange: boolean;
  readonly sequence: number;
  /** When it was written, in milliseconds. */
  readonly stamp: number;
  readonly start: Moment | null;
  readonly end: Moment | null;
  /** In the place of an end. */
  readonly durationMs: number | null;
  /** As the library takes them. */
  readonly rules: readonly object[];
  readonly added: readonly Moment[];
  readonly excluded: readonly Moment[];
  readonly status: 'confirmed' | 'tentative' | 'cancelled';
  readonly isPrivate: boolean;
  readonly title: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly meetingUrl: string | null;
  /** As `Bob <bob@globex.test>`. */
  readonly organizer: string | null;
  readonly attendees: readonly ToldAttendee[];
  /** Rules of zones that nobody else knows, by their names, as the library takes them. */
  readonly zones: Readonly<Record<string, readonly unknown[]>>;
  /** The zone of times that name none; null for the account's. */
  readonly usualZone: string | null;
}

/** What is to become of a meeting. RFC 5546 */
export type CalendarMethod = 'publish' | 'request' | 'cancel' | 'reply';

export interface ReadCalendar {
  readonly method: CalendarMethod;
  readonly parts: readonly CalendarPart[];
}

/** An occurrence within the time that was asked for. */
export interface Occurrence {
  /** What distinguishes it from the others of its meeting; undefined for one that does not recur. */
  readonly key: string | undefined;
  /** In milliseconds, as `end`. */
  readonly start: number;
  readonly end: number;
  readonly allDay: boolean;
  readonly status: CalendarPart['status'];
  /** Place of the part that tells of it. */
  readonly part: number;
}
