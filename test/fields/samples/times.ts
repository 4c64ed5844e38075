/** DATE, DATETIME, BOOLEAN. The filters' today is Friday, 30 October 2026 in Berlin, five days after its clocks changed. */
import { nothing, nullFilters, testField } from './sample.ts';
import type { Sample, SampleValue } from './sample.ts';

function day(text: string): SampleValue {
  return { written: text, read: `"${text}"`, cell: text };
}

function instant(written: string, utc: string): SampleValue {
  return { written, read: `"${utc}"`, cell: utc };
}

const byDay: Sample['filters'] = [
  ['date_equals', '2026-10-25'],
  ['date_equals', '2026-10-30T23:30:00Z'],
  ['date_before', '2026-10-25'],
  ['date_after', '2026-10-25'],
  ['date_after', '9999-12-31'],
  ['date_between', '2026-10-25,2026-10-26'],
  ['date_between', ['2026-10-30', '9999-12-31']],
  ['date_today', null],
  ['date_this_week', null],
  ['date_this_month', null],
];

const badDays: Sample['badFilters'] = [
  ['date_equals', 'yesterday', 'must be a date'],
  ['date_equals', '2026-02-30', 'must be a date'],
  ['date_equals', 5, 'must be a date'],
  ['date_between', '2026-01-01', 'must be two dates: 2026-01-01,2026-01-31 or'],
  ['date_before', null, 'is_null'],
  ['equals', '0000-01-01', 'must be a date'],
  ['in', '2026-01-01,x', 'must be a date'],
];

const date: Sample = {
  field: testField('DATE'),
  values: [
    nothing,
    ...[
      '0001-01-01',
      '1969-12-31',
      '2024-02-29',
      '2026-10-01',
      '2026-10-24',
      '2026-10-25',
      '2026-10-26',
      '2026-10-30',
      '2026-10-31',
      '2026-11-01',
      '9999-12-31',
    ].map(day),
  ],
  refused: [
    ['2026-02-29', 'must be a date'],
    ['2026-13-01', 'must be a date'],
    ['2026-1-1', 'must be a date'],
    ['0000-01-01', 'must be a date'],
    ['10000-01-01', 'must be a date'],
    ['2026-01-01T00:00:00Z', 'must be a date'],
    ['01/02/2026', 'must be a date'],
    [20260101, 'must be a date'],
  ],
  cells: [
    ['20260131', '2026-01-31'],
    ['2026-01-31T23:30:00Z', '2026-01-31'],
    ['2026-01-31 10:00', '2026-01-31'],
    ['', null],
  ],
  filters: [
    ...nullFilters,
    ...byDay,
    ['equals', '2026-10-25'],
    ['not_equals', '2026-10-25'],
    ['greater_than', '2026-10-25'],
    ['less_than', '2026-10-25'],
    ['greater_equal', '2026-10-25'],
    ['less_equal', '2026-10-25'],
    ['between', '2026-10-01,2026-10-25'],
    ['in', '2026-10-25, 2024-02-29'],
    ['not_in', ['2026-10-25', '2024-02-29']],
  ],
  badFilters: badDays,
};

function range(start: string, end: string): SampleValue {
  return {
    written: { start, end },
    read: `{"start":"${start}","end":"${end}"}`,
    cell: `${start} to ${end}`,
    seen: start,
  };
}

const dateRange: Sample = {
  field: testField('DATE_RANGE'),
  values: [
    nothing,
    range('0001-01-01', '9999-12-31'),
    range('2024-02-29', '2024-02-29'),
    range('2026-10-25', '2026-10-30'),
    range('2026-10-30', '2026-12-31'),
    range('2026-11-01', '2027-01-01'),
  ],
  refused: [
    ['2026-01-01', 'must be { "start": "2026-01-31"'],
    [['2026-01-01', '2026-01-02'], 'must be { "start": "2026-01-31"'],
    [{ start: '2026-01-01' }, 'a start and an end'],
    [{ start: null, end: '2026-01-01' }, 'a start and an end'],
    [{ start: '2026-01-02', end: '2026-01-01' }, 'must not end before it starts'],
    [{ start: '2026-02-30', end: '2026-03-01' }, 'must be a date'],
    [{ start: '2026-01-01', end: '2026-01-02', days: 1 }, 'unknown key "days"'],
  ],
  cells: [
    ['2026-01-01/2026-02-01', { start: '2026-01-01', end: '2026-02-01' }],
    [' 20260101 TO 20260201 ', { start: '2026-01-01', end: '2026-02-01' }],
    ['{"start":"2026-01-01","end":"2026-02-01"}', { start: '2026-01-01', end: '2026-02-01' }],
    ['', null],
  ],
  filters: date.filters,
  badFilters: badDays,
};

