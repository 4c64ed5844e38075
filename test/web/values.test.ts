/** The parts of values that need no page: what is shown as text, and what typed texts mean. */
import { describe, expect, it } from 'vitest';
import type { Field } from '../../web/src/api/workspace.ts';
import { formatsOf } from '../../web/src/i18n/formats.ts';
import { lockOf } from '../../web/src/values/editable.ts';
import { addressLines, entriesIn, hrefOf, isEmpty, plainOf, refsOf } from '../../web/src/values/shapes.ts';
import { isNumeric, textOf } from '../../web/src/values/text-of.ts';
import { typed } from '../../web/src/values/typed.ts';

const [english, german] = [formatsOf('en'), formatsOf('de')];
const now = new Date(2026, 10, 19, 12);

function field(type: Field['type'], more: Partial<Field> = {}): Field {
  return {
    name: 'f',
    label: 'F',
    type,
    isRequired: false,
    isReadonly: false,
    isSearchable: false,
    isHidden: false,
    defaultValue: null,
    isUnique: false,
    options: null,
    ...more,
  };
}

function text(
  type: Field['type'],
  value: unknown,
  more: Partial<Field> = {},
  rest: Record<string, unknown> = {},
): string {
  return textOf(field(type, more), { id: '1', f: value, ...rest }, english);
}

