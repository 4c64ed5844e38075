/** [spec: FilterGroup and FilterCondition] Every operator through REST, the simple filter, nesting, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operatorNames } from '../../src/fields/operators/operator.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { createAll, expectError, list, type Query } from './records.ts';

let kith: TestKith;
let admin: Client;
/** By the letter that scenarios know them by. */
const ids: Record<string, string> = {};

const people: Record<string, object> = {
  a: {
    first_name: 'Ada',
    last_name: 'Lovelace',
    job_title: 'CTO',
    birthday: '1815-12-10',
    emails: ['ada@x.test', 'al@y.test'],
    tags: ['vip', 'press'],
    do_not_contact: true,
  },
  b: {
    first_name: 'ADA',
    last_name: 'Byron, Lady',
    job_title: '',
    birthday: '1792-05-17',
    emails: ['Bee@x.test'],
    phones: ['+49 30 1'],
    tags: ['press'],
  },
  c: {
    first_name: 'Élodie',
    last_name: '100%_sure',
    job_title: 'cto',
    birthday: '1815-12-11',
    tags: [],
    do_not_contact: null,
  },
  d: { last_name: 'back\\slash', job_title: 'C_O', birthday: null, address: { city: 'Ulm', country: 'DE' } },
  e: {},
};
const firms: Record<string, object> = {
  f: { name: 'Acme', industry: 'software', employees: 10, annual_revenue: { amount: 1000.5, currency: 'EUR' } },
  g: { name: 'Beta', industry: 'banking', employees: 200, annual_revenue: { amount: 1000.5, currency: 'USD' } },
  h: { name: 'gamma', employees: -3, description: 'Line one\nline two' },
};

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization());
  const made = await createAll(admin, 'companies', Object.values(firms));
  Object.keys(firms).forEach((letter, at) => (ids[letter] = made[at].id));
  const contacts = await createAll(
    admin,
    'contacts',
    Object.entries(people).map(([letter, values]) =>
      letter < 'c' ? { ...values, company_id: letter === 'a' ? ids['f'] : ids['g'] } : values,
    ),
  );
  Object.keys(people).forEach((letter, at) => (ids[letter] = contacts[at].id));
  const deals = await createAll(admin, 'opportunities', [
    { name: 'One', contacts: [ids['a'], ids['b']] },
    { name: 'Two', contacts: [ids['b']] },
    { name: 'Three', probability: 50 },
  ]);
  'xyz'.split('').forEach((letter, at) => (ids[letter] = deals[at].id));
});
afterAll(() => kith.stop());

/** The letters of the records that a list gives. */
async function found(object: string, query: Query): Promise<string> {
  const letters = Object.entries(ids);
  return (await list(admin, object, query))
    .map((record): string => letters.find(([, id]) => id === record.id)?.[0] ?? '?')
    .toSorted()
    .join('');
}

const condition = (field: string, operator: string, value?: unknown) => ({
  field,
  operator,
  ...(value !== undefined && { value }),
});

type Scenario = [
  object: 'contacts' | 'companies' | 'opportunities',
  field: string,
  operator: string,
  value: unknown,
  letters: string,
];

