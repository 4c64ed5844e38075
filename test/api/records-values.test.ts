/** [contract: Values over the wire] Each type: what is taken, how it comes back from create, get and list, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { create, expectError, fieldsIn } from './records.ts';

let kith: TestKith;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization({ currency: 'CHF', timezone: 'Europe/Berlin' }));
});
afterAll(() => kith.stop());

const address = {
  street: null,
  street2: null,
  city: null,
  state: null,
  postal_code: null,
  country: null,
  formatted: null,
};
const email = (text: string, label = 'work', is_primary = false) => ({ email: text, label, is_primary });
const phone = (text: string, label = 'work', is_primary = false) => ({ phone: text, label, is_primary });

type Scenario = [
  name: string,
  object: 'contacts' | 'companies' | 'opportunities',
  field: string,
  written: unknown,
  read: unknown,
];

const taken: Scenario[] = [
  ['TEXT', 'contacts', 'first_name', 'Ada', 'Ada'],
  ['TEXT in any script', 'contacts', 'first_name', 'Ünïçødé 😀 日本 \u202e', 'Ünïçødé 😀 日本 \u202e'],
  ['LONG_TEXT with line ends', 'companies', 'description', 'a\r\nb\tc "quoted" \\ back', 'a\r\nb\tc "quoted" \\ back'],
  ['URL', 'companies', 'domain', 'https://kith.test/a?b=c#d', 'https://kith.test/a?b=c#d'],
  ['a bare domain', 'companies', 'domain', 'kith.test', 'kith.test'],
  ['INTEGER', 'companies', 'employees', 42, 42],
  ['INTEGER beyond what a float holds exactly', 'companies', 'employees', 9007199254740991, 9007199254740991],
  ['INTEGER below zero', 'companies', 'employees', -1, -1],
  ['PERCENT', 'opportunities', 'probability', 12.5, 12.5],
  ['CURRENCY', 'opportunities', 'amount', { amount: 1200.5, currency: 'EUR' }, { amount: 1200.5, currency: 'EUR' }],
  [
    "CURRENCY as a number takes the organization's currency",
    'opportunities',
    'amount',
    99,
    { amount: 99, currency: 'CHF' },
  ],
  [
    "CURRENCY without a code takes the organization's currency",
    'opportunities',
    'amount',
    { amount: 7 },
    { amount: 7, currency: 'CHF' },
  ],
  ['CURRENCY null', 'opportunities', 'amount', null, null],
  ['DATE', 'contacts', 'birthday', '1815-12-10', '1815-12-10'],
  ['DATE on a leap day', 'contacts', 'birthday', '2024-02-29', '2024-02-29'],
  ['BOOLEAN', 'contacts', 'do_not_contact', true, true],
  ['SELECT by value', 'companies', 'industry', 'software', 'software'],
  ['SELECT by label', 'companies', 'industry', 'Health care', 'healthcare'],
  ['MULTI_SELECT', 'contacts', 'tags', ['vip', 'partner'], ['vip', 'partner']],
  [
    'MULTI_SELECT by label, each once',
    'contacts',
    'tags',
    ['Former customer', 'former_customer', 'VIP'],
    ['former_customer', 'vip'],
  ],
  ['MULTI_SELECT empty', 'contacts', 'tags', [], []],
  ['MULTI_SELECT null', 'contacts', 'tags', null, []],
  ['EMAILS as a text', 'contacts', 'emails', 'a@x.test', [email('a@x.test', 'work', true)]],
  [
    'EMAILS as texts, the first is primary',
    'contacts',
    'emails',
    ['a@x.test', 'b@x.test'],
    [email('a@x.test', 'work', true), email('b@x.test')],
  ],
  [
    'RECO-08: EMAILS, another than the first is primary',
    'contacts',
    'emails',
    [
      { email: 'a@x.test', label: 'home' },
      { email: 'b@x.test', is_primary: true },
    ],
    [email('a@x.test', 'home'), email('b@x.test', 'work', true)],
  ],
  ['EMAILS of none', 'contacts', 'emails', [], []],
  ['EMAILS null', 'contacts', 'emails', null, []],
  ['PHONES as a text', 'companies', 'phones', '+49 30 123', [phone('+49 30 123', 'work', true)]],
  [
    'RECO-09: PHONES with labels',
    'contacts',
    'phones',
    [{ phone: '1 23', label: 'mobile' }, '4 56'],
    [phone('1 23', 'mobile', true), phone('4 56')],
  ],
  [
    'ADDRESS, formatted is computed',
    'contacts',
    'address',
    { street: 'Main St 1', city: 'Springfield', state: 'IL', postal_code: '62701', country: 'US' },
    {
      ...address,
      street: 'Main St 1',
      city: 'Springfield',
      state: 'IL',
      postal_code: '62701',
      country: 'US',
      formatted: 'Main St 1, Springfield, IL 62701, US',
    },
  ],
  [
    'ADDRESS with its own formatted',
    'contacts',
    'address',
    { city: 'Ulm', formatted: 'Ulm!' },
    { ...address, city: 'Ulm', formatted: 'Ulm!' },
  ],
  ['ADDRESS as a text', 'contacts', 'address', 'Somewhere 5', { ...address, formatted: 'Somewhere 5' }],
  ['ADDRESS of nothing', 'contacts', 'address', { city: '' }, null],
];

const withName = (object: string, values: object) => (object === 'contacts' ? values : { name: 'Values', ...values });

describe('taken', () => {
  it.each(taken)('%s', async (_name, object, field, written, read) => {
    const record = await create(admin, object, withName(object, { [field]: written }));
    expect(record[field]).toEqual(read);
    expect((await admin.get(`/records/${object}/${record.id}`)).json.record).toEqual(record);
    expect((await admin.get(`/records/${object}`, { limit: 1 })).json.data).toEqual([record]);
    const { id } = await create(admin, object, withName(object, {}));
    expect((await admin.put(`/records/${object}/${id}`, { [field]: written })).json.record[field]).toEqual(read);
  });
});

const deep = 'x'.repeat(1_000_001);
const refused: [name: string, object: Scenario[1], field: string, written: unknown][] = [
  ['TEXT that is a number', 'contacts', 'first_name', 5],
  ['TEXT that is an object', 'contacts', 'first_name', { a: 1 }],
  ['TEXT that is too long', 'contacts', 'first_name', deep],
  ['INTEGER with a fraction', 'companies', 'employees', 1.5],
  ['INTEGER that is a word', 'companies', 'employees', 'many'],
  ['INTEGER beyond bigint', 'companies', 'employees', 1e30],
  ['PERCENT that is a boolean', 'opportunities', 'probability', true],
  ['CURRENCY with an unknown code', 'opportunities', 'amount', { amount: 1, currency: 'XXY' }],
  ['CURRENCY without an amount', 'opportunities', 'amount', { currency: 'EUR' }],
  ['CURRENCY with another key', 'opportunities', 'amount', { amount: 1, curency: 'EUR' }],
  ['DATE that does not exist', 'contacts', 'birthday', '2023-02-29'],
  ['DATE in words', 'contacts', 'birthday', 'yesterday'],
  ['DATE of month 13', 'contacts', 'birthday', '2023-13-01'],
  ['BOOLEAN that is a word', 'contacts', 'do_not_contact', 'maybe'],
  ['SELECT of another option', 'companies', 'industry', 'alchemy'],
  ['SELECT that is a list', 'companies', 'industry', ['software']],
  ['MULTI_SELECT that is a text', 'contacts', 'tags', 'vip'],
  ['MULTI_SELECT of another option', 'contacts', 'tags', ['vip', 'nobody']],
  ['EMAILS that are none', 'contacts', 'emails', ['no address']],
  ['EMAILS with two primaries', 'contacts', 'emails', [email('a@x.test', 'a', true), email('b@x.test', 'b', true)]],
  ['EMAILS with one twice', 'contacts', 'emails', ['a@x.test', 'A@x.test']],
  ['PHONES that are numbers', 'contacts', 'phones', [5]],
  ['ADDRESS with another key', 'contacts', 'address', { town: 'Ulm' }],
  ['RELATION that is no id', 'contacts', 'company_id', 'Acme'],
  ['USERS that is a number', 'contacts', 'owner', 7],
  ['MANY_TO_MANY that is a text', 'opportunities', 'contacts', 'Ada'],
  [
    'MANY_TO_MANY with an unknown junction field',
    'opportunities',
    'contacts',
    [{ id: '01890000-0000-7000-8000-000000000000', rle: 1 }],
  ],
];

describe('refused', () => {
  it.each(refused)('%s', async (_name, object, field, written) => {
    const reply = await admin.post(`/records/${object}`, withName(object, { [field]: written }));
    expectError(reply, 'VALIDATION_ERROR');
    expect(fieldsIn(reply)).toEqual([field]);
  });
});

describe('digits', () => {
  it('every digit of a number goes through, also beyond what a float holds', async () => {
    const digits = '12345678901234567890.123456789012345678';
    const body = `{"name":"Digits","amount":{"amount":${digits},"currency":"EUR"},"probability":${digits}}`;
    const made = await admin.send('/api/v1/records/opportunities', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(made.text).toContain(`"amount":{"amount":${digits},"currency":"EUR"}`);
    expect(made.text).toContain(`"probability":${digits}`);
    const read = await admin.get(`/records/opportunities/${made.json.id}`);
    expect(read.text).toContain(`"probability":${digits}`);
    const query = { filter_field: 'probability', filter_operator: 'equals', filter_value: digits };
    expect((await admin.get('/records/opportunities', query)).json.total).toBe(1);
  });
});

describe('replacement', () => {
  it('a write to EMAILS, PHONES and MULTI_SELECT replaces the whole set', async () => {
    const { id } = await create(admin, 'contacts', {
      emails: ['a@x.test', 'b@x.test'],
      phones: ['1', '2'],
      tags: ['vip', 'press'],
    });
    const { record } = (await admin.put(`/records/contacts/${id}`, { emails: 'c@x.test', phones: [], tags: ['other'] }))
      .json;
    expect(record).toMatchObject({ emails: [email('c@x.test', 'work', true)], phones: [], tags: ['other'] });
  });
});
