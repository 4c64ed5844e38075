/** What is known of a meeting, whatever the order in which it is said, and when it takes place. [contract: Accounts] */
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { changesByMail } from '../../src/channels/calendar/by-mail.ts';
import { emptyEntry, type Entry } from '../../src/channels/calendar/entry.ts';
import { expand } from '../../src/channels/calendar/expand.ts';
import { readCalendars } from '../../src/channels/calendar/read-calendar.ts';
import { calendarOf, meetingOf, type MeetingParts } from './calendars.ts';

const bob = 'bob@globex.test';
const span = { from: Date.parse('2026-01-01'), until: Date.parse('2027-01-01'), timeZone: 'Europe/Berlin' };

function said(method: string, sequence: number, parts: Partial<MeetingParts>, from = bob) {
  const stamp = `202601${String(10 + sequence)}T000000Z`;
  const text = calendarOf([meetingOf({ uid: 'm', start: '', organizer: bob, stamp, sequence, ...parts })], method);
  return changesByMail(readCalendars(text), { address: from, isOwn: false });
}

const weekly = (time: string) => ({
  start: `;TZID=Europe/Berlin:20260202T${time}00`,
  attendees: ['carl@globex.test', 'dora@globex.test'],
  more: ['RRULE:FREQ=WEEKLY;COUNT=8'],
});
const occurrence = (day: string, time: string) => ({
  start: `;TZID=Europe/Berlin:202602${day}T${time}00`,
  more: [`RECURRENCE-ID;TZID=Europe/Berlin:202602${day}T100000`],
});
const answer = (who: string, response: string) => ({
  start: ':20260202T090000Z',
  more: [`ATTENDEE;PARTSTAT=${response}:mailto:${who}@globex.test`],
});

const words = [
  said('REQUEST', 0, weekly('0900')),
  said('REQUEST', 1, weekly('1000')),
  said('REQUEST', 2, occurrence('09', '1500')),
  said('REQUEST', 3, occurrence('09', '1600')),
  said('CANCEL', 3, occurrence('16', '1000')),
  said('REPLY', 1, answer('carl', 'TENTATIVE'), 'carl@globex.test'),
  said('REPLY', 2, answer('carl', 'ACCEPTED'), 'carl@globex.test'),
];

/** Without what depends on the order in which things were put down. */
function toldOf(entry: Entry) {
  const parts = [...entry.parts, ...entry.cancels];
  const { occurrences } = expand(entry, span);
  return {
    occurrences: occurrences.map(({ part, ...rest }) => ({ ...rest, title: parts[part]?.title })),
    replies: entry.replies.map(({ address, response }) => [address, response]),
  };
}

describe('what is said of a meeting', () => {
  it('leads to the same, in whatever order it comes and however often', () => {
    const after = (order: readonly number[]) =>
      order.flatMap((at) => words[at]!).reduce((entry, { apply }) => apply(entry), emptyEntry);
    const all = words.map((_, at) => at);
    const expected = toldOf(after(all));
    expect(expected.occurrences.map(({ status }) => status).join(' ')).toBe(
      'confirmed confirmed cancelled confirmed confirmed confirmed confirmed confirmed',
    );
    expect(expected.occurrences[1]).toMatchObject({ start: Date.parse('2026-02-09T15:00:00Z') });
    expect(expected.replies).toEqual([['carl@globex.test', 'accepted']]);
    const order = fc.tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.shuffledSubarray(all));
    fc.assert(
      fc.property(order, ([first, again]) => {
        expect(toldOf(after([...first, ...again]))).toEqual(expected);
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it('takes place at the same time on the wall every day, as the zone has it', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/Santiago'];
    const time = fc.record({
      zone: fc.constantFrom(...zones),
      hour: fc.nat(23),
      interval: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(time, ({ zone, hour, interval }) => {
        const at = `20260101T${String(hour).padStart(2, '0')}3000`;
        const rule = [`RRULE:FREQ=DAILY;INTERVAL=${interval};COUNT=300`];
        const [calendar] = readCalendars(
          calendarOf([meetingOf({ uid: 'm', start: `;TZID=${zone}:${at}`, more: rule })]),
        );
        const { occurrences } = expand({ ...emptyEntry, parts: calendar!.parts }, { ...span, from: 0 });
        const first = Temporal.PlainDateTime.from({ year: 2026, month: 1, day: 1, hour, minute: 30 });
        const expected = Array.from(
          { length: 300 },
          (_, count) => first.add({ days: count * interval }).toZonedDateTime(zone).epochMilliseconds,
        ).filter((start) => start < span.until);
        expect(occurrences.map(({ start }) => start)).toEqual(expected);
      }),
      { seed: 7, numRuns: 40 },
    );
  });
});