/** A value that starts with `$` and a letter stands for that record's id. */
const scenarios: Scenario[] = [
  ['contacts', 'first_name', 'equals', 'Ada', 'a'],
  ['contacts', 'first_name', 'equals', 'ada', ''],
  ['contacts', 'first_name', 'not_equals', 'Ada', 'bcde'],
  ['contacts', 'first_name', 'contains', 'da', 'ab'],
  ['contacts', 'first_name', 'contains', 'éL', 'c'],
  ['contacts', 'last_name', 'contains', '%_', 'c'],
  ['contacts', 'last_name', 'contains', '\\', 'd'],
  ['contacts', 'last_name', 'contains', '_', 'c'],
  ['contacts', 'first_name', 'starts_with', 'AD', 'b'],
  ['contacts', 'last_name', 'starts_with', '100%', 'c'],
  ['contacts', 'last_name', 'starts_with', '1%', ''],
  ['contacts', 'last_name', 'ends_with', 'lace', 'a'],
  ['contacts', 'last_name', 'ends_with', 'LACE', ''],
  ['contacts', 'job_title', 'ilike', 'c_o', 'acd'],
  ['contacts', 'job_title', 'ilike', 'c\\_o', 'd'],
  ['contacts', 'last_name', 'ilike', '%LOVE%', 'a'],
  ['contacts', 'last_name', 'ilike', 'love', ''],
  ['contacts', 'first_name', 'in', 'Ada,Élodie', 'ac'],
  ['contacts', 'last_name', 'in', '"Byron, Lady",Lovelace', 'ab'],
  ['contacts', 'last_name', 'in', ['Byron, Lady'], 'b'],
  ['contacts', 'first_name', 'not_in', 'Ada,ADA', 'cde'],
  ['contacts', 'job_title', 'is_null', undefined, 'e'],
  ['contacts', 'job_title', 'is_not_null', undefined, 'abcd'],
  ['contacts', 'job_title', 'is_empty', undefined, 'be'],
  ['contacts', 'job_title', 'is_not_empty', undefined, 'acd'],
  ['contacts', 'last_name', 'greater_than', 'byron, lady', 'a'],
  ['contacts', 'last_name', 'less_equal', 'Byron, Lady', 'bcd'],
  ['contacts', 'full_name', 'equals', 'Ada Lovelace', 'a'],
  ['contacts', 'full_name', 'contains', 'ada', 'ab'],
  ['contacts', 'address', 'contains', 'ulm', 'd'],
  ['contacts', 'address', 'is_null', undefined, 'abce'],
  ['contacts', 'emails', 'equals', 'al@y.test', 'a'],
  ['contacts', 'emails', 'not_equals', 'al@y.test', 'bcde'],
  ['contacts', 'emails', 'in', 'al@y.test,Bee@x.test', 'ab'],
  ['contacts', 'emails', 'in', ['al@y.test', ...Array.from({ length: 150 }, (_, at) => `no${at}@x.test`)], 'a'],
  ['contacts', 'emails', 'not_in', ['al@y.test', ...Array.from({ length: 150 }, (_, at) => `no${at}@x.test`)], 'bcde'],
  ['contacts', 'emails', 'contains', '@X.', 'ab'],
  ['contacts', 'emails', 'starts_with', 'al', 'a'],
  ['contacts', 'emails', 'ends_with', 'x.test', 'ab'],
  ['contacts', 'emails', 'is_null', undefined, 'cde'],
  ['contacts', 'emails', 'is_empty', undefined, 'cde'],
  ['contacts', 'phones', 'is_not_null', undefined, 'b'],
  ['contacts', 'phones', 'contains', '30', 'b'],
  ['contacts', 'tags', 'equals', 'press', 'ab'],
  ['contacts', 'tags', 'not_equals', 'press', 'cde'],
  ['contacts', 'tags', 'in', 'vip,other', 'a'],
  ['contacts', 'tags', 'contains', 'RESS', 'ab'],
  ['contacts', 'tags', 'is_empty', undefined, 'cde'],
  ['contacts', 'do_not_contact', 'is_true', undefined, 'a'],
  ['contacts', 'do_not_contact', 'is_false', undefined, 'bde'],
  ['contacts', 'do_not_contact', 'equals', true, 'a'],
  ['contacts', 'do_not_contact', 'equals', 'false', 'bde'],
  ['contacts', 'do_not_contact', 'is_null', undefined, 'c'],
  ['contacts', 'birthday', 'equals', '1815-12-10', 'a'],
  ['contacts', 'birthday', 'greater_equal', '1815-12-10', 'ac'],
  ['contacts', 'birthday', 'less_than', '1815-12-10', 'b'],
  ['contacts', 'birthday', 'between', '1792-05-17,1815-12-10', 'ab'],
  ['contacts', 'birthday', 'date_equals', '1815-12-11', 'c'],
  ['contacts', 'birthday', 'date_before', '1815-12-11', 'ab'],
  ['contacts', 'birthday', 'date_after', '1815-12-10', 'c'],
  ['contacts', 'birthday', 'date_between', '1815-12-10,1815-12-11', 'ac'],
  ['contacts', 'birthday', 'date_today', undefined, ''],
  ['contacts', 'birthday', 'is_null', undefined, 'de'],
  ['contacts', 'company_id', 'equals', '$f', 'a'],
  ['contacts', 'company_id', 'not_equals', '$f', 'bcde'],
  ['contacts', 'company_id', 'in', '$f,$g', 'ab'],
  ['contacts', 'company_id', 'is_null', undefined, 'cde'],
  ['contacts', 'company_id.industry', 'equals', 'banking', 'b'],
  ['contacts', 'company_id.name', 'contains', 'CM', 'a'],
  ['contacts', 'company_id.employees', 'greater_than', 5, 'ab'],
  ['contacts', 'id', 'in', '$c,$d', 'cd'],
  ['contacts', 'created_at', 'date_today', undefined, 'abcde'],
  ['contacts', 'created_at', 'date_this_week', undefined, 'abcde'],
  ['contacts', 'created_at', 'date_this_month', undefined, 'abcde'],
  ['contacts', 'created_at', 'less_than', '2020-01-01', ''],
  ['companies', 'industry', 'equals', 'software', 'f'],
  ['companies', 'industry', 'equals', 'Software', 'f'],
  ['companies', 'industry', 'not_equals', 'software', 'gh'],
  ['companies', 'industry', 'in', 'software,banking', 'fg'],
  ['companies', 'industry', 'not_in', 'software,banking', 'h'],
  ['companies', 'industry', 'is_null', undefined, 'h'],
  ['companies', 'employees', 'equals', 10, 'f'],
  ['companies', 'employees', 'equals', '10.0', 'f'],
  ['companies', 'employees', 'not_equals', 10, 'gh'],
  ['companies', 'employees', 'greater_than', 10, 'g'],
  ['companies', 'employees', 'greater_equal', '10', 'fg'],
  ['companies', 'employees', 'less_than', 10, 'h'],
  ['companies', 'employees', 'less_equal', 10, 'fh'],
  ['companies', 'employees', 'between', '-3,10', 'fh'],
  ['companies', 'employees', 'between', [10, 200], 'fg'],
  ['companies', 'employees', 'in', '10,200,7', 'fg'],
  ['companies', 'annual_revenue', 'equals', 1000.5, 'fg'],
  ['companies', 'annual_revenue', 'greater_than', '1000.49', 'fg'],
  ['companies', 'annual_revenue', 'is_null', undefined, 'h'],
  ['companies', 'description', 'contains', 'ONE\nline', 'h'],
  ['opportunities', 'contacts', 'equals', '$b', 'xy'],
  ['opportunities', 'contacts', 'not_equals', '$a', 'yz'],
  ['opportunities', 'contacts', 'in', '$a,$c', 'x'],
  ['opportunities', 'contacts', 'is_null', undefined, 'z'],
  ['opportunities', 'contacts', 'is_not_empty', undefined, 'xy'],
  ['opportunities', 'probability', 'equals', 50, 'z'],
  ['opportunities', 'pipeline', 'is_not_null', undefined, 'xyz'],
];