const datetime: Sample = {
  field: testField('DATETIME'),
  values: [
    nothing,
    instant('0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'),
    instant('2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'),
    instant('2026-01-02T03:04:05.123456Z', '2026-01-02T03:04:05.123456Z'),
    instant('2026-01-02T03:04:05.1234Z', '2026-01-02T03:04:05.1234Z'),
    instant('2026-09-30T23:59:59+02:00', '2026-09-30T21:59:59.000Z'),
    instant('2026-10-25T00:00:00+02:00', '2026-10-24T22:00:00.000Z'),
    instant('2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'),
    instant('2026-10-25T23:59:59.999999+0100', '2026-10-25T22:59:59.999999Z'),
    instant('2026-10-26', '2026-10-25T23:00:00.000Z'),
    instant('2026-10-30 23:59', '2026-10-30T22:59:00.000Z'),
    instant('2026-10-31t00:00:00+01', '2026-10-30T23:00:00.000Z'),
    instant('2026-11-01T23:00:00z', '2026-11-01T23:00:00.000Z'),
    instant('9999-12-31T20:59:59.999999Z', '9999-12-31T20:59:59.999999Z'),
  ],
  refused: [
    ['2026-01-02T25:00:00Z', 'must be a date and time'],
    ['2026-02-30T00:00:00Z', 'must be a date and time'],
    ['9999-12-31T23:59:59-01:00', 'must be in the years 1 to 9999 of UTC, not "9999-12-31T23:59:59-01:00"'],
    ['0001-01-01T00:00:00+01:00', 'must be in the years 1 to 9999 of UTC'],
    ['tomorrow', 'must be a date and time'],
    [1_700_000_000_000, 'must be a date and time'],
  ],
  cells: [
    ['20260131', '2026-01-31'],
    [' 2026-01-31T10:00:00Z ', '2026-01-31T10:00:00Z'],
  ],
  filters: [
    ...nullFilters,
    ...byDay,
    ['equals', '2026-01-02T03:04:05.678Z'],
    ['equals', '2026-10-25'],
    ['not_equals', '2026-10-25'],
    ['greater_than', '2026-10-25'],
    ['greater_than', '2026-10-25T00:30:00Z'],
    ['less_than', '2026-10-25T02:30:00'],
    ['greater_equal', '2026-10-26'],
    ['less_equal', '2026-10-26'],
    ['between', '2026-10-25,2026-10-26T00:00:00Z'],
    ['in', '2026-10-25,2026-10-26'],
    ['not_in', '2026-10-25,2026-10-26'],
  ],
  badFilters: badDays,
};

function flag(value: boolean): SampleValue {
  return { written: value, read: String(value), cell: String(value) };
}

const boolean: Sample = {
  field: testField('BOOLEAN'),
  values: [nothing, flag(true), flag(false)],
  refused: [
    ['true', 'true or false'],
    [1, 'true or false'],
  ],
  cells: [
    ['Yes', true],
    [' n ', false],
    ['1', true],
    ['FALSE', false],
    ['', null],
  ],
  filters: [
    ...nullFilters,
    ['is_true', null],
    ['is_false', null],
    ['equals', true],
    ['equals', 'false'],
    ['not_equals', true],
    ['in', 'true,false'],
    ['not_in', [false]],
  ],
  badFilters: [
    ['equals', 'perhaps', 'true or false'],
    ['equals', null, 'is_null'],
  ],
};

export const timeSamples: readonly Sample[] = [date, dateRange, datetime, boolean];
