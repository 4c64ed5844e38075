import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, dayOf, isDay, mondayOf, nextMonth, parseInstant, startOfDay } from '../../src/fields/local-time.ts';

describe('where a day begins', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z', 24],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z', 24],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 0], // the day that Samoa left out
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 24],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 25], // midnight comes twice, the first counts
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 23], // midnight does not come, one o'clock does
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z', 24],
    ['UTC', '2024-02-29', '2024-02-29T00:00:00.000Z', 24],
  ])('%s %s', (zone, day, start, hours) => {
    expect(startOfDay(day, zone)).toBe(start);
    const end = startOfDay(addDays(day, 1) ?? '', zone);
    expect((Date.parse(end) - Date.parse(start)) / 3_600_000).toBe(hours);
  });

  it('is open where PostgreSQL has no such year in its text', () => {
    expect(startOfDay('0001-01-01', 'Europe/Berlin')).toBe('-infinity');
    expect(startOfDay('9999-12-31', 'Pacific/Pago_Pago')).toBe('9999-12-31T11:00:00.000Z');
  });

  it('holds every moment of the day that dayOf names', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Pacific/Apia',
      'America/Havana',
      'Africa/Cairo',
      'Asia/Kolkata',
    ];
    const moment = fc.integer({ min: Date.parse('1950-01-01'), max: Date.parse('2060-01-01') });
    fc.assert(
      fc.property(moment, fc.constantFrom(...zones), (millis, zone) => {
        const day = dayOf(millis, zone);
        const next = addDays(day, 1) ?? '';
        return Date.parse(startOfDay(day, zone)) <= millis && millis < Date.parse(startOfDay(next, zone));
      }),
    );
  });
});

describe('days', () => {
  it.each(['0001-01-01', '2024-02-29', '9999-12-31'])('%s is one', (text) => expect(isDay(text)).toBe(true));
  it.each(['0000-12-31', '2023-02-29', '2026-04-31', '2026-00-10', '26-01-01', '2026-01-01 ', '+002026-01-01', ''])(
    '%j is none',
    (text) => expect(isDay(text)).toBe(false),
  );

  it('are moved over months and years, and not out of the calendar', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2024-03-01', -1)).toBe('2024-02-29');
    expect(addDays('9999-12-31', 1)).toBeUndefined();
    expect(addDays('0001-01-01', -1)).toBeUndefined();
  });

  it('belong to weeks that begin on Monday, and to months', () => {
    expect(['2026-10-26', '2026-10-30', '2026-11-01'].map(mondayOf)).toEqual(Array(3).fill('2026-10-26'));
    expect(mondayOf('2026-11-02')).toBe('2026-11-02');
    expect(['2026-01-31', '2024-02-29', '2026-12-01'].map(nextMonth)).toEqual([
      '2026-02-01',
      '2024-03-01',
      '2027-01-01',
    ]);
    expect(nextMonth('9999-12-05')).toBeUndefined();
  });
});

describe('instants', () => {
  it.each([
    ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'], // twice: the first
    ['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'], // never: as if the clocks had not changed
    ['2026-01-02T03:04', 'UTC', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02T03:04:05,5Z', 'UTC', '2026-01-02T03:04:05.500Z'],
    ['2026-01-02T03:04:05.1234567Z', 'UTC', '2026-01-02T03:04:05.123456Z'],
    ['2026-01-02T03:04:05-05:30', 'UTC', '2026-01-02T08:34:05.000Z'],
    ['2026-01-02 03:04:05 Z', 'UTC', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02', 'America/New_York', '2026-01-02T05:00:00.000Z'],
  ])('%s in %s', (text, zone, utc) => expect(parseInstant(text, zone)).toBe(utc));

  it.each([
    '2026-01-02T',
    '2026-01-02T3:04',
    '2026-01-02T24:00:00Z',
    '2026-01-02T03:60Z',
    '2026-01-02T03:04:60Z',
    '2026-01-02Z',
    '03:04',
    '2026-01-02T03:04:05+25:00',
    '2026-01-02T03:04:05.Z',
  ])('%s is none', (text) => expect(parseInstant(text, 'UTC')).toBeUndefined());

  it('agree with the built-in parser', () => {
    const date = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });
    fc.assert(fc.property(date, (value) => parseInstant(value.toISOString(), 'Asia/Tokyo') === value.toISOString()));
  });
});