const withIds = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/\$([a-z])\b/g, (_, letter: string) => ids[letter] ?? '') : value;

describe('operators', () => {
  it.each(scenarios)('FF-03: %s: %s %s %j finds %s', async (object, field, operator, value, letters) => {
    const wanted = withIds(value);
    expect(await found(object, { filters: condition(field, operator, wanted) })).toBe(letters);
    expect(await found(object, { filter_field: field, filter_operator: operator, filter_value: wanted })).toBe(letters);
  });

  it('FF-03: the table above has every operator', () => {
    expect(operatorNames.filter((name) => !scenarios.some(([, , operator]) => operator === name))).toEqual([]);
    expect(operatorNames).toHaveLength(26);
  });

  it('FF-04: a value beside an operator that takes none is of no account', async () => {
    expect(await found('contacts', { filters: condition('job_title', 'is_null', 'whatever') })).toBe('e');
    expect(await found('contacts', { filter_field: 'job_title', filter_operator: 'is_null', filter_value: '' })).toBe(
      'e',
    );
  });
});

it('FF-03: a part of a text is no longer than a text', async () => {
  for (const operator of ['contains', 'ilike', 'starts_with', 'ends_with']) {
    const filters = condition('first_name', operator, 'ab'.repeat(5_001));
    const change = { action: 'delete', object_name: 'contacts', filters, expected_count: 0 };
    const { json } = await admin.post('/bulk?dry_run=true', change);
    expect([json.code, json.message]).toEqual([
      'VALIDATION_ERROR',
      expect.stringContaining('at most 10,000 characters'),
    ]);
  }
});

