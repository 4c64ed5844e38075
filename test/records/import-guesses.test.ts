import { describe, expect, it } from 'vitest';
import { guessDates, readDate, type DateOrder } from '../../src/records/import/guessing/dates.ts';
import { guessNumbers, readNumber, type DecimalSign } from '../../src/records/import/guessing/numbers.ts';
import { ColumnValues } from '../../src/records/import/guessing/profile.ts';
import { splitName } from '../../src/records/import/mapping/full-name.ts';
import { lineOf, reasonsOf } from '../../src/records/import/reasons.ts';
import { read as readFile } from './import-files.ts';

describe('dates', () => {
  const told: [values: string[], order: DateOrder | undefined][] = [
    [['13/04/2021', '01/02/2021'], 'DMY'],
    [['04/13/2021', '01/02/2021'], 'MDY'],
    [['01/02/2021', '03/04/2021'], undefined],
    [['01/01/2021', '02/02/2021'], 'DMY'],
    [['01.02.2021', '3.4.21'], 'DMY'],
    [['2021-01-02'], 'YMD'],
    [['05 Mar 2021', '17 Apr 2020'], 'YMD'],
    [['0/0/00', '4/25/1980'], 'MDY'],
    [['19081209'], 'YMD'],
  ];
  for (const [values, order] of told)
    it(`${values.join(' ')} are ${order ?? 'ambiguous'}`, () => expect(guessDates(values)?.order).toBe(order));

  it('are none where many values are none', () => {
    for (const values of [['x'], ['2013 (1888)', '2001-01-01'], ['--05-17'], ['32/13/2021'], ['']])
      expect(guessDates(values)).toBeUndefined();
  });

  const read: [text: string, order: DateOrder, date: string | undefined][] = [
    ['3/4/2021', 'DMY', '2021-04-03'],
    ['3/4/2021', 'MDY', '2021-03-04'],
    ['3/4/45', 'DMY', '1945-04-03'],
    ['3/4/21 2:05 PM', 'MDY', '2021-03-04T14:05:00'],
    ['12:00', 'DMY', undefined],
    ['March 5, 2021', 'DMY', '2021-03-05'],
    ['5. März 2021', 'DMY', '2021-03-05'],
    ['5 de mayo de 2021', 'DMY', '2021-05-05'],
    ['17 févr. 2020', 'DMY', '2020-02-17'],
    ['2023-11-07 09:38', 'DMY', '2023-11-07T09:38:00'],
    ['2006-04-15T03:23:15.000Z', 'YMD', '2006-04-15T03:23:15Z'],
    ['31/02/2021', 'DMY', undefined],
  ];
  for (const [text, order, date] of read)
    it(`${text} in ${order} is ${date}`, () => expect(readDate(text, order)).toBe(date));
});

describe('numbers', () => {
  const read: [text: string, decimal: DecimalSign, digits: string | undefined, currency?: string][] = [
    ['1.234,56', 'comma', '1234.56'],
    ['1,234.56', 'point', '1234.56'],
    ['$1,200', 'point', '1200', 'USD'],
    ['1 234,5 €', 'comma', '1234.5', 'EUR'],
    ['CHF 1’200.50', 'point', '1200.50', 'CHF'],
    ['12%', 'point', '12'],
    ['(1,200)', 'point', '-1200'],
    ['-$5', 'point', '-5', 'USD'],
    ['.5', 'point', '0.5'],
    ['1,23', 'point', undefined],
    ['12 apples', 'point', undefined],
    ['1.2.3', 'point', undefined],
  ];
  for (const [text, decimal, digits, currency] of read)
    it(`${text} is ${digits}`, () => {
      const found = readNumber(text, decimal);
      expect([found?.digits, found?.currency]).toEqual([digits, currency]);
    });

  it('are written as most of a column says', () => {
    expect(guessNumbers(['1.234,5', '12'])).toMatchObject({ decimal: 'comma', isSure: true });
    expect(guessNumbers(['1.234', '12'])).toMatchObject({ decimal: 'point', isSure: false });
    expect(guessNumbers(['12%', '5 %'])).toMatchObject({ isPercent: true });
    expect(guessNumbers(['1', 'two'])).toBeUndefined();
  });
});

// These would take minutes, where a run of white space is gone through again from each of its places.
it('are told from long texts of nothing in the time that it takes to read them', async () => {
  const spaces = ' '.repeat(300_000);
  expect(readDate(`1.2.2020 10:00${spaces}x`, 'DMY')).toBeUndefined();
  for (const text of [`1${' '.repeat(97)}x`, `-${' '.repeat(97)}x`, `US$${' \u00a0'.repeat(47)}5x`])
    for (let at = 0; at < 1_000; at++) expect(readNumber(text, 'point')).toBeUndefined();
  const csv = `Name,Phone,Street,Kinds\nAda,"1${spaces}2;3","Lane 1${spaces}\n2","a${spaces}b; c"\n`;
  const [made] = (await readFile('contacts', { text: csv, format: 'csv' })).made();
  expect(made).toMatchObject({ values: { phones: [`1${spaces}2`, '3'], address: { street: `Lane 1, 2` } } });
  const values = new ColumnValues('kinds');
  for (let at = 0; at < 30; at++) values.add(`a${at % 3}${spaces}b | c`);
  expect(await values.profile()).toMatchObject({ type: 'LONG_TEXT' });
});

it('takes names apart', () => {
  const names: [text: string, first: string, last: string][] = [
    ['Ada King', 'Ada', 'King'],
    ['King, Ada', 'Ada', 'King'],
    ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
    ['Dr. Martin Luther King Jr.', 'Martin Luther', 'King Jr.'],
    ['Ada King, PhD', 'Ada', 'King'],
    ['Cher', 'Cher', ''],
  ];
  for (const [text, first, last] of names) expect(splitName(text)).toEqual({ first, last });
});

it('tells many rows that fail for one reason in one line', () => {
  const told = Array.from({ length: 100 }, (_, index) => ({
    index,
    message: `company_id names no record: "C ${index}"`,
  }));
  const long = `x: "${'y'.repeat(10_000_000)}"`;
  expect(reasonsOf([{ index: 0, message: long }])).toMatchObject([{ count: 1, first: `${long.slice(0, 2_000)}…` }]);
  const [first, second] = reasonsOf([...told, { index: 200, message: 'name is required' }]);
  expect(first && lineOf(first)).toBe('100 rows: company_id names no record (100 names, for example "C 0")');
  expect(second && lineOf(second)).toBe('row 201: name is required');
});