describe('values as text', () => {
  const options = [
    { value: 'a', label: 'First' },
    { value: 'b', label: 'Second' },
  ];
  const to = (target: string, relationType: 'BELONGS_TO_ONE' | 'MANY_TO_MANY' = 'BELONGS_TO_ONE') => ({
    relationConfig: { relationType, targetObjectName: target },
  });

  it.each<[Field['type'], unknown, string]>([
    ['TEXT', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['LONG_TEXT', 'two\nlines', 'two\nlines'],
    ['RICH_TEXT', '<p>a &lt;b&gt;</p><ul><li>c</li></ul>', 'a <b>\nc'],
    ['NUMBER', 1234.5, '1,234.5'],
    ['INTEGER', 0, '0'],
    ['DECIMAL', 0.1, '0.1'],
    ['PERCENT', 7.5, '7.5%'],
    ['CURRENCY', { amount: 1200.5, currency: 'EUR' }, '€1,200.50'],
    ['RATING', 4, '4'],
    ['BOOLEAN', false, 'false'],
    ['DATE', '2020-10-03', 'Oct 3, 2020'],
    ['DATE_RANGE', { start: '2020-01-01', end: '2020-02-01' }, 'Jan 1, 2020 – Feb 1, 2020'],
    ['DURATION', 15_600, '4 hr 20 min'],
    ['ELAPSED_TIME', 59, '59 sec'],
    ['EMAIL', 'a@x.test', 'a@x.test'],
    ['URL', 'https://x.test/', 'https://x.test/'],
    [
      'ADDRESS',
      { street: 'Summer Street 44', city: 'Boston', state: 'MA', postal_code: '02110' },
      'Summer Street 44, Boston, MA 02110',
    ],
    ['CALCULATED', '2020-10-03', 'Oct 3, 2020'],
    ['ROLLUP', 12_000, '12,000'],
    ['TEXT', null, ''],
    ['NUMBER', null, ''],
  ])('%s', (type, value, expected) => {
    expect(text(type, value)).toBe(expected);
  });

  it.each<[Field['type'], NonNullable<Field['valueType']>, unknown, string]>([
    ['CALCULATED', 'TEXT', '2020-10-03', '2020-10-03'],
    ['CALCULATED', 'PERCENT', 12.5, '12.5%'],
    ['CALCULATED', 'CURRENCY', 1200.5, '1,200.5'],
    ['ROLLUP', 'DURATION', 3_600, '1 hr'],
    ['ROLLUP', 'DATE', '2020-10-03', 'Oct 3, 2020'],
  ])('%s whose values are %s', (type, valueType, value, expected) => {
    expect(text(type, value, { valueType })).toBe(expected);
  });

  it('names options by their labels, and what is no option by its value', () => {
    expect(text('SELECT', 'b', { options })).toBe('Second');
    expect(text('MULTI_SELECT', ['a', 'gone'], { options })).toBe('First and gone');
  });

  it('puts the primary address first', () => {
    const value = [
      { email: 'b@x.test', label: 'home', is_primary: false },
      { email: 'a@x.test', label: 'work', is_primary: true },
    ];
    expect(text('EMAILS', value)).toBe('a@x.test, b@x.test');
    expect(entriesIn([{ phone: '+1 617', label: null, is_primary: true }])).toEqual([
      { text: '+1 617', label: '', isPrimary: true },
    ]);
  });

  it('names records and users by what stands beside them', () => {
    expect(text('RELATION', 'x', to('companies'), { f_display: 'Halden' })).toBe('Halden');
    expect(text('DEPENDENT_RELATION', 'x', to('contacts'), { f_display: null })).toBe('');
    expect(text('USERS', 'x', {}, { f_display: 'Diego' })).toBe('Diego');
    expect(text('MORPH_RELATION', { object: 'contacts', id: 'x' }, to('companies'), { f_display: 'Anna' })).toBe(
      'Anna',
    );
    expect(text('MANY_TO_MANY', [{ id: 'x', display: 'Anna', role: 'Champion' }], to('contacts', 'MANY_TO_MANY'))).toBe(
      'Anna',
    );
    expect(text('PIPELINE', undefined, {}, { pipeline_step_id: 's', pipeline_step_id_display: 'Won' })).toBe('Won');
    expect(
      refsOf(field('MORPH_RELATION', to('companies')), { f: { object: 'contacts', id: 'x' }, f_display: 'Anna' }),
    ).toEqual([{ id: 'x', object: 'contacts', display: 'Anna', details: [] }]);
  });

  it('writes as the reader does', () => {
    const write = (type: Field['type'], f: unknown) => textOf(field(type), { id: '1', f }, german);
    expect(write('NUMBER', 1234.5)).toBe('1.234,5');
    expect(write('CURRENCY', { amount: 1200.5, currency: 'EUR' })).toBe('1.200,50\u00a0€');
  });

  it('has numbers at the end, and knows when there is nothing', () => {
    expect(isNumeric(field('CURRENCY'))).toBe(true);
    expect(isNumeric(field('TEXT'))).toBe(false);
    expect(isNumeric(field('CALCULATED', { valueType: 'TEXT' }))).toBe(false);
    expect(isNumeric(field('ROLLUP', { valueType: 'DATE' }))).toBe(false);
    expect(isNumeric(field('ROLLUP', { valueType: 'INTEGER' }))).toBe(true);
    expect(isEmpty(field('EMAILS'), { id: '1', f: [] })).toBe(true);
    expect(isEmpty(field('ADDRESS'), { id: '1', f: { street: null } })).toBe(true);
    expect(isEmpty(field('BOOLEAN'), { id: '1', f: false })).toBe(false);
    expect(addressLines({ formatted: 'Lyon' })).toEqual(['Lyon']);
  });
});

describe('addresses of the web', () => {
  it.each([
    ['https://x.test/a?b', 'https://x.test/a?b'],
    ['x.test', 'https://x.test/'],
    ['javascript:alert(1)', undefined],
    ['JaVaScRiPt://x.test/%0aalert(1)', undefined],
    ['data:text/html,<script>', undefined],
    ['mailto:a@x.test', undefined],
    ['just words', undefined],
    ['', undefined],
  ])('%s', (address, expected) => {
    expect(hrefOf(address)).toBe(expected);
  });

  it('makes text of HTML that could run', () => {
    expect(plainOf('<p>a<script>alert(1)</script><img src=x onerror=alert(1)>b</p>')).toBe('ab');
    expect(plainOf('&#x3c;b&#62; &unknown; 1 < 2')).toBe('<b> &unknown; 1 < 2');
  });
});

describe('what is typed', () => {
  it.each<[Field['type'], string, '.' | ',', unknown]>([
    ['NUMBER', '1,234.5', '.', { value: 1234.5 }],
    ['NUMBER', '1.234,5', ',', { value: 1234.5 }],
    ['DECIMAL', '0,5', ',', { value: 0.5 }],
    ['PERCENT', '7.5 %', '.', { value: 7.5 }],
    ['INTEGER', '12.5', '.', { problem: 'whole' }],
    ['INTEGER', 'many', '.', { problem: 'number' }],
    ['NUMBER', '  ', '.', { value: null }],
    ['DATE', 'fri', '.', { value: '2026-11-20' }],
    ['DATE', 'someday', '.', { problem: 'date' }],
    ['DURATION', '1:30', '.', { value: 5400 }],
    ['DURATION', 'long', '.', { problem: 'duration' }],
    ['EMAIL', 'a@x.test', '.', { value: 'a@x.test' }],
    ['EMAIL', 'a', '.', { problem: 'email' }],
    ['URL', 'javascript:alert(1)', '.', { problem: 'url' }],
    ['TEXT', ' as typed ', '.', { value: ' as typed ' }],
  ])('%s %s', (type, said, decimal, expected) => {
    expect(typed({ type }, said, decimal, now)).toEqual(expected);
  });
});

describe('locks', () => {
  const permission = {
    view: 'all',
    create: true,
    update: 'all',
    delete: 'all',
    fields: { f: 'write', g: 'read' },
  } as const;
  it('says why a field cannot be changed', () => {
    expect(lockOf(field('TEXT'), permission)).toBeUndefined();
    expect(lockOf(field('TEXT', { name: 'g' }), permission)).toBe('mayRead');
    expect(lockOf(field('TEXT'), { ...permission, update: 'none' })).toBe('mayRead');
    expect(lockOf(field('CALCULATED', { isReadonly: true }), permission)).toBe('computed');
    expect(lockOf(field('DATETIME', { isReadonly: true }), permission)).toBe('keptByService');
  });
});