describe('groups', () => {
  const ada = condition('first_name', 'equals', 'Ada');
  const vip = condition('tags', 'equals', 'vip');
  const press = condition('tags', 'equals', 'press');
  const noJob = condition('job_title', 'is_null');

  it.each<[string, object, string]>([
    ['AND', { type: 'AND', conditions: [ada, press] }, 'a'],
    ['OR', { type: 'OR', conditions: [vip, noJob] }, 'ae'],
    ['AND of nothing is true', { type: 'AND', conditions: [] }, 'abcde'],
    ['OR of nothing is false', { type: 'OR', conditions: [] }, ''],
    ['OR in AND', { type: 'AND', conditions: [press, { type: 'OR', conditions: [ada, noJob] }] }, 'a'],
    [
      'AND in OR in AND',
      { type: 'AND', conditions: [{ type: 'OR', conditions: [noJob, { type: 'AND', conditions: [press, vip] }] }] },
      'ae',
    ],
    ['groups without conditions within others', { type: 'OR', conditions: [ada, { type: 'OR', conditions: [] }] }, 'a'],
  ])('FF-01: %s', async (_name, filters, letters) => {
    expect(await found('contacts', { filters })).toBe(letters);
  });

  it('FF-01: groups nest 20 deep, no deeper', async () => {
    const nested = (depth: number): object =>
      depth === 1 ? { type: 'AND', conditions: [ada] } : { type: 'OR', conditions: [nested(depth - 1)] };
    expect(await found('contacts', { filters: nested(20) })).toBe('a');
    expectError(await admin.get('/records/contacts', { filters: nested(21) }), 'VALIDATION_ERROR');
  });

  it('RECO2-13: with filters the simple filter is ignored, be it as wrong as it may, and a warning says so', async () => {
    const simple = { filter_field: 'nothing', filter_operator: 'equals', filter_value: 'x' };
    expect(await found('contacts', { filters: ada, ...simple })).toBe('a');
    const warningOf = async (query: Query) => (await admin.get('/records/contacts', query)).headers.get('warning');
    expect(await warningOf({ filters: ada, ...simple })).toBe(
      '299 - "filter_field, filter_operator, filter_value beside filters: ignored; put the condition into filters"',
    );
    expect(await warningOf({ filters: ada })).toBeNull();
    expect(await warningOf({ ...simple, filter_field: 'first_name' })).toBeNull();
  });

  it('RECO2-17: filters and search are combined', async () => {
    expect(await found('contacts', { filters: press, search: 'lovelace' })).toBe('a');
    expect(await found('contacts', { filters: vip, search: 'byron' })).toBe('');
  });
});

