/** Days as people type them, in English and German. */
import { describe, expect, it } from 'vitest';
import { dayIn, momentIn, secondsIn } from '../../web/src/values/days.ts';
import { dayTextIn } from '../../web/src/values/whole-days.ts';

/** A Thursday. */
const now = new Date(2026, 10, 19, 12, 0);

describe('days', () => {
  it.each([
    ['today', '2026-11-19'],
    ['heute', '2026-11-19'],
    ['Tomorrow', '2026-11-20'],
    ['übermorgen', '2026-11-21'],
    ['yesterday', '2026-11-18'],
    ['fri', '2026-11-20'],
    ['fr', '2026-11-20'],
    ['thu', '2026-11-26'],
    ['next monday', '2026-11-23'],
    ['nächsten Montag', '2026-11-23'],
    ['last friday', '2026-11-13'],
    ['letzten Freitag', '2026-11-13'],
    ['am Sonntag', '2026-11-22'],
    ['in 2 weeks', '2026-12-03'],
    ['in zwei Wochen', '2026-12-03'],
    ['2 weeks', '2026-12-03'],
    ['3 days ago', '2026-11-16'],
    ['vor 3 Tagen', '2026-11-16'],
    ['next month', '2026-12-19'],
    ['in a year', '2027-11-19'],
    ['3 oct', '2026-10-03'],
    ['3. Oktober', '2026-10-03'],
    ['3 Okt 1984', '1984-10-03'],
    ['oct 3', '2026-10-03'],
    ['October 3rd, 2027', '2027-10-03'],
    ['1 mai', '2026-05-01'],
    ['31 märz', '2026-03-31'],
    ['3.10.', '2026-10-03'],
    ['3.10.27', '2027-10-03'],
    ['3.10.84', '1984-10-03'],
    ['2026-02-28', '2026-02-28'],
    ['28/2/2026', '2026-02-28'],
    ['2/28/2026', '2026-02-28'],
  ])('%s', (said, expected) => {
    expect(dayIn(said, now)).toBe(expected);
  });

  it.each([
    '',
    'soon',
    '30 feb',
    '2026-02-30',
    '3/4/2026',
    'm',
    'j 3',
    'in 9999999999 days',
    '32.1.2026',
    'constructor',
  ])('takes "%s" for none', (said) => {
    expect(dayIn(said, now)).toBeUndefined();
  });

  it('ends a month where it ends', () => {
    expect(dayIn('in 1 month', new Date(2026, 0, 31))).toBe('2026-02-28');
    expect(dayIn('next year', new Date(2028, 1, 29))).toBe('2029-02-28');
  });
});

describe('moments', () => {
  const local = (...parts: [number, number, number, number?, number?]) => new Date(...parts).toISOString();
  it.each([
    ['fri 15:30', local(2026, 10, 20, 15, 30)],
    ['tomorrow 3pm', local(2026, 10, 20, 15)],
    ['morgen 9 uhr', local(2026, 10, 20, 9)],
    ['17:00', local(2026, 10, 19, 17)],
    ['3 oct', local(2026, 9, 3)],
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
  ])('%s', (said, expected) => {
    expect(momentIn(said, now)).toBe(expected);
  });

  it('takes no hour that there is not', () => {
    expect(momentIn('fri 25:00', now)).toBeUndefined();
    expect(momentIn('fri 15:75', now)).toBeUndefined();
  });
});

describe('durations', () => {
  it.each([
    ['4 h 20 min', 15_600],
    ['1,5 Stunden', 5400],
    ['90', 5400],
    ['1:30', 5400],
    ['2 days', 172_800],
    ['45 s', 45],
  ])('%s', (said, expected) => {
    expect(secondsIn(said)).toBe(expected);
  });

  it.each(['', 'h', '3 apples', '-5'])('takes "%s" for none', (said) => {
    expect(secondsIn(said)).toBeUndefined();
  });
});

describe('the day of a zone', () => {
  it.each([
    ['UTC', '2026-11-27'],
    ['Europe/Berlin', '2026-11-28'],
    ['America/New_York', '2026-11-27'],
    ['Pacific/Kiritimati', '2026-11-28'],
  ])('%s', (zone, day) => {
    expect(dayTextIn(zone, new Date('2026-11-27T23:00:00Z'))).toBe(day);
  });

  it('has four digits for its year', () => {
    expect(dayTextIn('UTC', new Date('0099-01-02T00:00:00Z'))).toBe('0099-01-02');
  });
});
