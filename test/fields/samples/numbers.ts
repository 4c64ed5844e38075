/** NUMBER, DECIMAL, PERCENT, DURATION, ELAPSED_TIME, INTEGER, RATING, CURRENCY. */
import type { FieldTypeName } from '../../../src/fields/field-def.ts';
import { Digits } from '../../../src/lib/json.ts';
import type { Json } from '../../../src/lib/json.ts';
import { nothing, nullFilters, testField } from './sample.ts';
import type { Sample, SampleValue } from './sample.ts';

function digits(written: Json, text: string): SampleValue {
  return { written, read: text, cell: text };
}

const filters: Sample['filters'] = [
  ...nullFilters,
  ['equals', 5],
  ['equals', '5.0'],
  ['not_equals', 5],
  ['greater_than', '0'],
  ['less_than', 5],
  ['greater_equal', 5],
  ['less_equal', '-0.5'],
  ['between', '0,10'],
  ['between', [-1, '5']],
  ['in', '5, 100'],
  ['in', [5, -7]],
  ['in', []],
  ['not_in', '5,0'],
];

const badFilters: Sample['badFilters'] = [
  ['equals', 'five', 'must be a number'],
  ['equals', '', 'must be a number'],
  ['equals', null, 'is_null'],
  ['equals', {}, 'single value'],
  ['in', '1,x', 'must be a number'],
  ['in', Array.from({ length: 10_001 }, () => 1), '10,000 values'],
  ['between', '1', 'two values'],
  ['greater_than', 'NaN', 'must be a number'],
  ['greater_than', 'Infinity', 'must be a number'],
];

const refused: Sample['refused'] = [
  ['5', 'must be a number'],
  [true, 'must be a number'],
  [[5], 'must be a number'],
  [Number.NaN, 'must be a number'],
  [Number.POSITIVE_INFINITY, 'must be a number'],
  [new Digits('1e101'), '100 digits'],
  [new Digits('1e-101'), '100 digits'],
  [new Digits('1e999999'), '100 digits'],
  [new Digits(`${'1'.repeat(60)}.${'1'.repeat(60)}`), '100 digits'],
];

const numbers = [nothing, digits(0, '0'), digits(-0, '0'), digits(5, '5'), digits(-7, '-7'), digits(100, '100')];

const fractions = [
  digits(0.1, '0.1'),
  digits(-0.5, '-0.5'),
  digits(1e-7, '0.0000001'),
  digits(new Digits('1.50'), '1.50'),
  digits(new Digits('1.50e3'), '1500'),
  digits(new Digits('-0.0'), '0.0'),
  digits(new Digits('123456789012345678901234567890.123456789'), '123456789012345678901234567890.123456789'),
];

function numeric(type: FieldTypeName): Sample {
  return {
    field: testField(type),
    values: [...numbers, ...fractions],
    refused,
    cells: [
      [' 1,234.50 ', new Digits('1234.50')],
      ['+5', 5],
      ['.5', 0.5],
      ['', null],
      ...(type === 'PERCENT' ? [['12 %', 12] as const] : []),
    ],
    filters,
    badFilters,
  };
}

const largest = '9223372036854775807';
const integer: Sample = {
  field: testField('INTEGER'),
  values: [
    ...numbers,
    digits(new Digits('5.00'), '5'),
    digits(new Digits('1e3'), '1000'),
    digits(new Digits(largest), largest),
    digits(new Digits(`-${largest}`), `-${largest}`),
  ],
  refused: [
    ...refused.map(([value, reason]): [Json, string] => [
      value,
      typeof value === 'number' ? reason : reason.replace('a number', 'a whole number such as 1200'),
    ]),
    [0.5, 'whole number'],
    [new Digits('9223372036854775808'), 'must be between'],
  ],
  cells: [
    ['1,234', 1234],
    ['12', 12],
  ],
  filters,
  badFilters,
};

const rating: Sample = {
  field: testField('RATING'),
  values: [nothing, digits(0, '0'), digits(1, '1'), digits(5, '5'), digits(new Digits('3.0'), '3')],
  refused: [
    ['5', 'must be a whole number from 0 to 5'],
    [6, 'from 0 to 5'],
    [-1, 'from 0 to 5'],
    [2.5, 'whole number'],
  ],
  cells: [
    [' 4 ', 4],
    ['', null],
  ],
  filters,
  badFilters,
};

function money(written: Json, amount: string, code: string): SampleValue {
  return { written, read: `{"amount":${amount},"currency":"${code}"}`, cell: `${amount} ${code}` };
}

const currency: Sample = {
  field: testField('CURRENCY'),
  values: [
    nothing,
    money(5, '5', 'USD'),
    money({ amount: 1200.5, currency: 'EUR' }, '1200.5', 'EUR'),
    money({ amount: new Digits('0.10') }, '0.10', 'USD'),
    money({ amount: -7, currency: 'JPY' }, '-7', 'JPY'),
    money(100, '100', 'USD'),
    money(0, '0', 'USD'),
  ],
  refused: [
    ['5 EUR', 'must be a number'],
    [{ currency: 'EUR' }, 'must have an amount'],
    [{ amount: '5' }, 'must be a number'],
    [{ amount: 5, currency: 'XXQ' }, 'currency code'],
    [{ amount: 5, currency: 'eur' }, 'currency code'],
    [{ amount: 5, cur: 'EUR' }, 'unknown key "cur"'],
  ],
  cells: [
    ['1200.5 EUR', { amount: 1200.5, currency: 'EUR' }],
    ['$1,200', { amount: 1200, currency: 'USD' }],
    ['EUR 1200', { amount: 1200, currency: 'EUR' }],
    ['1200 eur', { amount: 1200, currency: 'EUR' }],
    ['-€5.5', { amount: -5.5, currency: 'EUR' }],
    ['1,200.00', new Digits('1200.00')],
    ['{"amount":5,"currency":"EUR"}', { amount: 5, currency: 'EUR' }],
  ],
  filters,
  badFilters,
};

export const numberSamples: readonly Sample[] = [
  numeric('NUMBER'),
  numeric('DECIMAL'),
  numeric('PERCENT'),
  numeric('DURATION'),
  numeric('ELAPSED_TIME'),
  integer,
  rating,
  currency,
];