describe('refused', () => {
  const refused: [name: string, query: Query, code: string, available: string[]][] = [
    ['filters that are not JSON', { filters: '{"type":' }, 'VALIDATION_ERROR', []],
    ['filters that are a text', { filters: '"x"' }, 'VALIDATION_ERROR', []],
    ['filters that are empty', { filters: '' }, 'VALIDATION_ERROR', []],
    ['a group of another type', { filters: { type: 'NOT', conditions: [] } }, 'VALIDATION_ERROR', ['AND', 'OR']],
    ['a group without conditions', { filters: { type: 'AND' } }, 'VALIDATION_ERROR', []],
    [
      'a group with another key',
      { filters: { type: 'AND', conditions: [], negate: true } },
      'VALIDATION_ERROR',
      ['type', 'conditions'],
    ],
    ['a condition without an operator', { filters: { field: 'id' } }, 'VALIDATION_ERROR', ['equals']],
    ['a condition without a value', { filters: condition('first_name', 'equals') }, 'VALIDATION_ERROR', []],
    ['a value that is an object', { filters: condition('first_name', 'equals', {}) }, 'VALIDATION_ERROR', []],
    ['equals null', { filters: condition('first_name', 'equals', null) }, 'VALIDATION_ERROR', []],
    ['an unknown operator', { filters: condition('first_name', 'like', 'x') }, 'VALIDATION_ERROR', ['ilike']],
    [
      'an operator that the field has not',
      { filters: condition('birthday', 'contains', '1815') },
      'VALIDATION_ERROR',
      ['date_equals'],
    ],
    ['is_true of a text', { filters: condition('first_name', 'is_true') }, 'VALIDATION_ERROR', ['contains']],
    ['an unknown field', { filters: condition('nothing', 'equals', 1) }, 'INVALID_FIELD', ['first_name', 'company_id']],
    [
      'an unknown field behind a relation',
      { filters: condition('company_id.nothing', 'equals', 1) },
      'INVALID_FIELD',
      ['industry'],
    ],
    [
      'a way through what is no relation',
      { filters: condition('first_name.x', 'equals', 1) },
      'INVALID_FIELD',
      ['first_name'],
    ],
    ['a system column', { filters: condition('deleted_at', 'is_null') }, 'INVALID_FIELD', ['first_name']],
    ['an unknown option', { filters: condition('tags', 'equals', 'vipp') }, 'VALIDATION_ERROR', ['vip']],
    ['a number that is none', { filters: condition('company_id.employees', 'equals', 'ten') }, 'VALIDATION_ERROR', []],
    ['an id that is none', { filters: condition('company_id', 'equals', 'Acme') }, 'VALIDATION_ERROR', []],
    ['a day that is none', { filters: condition('birthday', 'date_equals', '2023-02-30') }, 'VALIDATION_ERROR', []],
    [
      'null, with which nothing is compared',
      { filters: condition('birthday', 'equals', null) },
      'VALIDATION_ERROR',
      [],
    ],
    ['between one value', { filters: condition('birthday', 'between', '2023-01-01') }, 'VALIDATION_ERROR', []],
    [
      'between three values',
      { filters: condition('birthday', 'date_between', '2023-01-01,2023-01-02,2023-01-03') },
      'VALIDATION_ERROR',
      [],
    ],
    [
      '501 conditions',
      { filters: { type: 'OR', conditions: Array.from({ length: 501 }, () => condition('id', 'is_null')) } },
      'VALIDATION_ERROR',
      [],
    ],
    [
      'a simple filter without an operator',
      { filter_field: 'first_name', filter_value: 'x' },
      'MISSING_REQUIRED_FIELD',
      [],
    ],
    ['a simple filter without a field', { filter_operator: 'equals', filter_value: 'x' }, 'MISSING_REQUIRED_FIELD', []],
    [
      'a simple filter without a value',
      { filter_field: 'first_name', filter_operator: 'equals' },
      'MISSING_REQUIRED_FIELD',
      [],
    ],
  ];
  it.each(refused)('%s', async (_name, query, code, available) => {
    const reply = await admin.get('/records/contacts', query);
    expectError(reply, code);
    expect(reply.json.available_values ?? []).toEqual(expect.arrayContaining(available));
  });

  it('the place of a mistake is named', async () => {
    const filters = {
      type: 'AND',
      conditions: [condition('id', 'is_null'), { type: 'OR', conditions: [{ field: 'id', operator: 'equal' }] }],
    };
    const reply = await admin.get('/records/contacts', { filters });
    expect(reply.json.message).toContain('conditions[1].conditions[0]');
    expect(reply.json.message).toContain('equals');
  });
});
