/** [decisions: Reading, Writing] Hostile names: a clear refusal or a faithful answer, never a failure of ours, and nothing half-written. */
import { describe, expect, it } from 'vitest';
import { all, condition, expectAnswer, expectRefusal, hostileNames, json, naughtyStrings } from '../support/hostile.ts';
import type { Reply } from '../support/kith.ts';
import { contact, expectNothingWritten, useHostileStage } from './hostile-stage.ts';
import { admin } from './stage.ts';

const deep = process.env['KITH_DEEP'] === '1';
const naughty = naughtyStrings();
/** All of the naughty ones take minutes in all places: each place has its share. */
const namesAt = (place: number) => [
  ...hostileNames,
  ...(naughty ?? []).filter((_, index) => deep || index % 24 === place % 24),
];
const pathOf = (name: string) => encodeURIComponent(name).replaceAll(/^\.+$/g, (dots) => dots.replaceAll('.', '%2E'));

useHostileStage();

describe('names from outside', () => {
  it('come from the list of naughty strings, too', ({ skip }) => {
    if (naughty === undefined) skip('there is no shared/data/strings/blns.json');
    expect(naughty?.length).toBeGreaterThan(500);
  });

  const places: Record<string, (name: string) => Promise<Reply>> = {
    'object of a list': (name) => admin.get(`/records/${pathOf(name)}`),
    'object of a create': (name) => admin.post(`/records/${pathOf(name)}`, { name: 'x' }),
    'object of an import': (name) => admin.post(`/import/${pathOf(name)}`, { records: [{ name: 'x' }] }),
    'object of an export': (name) => admin.get(`/export/${pathOf(name)}`),
    'object of the schema': (name) => admin.get(`/schema/${pathOf(name)}`),
    'id of a get': (name) => admin.get(`/records/contacts/${pathOf(name)}`),
    'id of an update': (name) => admin.put(`/records/contacts/${pathOf(name)}`, { first_name: 'x' }),
    'id of a delete': (name) => admin.delete(`/records/contacts/${pathOf(name)}`),
    'id of a restore': (name) => admin.post(`/records/contacts/${pathOf(name)}/restore`),
    'key of a create': (name) =>
      admin.send('/api/v1/records/contacts', json('POST', `{"first_name":"x",${JSON.stringify(name)}:"y"}`)),
    'key of an update': (name) =>
      admin.send(`/api/v1/records/contacts/${contact}`, json('PUT', `{"first_name":"x",${JSON.stringify(name)}:"y"}`)),
    'field of a filter': (name) => admin.get('/records/contacts', { filters: condition(name, 'equals', 'x') }),
    'operator of a filter': (name) => admin.get('/records/contacts', { filters: condition('first_name', name, 'x') }),
    'field of a simple filter': (name) =>
      admin.get('/records/contacts', { filter_field: name, filter_operator: 'equals', filter_value: 'x' }),
    cursor: (name) => admin.get('/records/contacts', { cursor: name }),
    'field to trim to': (name) => admin.get('/records/contacts', { fields: `first_name,${name}x` }),
    'field of an export': (name) => admin.get('/export/contacts', { fields: `first_name,${name}x` }),
    'sort_by of an export': (name) => admin.get('/export/contacts', { sort_by: name }),
    'relation of a create': (name) => admin.post('/records/contacts', { company_id: `${name}x` }),
    'option of a create': (name) => admin.post('/records/companies', { name: 'x', industry: `${name}x` }),
    'step of a create': (name) => admin.post('/records/opportunities', { name: 'x', pipeline_step_id: `${name}x` }),
    'link of a create': (name) => admin.post('/records/opportunities', { name: 'x', contacts: [`${name}x`] }),
    'time zone': (name) => admin.get('/records/contacts', {}, { 'time-zone': header(name) }),
    token: (name) => admin.get('/me', {}, { authorization: `Bearer svc_${header(name)}` }),
  };
  it.each(Object.entries(places))('as the %s are refused', { timeout: 60_000 }, async (place, ask) => {
    const legal = /^(?:first_name|company_id|name|search|id|UTC)$/;
    await all(
      namesAt(Object.keys(places).indexOf(place)).filter((name) => name !== '' && !legal.test(name)),
      async (name) => {
        const reply = await ask(name);
        if (mayBeRight(place, name)) expectAnswer(reply, { place, name });
        else expectRefusal(reply, { place, name });
      },
    );
    await expectNothingWritten();
  });

  const tolerant: Record<string, (name: string) => Promise<Reply>> = {
    sort: (name) => admin.get('/records/contacts', { sort: [{ field: name, direction: 'asc' }] }),
    'sort as text': (name) => admin.get('/records/contacts', { sort: name }),
    sort_by: (name) => admin.get('/records/contacts', { sort_by: name }),
    sort_dir: (name) => admin.get('/records/contacts', { sort_by: 'first_name', sort_dir: name }),
    search: (name) => admin.get('/records/contacts', { search: name }),
    'search of users': (name) => admin.get('/users', { search: name }),
    limit: (name) => admin.get('/records/contacts', { limit: name }),
    'filters of an export': (name) => admin.get('/export/contacts', { filters: name }),
    'list to add to': (name) => admin.get('/records/contacts', { filters: JSON.stringify(name) }),
    'request id': (name) => admin.get('/me', {}, { 'x-request-id': header(name) }),
    'content type of a get': (name) => admin.get('/me', {}, { 'content-type': header(name) }),
  };
  it.each(Object.entries(tolerant))('as the %s are answered', { timeout: 60_000 }, async (place, ask) => {
    await all(namesAt(Object.keys(tolerant).indexOf(place)), async (name) =>
      expectAnswer(await ask(name), { place, name }),
    );
    await expectNothingWritten();
  });

  const operators = [
    'equals',
    'not_equals',
    'contains',
    'not_contains',
    'ilike',
    'starts_with',
    'ends_with',
    'in',
    'not_in',
    'between',
    'greater_than',
    'date_before',
    'is_empty',
  ];
  const fields = [
    'first_name',
    'full_name',
    'emails',
    'phones',
    'address',
    'tags',
    'birthday',
    'do_not_contact',
    'company_id',
    'company_id.annual_revenue',
    'company_id.employees',
    'owner',
    'created_at',
    'id',
  ];
  it.each(operators)(
    'as the value of %s are answered, on every kind of field',
    { timeout: 60_000 },
    async (operator) => {
      const values = [
        ...hostileNames,
        '1e999',
        '9'.repeat(400),
        '-0',
        '0x10',
        '1_000',
        'infinity',
        'today',
        '99999-01-01',
        '0000-00-00',
        '2026-02-30',
        '1,2',
        '"a',
        '',
      ];
      const turn = operators.indexOf(operator);
      const pairs = fields.flatMap((field, at) =>
        values
          .filter((_, index) => deep || (turn + at + index) % 3 === 0) // every two of the three meet
          .map((value) => ({ field, value })),
      );
      await all(pairs, async ({ field, value }) => {
        expectAnswer(await admin.get('/records/contacts', { filters: condition(field, operator, value), limit: 1 }), {
          field,
          operator,
          value,
        });
      });
    },
  );
});

/** What a header can carry of a name. */
function header(name: string): string {
  return encodeURIComponent(name).slice(0, 2000);
}

/** Places where a hostile name may happen to be right. */
function mayBeRight(place: string, name: string): boolean {
  const isList = place.startsWith('field to trim') || place === 'field of an export';
  return place === 'time zone' || (isList && name.trim().endsWith(','));
}
