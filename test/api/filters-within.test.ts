/** Filters on what lies within a value: `address.city`, `annual_revenue.currency`, `emails.label`. Additions to the specification's. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { createAll, expectError } from './records.ts';
import { addObject, addRole } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await addObject(kith, organization, 'places', {
    name: 'TEXT',
    address: 'ADDRESS',
    price: 'CURRENCY',
    stay: 'DATE_RANGE',
    emails: 'EMAILS',
    phones: 'PHONES',
  });
  await createAll(admin, 'places', [
    {
      name: 'A',
      address: { street: '1 Main St', city: 'Springfield', country: 'US' },
      price: { amount: 1, currency: 'USD' },
      stay: { start: '2026-01-01', end: '2026-01-31' },
      emails: [
        { email: 'a@work.example', label: 'work', is_primary: true },
        { email: 'a@home.example', label: 'home' },
      ],
    },
    {
      name: 'B',
      address: { city: 'Berlin', country: 'DE' },
      price: { amount: 2, currency: 'EUR' },
      stay: { start: '2026-01-15', end: '2026-03-01' },
      emails: [{ email: 'b@work.example', label: 'work' }],
      phones: [{ phone: '+49 30 1', label: 'mobile' }],
    },
    { name: 'C' },
  ]);
});
afterAll(() => kith.stop());

async function names(field: string, operator: string, value?: unknown, client = admin) {
  const filters = JSON.stringify({ type: 'AND', conditions: [{ field, operator, value }] });
  const reply = await client.get('/records/places', { filters, sort_by: 'name', sort_dir: 'asc' });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.map(({ name }: { name: string }) => name).join('');
}

it.each<readonly [field: string, operator: string, value: unknown, expected: string]>([
  ['address.city', 'equals', 'Berlin', 'B'],
  ['address.city', 'contains', 'spring', 'A'],
  ['address.city', 'not_equals', 'Berlin', 'AC'],
  ['address.country', 'in', ['US', 'DE'], 'AB'],
  ['address.street', 'is_null', undefined, 'BC'],
  ['price.currency', 'equals', 'EUR', 'B'],
  ['price.currency', 'is_null', undefined, 'C'],
  ['stay.end', 'greater_than', '2026-02-01', 'B'],
  ['stay.start', 'equals', '2026-01-01', 'A'],
  ['emails.label', 'equals', 'home', 'A'],
  ['emails.label', 'equals', 'work', 'AB'],
  ['emails.label', 'not_equals', 'home', 'BC'],
  ['emails.email', 'ends_with', '@home.example', 'A'],
  ['phones.label', 'equals', 'mobile', 'B'],
  ['phones.phone', 'is_not_null', undefined, 'B'],
])('%s %s %j', async (field, operator, value, expected) => {
  expect(await names(field, operator, value)).toBe(expected);
});

it('what is one value sorts and groups, too', async () => {
  const sort = JSON.stringify([{ field: 'address.city', direction: 'asc' }]);
  const sorted = await admin.get('/records/places', { sort });
  expect(sorted.json.data.map(({ name }: { name: string }) => name)).toEqual(['B', 'A', 'C']);
  const groups = await admin.get('/aggregate/places', { group_by: 'address.country', function: 'SUM', field: 'price' });
  expect(groups.json.results).toEqual([
    { group: 'DE', value: 2 },
    { group: 'US', value: 1 },
    { group: null, value: null },
  ]);
  const counted = await admin.get('/aggregate/places', { field: 'address.city', function: 'COUNT_DISTINCT' });
  expect(counted.json.value).toBe(2);
});

it('a name that is not there is told with those that are', async () => {
  const filters = (field: string) => ({ filters: JSON.stringify({ field, operator: 'equals', value: 'x' }) });
  const unknown = await admin.get('/records/places', filters('address.town'));
  expectError(unknown, 'INVALID_FIELD');
  expect(unknown.json.available_values).toContain('address.city');
  const set = await admin.get('/records/places', filters('emails.kind'));
  expectError(set, 'INVALID_FIELD');
  expect(set.json.available_values).toEqual(['emails.email', 'emails.label']);
  expectError(await admin.get('/records/places', filters('name.x')), 'INVALID_FIELD');
  expectError(await admin.get('/records/places', { sort_by: 'emails.label' }), 'INVALID_FIELD');
});

it.each(['__proto__', 'constructor', 'toString'])('%s is no part of a value', async (name) => {
  for (const field of ['address', 'price', 'stay', 'emails']) {
    const path = `${field}.${name}`;
    for (const query of [
      { filter_field: path, filter_operator: 'equals', filter_value: 'x' },
      { sort_by: path },
      { group_by: path },
    ])
      expectError(await admin.get('/records/places', query), 'INVALID_FIELD');
    expectError(await admin.get('/aggregate/places', { group_by: path }), 'INVALID_FIELD');
  }
});

it('roles have it in their rules, and what they hide is not there', async () => {
  const view = { type: 'AND' as const, conditions: [{ field: 'address.country', operator: 'equals', value: 'DE' }] };
  await addRole(kith, organization, 'German', { places: { view, fields: { emails: 'none' } } });
  const german = await organization.user('German');
  expect(await names('name', 'is_not_null', undefined, german)).toBe('B');
  const ofEmails = (field: string) =>
    german.get('/records/places', { filters: JSON.stringify({ field, operator: 'equals', value: 'work' }) });
  const hidden = await ofEmails('emails.label');
  expectError(hidden, 'INVALID_FIELD');
  expect(hidden.text.replaceAll('emails', 'nothing')).toBe((await ofEmails('nothing.label')).text);
});
