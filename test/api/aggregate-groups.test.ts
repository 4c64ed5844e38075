/** Groups by buckets of days, by several fields, and functions of fields behind a relation: additions to the specification's. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, createAll, expectError, type Query } from './records.ts';
import { addObject, addRole } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let globex: string;
let initech: string;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization({ timezone: 'America/New_York' });
  ({ admin } = organization);
  const company = async (name: string, employees: number, amount: number, currency: string) =>
    (await create(admin, 'companies', { name, employees, annual_revenue: { amount, currency } })).id;
  globex = await company('Globex', 100, 5, 'USD');
  initech = await company('Initech', 10, 7, 'EUR');
  await createAll(admin, 'opportunities', [
    { name: 'A', close_date: '2026-01-31', company_id: globex, amount: { amount: 10, currency: 'USD' } },
    { name: 'B', close_date: '2026-02-01', company_id: globex, amount: { amount: 20, currency: 'USD' } },
    { name: 'C', close_date: '2026-02-28', company_id: initech, amount: { amount: 40, currency: 'EUR' } },
    { name: 'D', close_date: '2025-12-29', company_id: initech },
    { name: 'E' },
  ]);
});
afterAll(() => kith.stop());

async function results(query: Query, client = admin) {
  const reply = await client.get('/aggregate/opportunities', query);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.results.map(({ group, value }: { group: unknown; value: unknown }) => [group, value]);
}

it.each([
  [
    'day',
    [
      ['2025-12-29', 1],
      ['2026-01-31', 1],
      ['2026-02-01', 1],
      ['2026-02-28', 1],
      [null, 1],
    ],
  ],
  [
    'week',
    [
      ['2025-12-29', 1],
      ['2026-01-26', 2],
      ['2026-02-23', 1],
      [null, 1],
    ],
  ],
  [
    'month',
    [
      ['2025-12-01', 1],
      ['2026-01-01', 1],
      ['2026-02-01', 2],
      [null, 1],
    ],
  ],
  [
    'quarter',
    [
      ['2025-10-01', 1],
      ['2026-01-01', 3],
      [null, 1],
    ],
  ],
  [
    'year',
    [
      ['2025-01-01', 1],
      ['2026-01-01', 3],
      [null, 1],
    ],
  ],
] as const)('days are taken together by the %s, which is named by its first day', async (bucket, expected) => {
  const found = await results({ group_by: 'close_date', bucket });
  expect(found).toEqual(expected);
});

it('times fall on the days of the time zone', async () => {
  await addObject(kith, organization, 'visits', { name: 'TEXT', at: 'DATETIME' });
  const at = async (iso: string, zone?: string) => {
    const { id } = await create(admin, 'visits', { at: iso });
    const query = { group_by: 'at', bucket: 'day', filter_field: 'id', filter_operator: 'equals', filter_value: id };
    const reply = await admin.get('/aggregate/visits', query, zone === undefined ? {} : { 'time-zone': zone });
    expect(reply.status, reply.text).toBe(200);
    return reply.json.results[0].group;
  };
  expect(await at('2026-03-01T03:00:00Z')).toBe('2026-02-28');
  expect(await at('2026-03-01T03:00:00Z', 'UTC')).toBe('2026-03-01');
});

it('what the clocks show as a year that there is not is of the first or the last day', async () => {
  await addObject(kith, organization, 'ends', { name: 'TEXT', at: 'DATETIME' });
  await createAll(admin, 'ends', [{ at: '9999-12-31T23:00:00Z' }, { at: '0001-01-01T01:00:00Z' }, {}]);
  const groups = async (bucket: string, zone: string) => {
    const reply = await admin.get('/aggregate/ends', { group_by: 'at', bucket }, { 'time-zone': zone });
    expect(reply.status, reply.text).toBe(200);
    return reply.json.results.map(({ group }: { group: string | null }) => group);
  };
  const buckets = ['day', 'week', 'month', 'quarter', 'year'];
  const ends = (last: string) => ['0001-01-01', last, null];
  const east = await Promise.all(buckets.map((bucket) => groups(bucket, 'Asia/Tokyo')));
  const lasts = ['9999-12-31', '9999-12-27', '9999-12-01', '9999-10-01', '9999-01-01'];
  expect(east).toEqual(lasts.map(ends));
  expect(await Promise.all(buckets.map((bucket) => groups(bucket, 'America/New_York')))).toEqual(lasts.map(ends));
});

it('several fields make groups together, with what ids are called', async () => {
  const reply = await admin.get('/aggregate/opportunities', {
    field: 'amount',
    function: 'SUM',
    group_by: 'close_date,company_id',
    bucket: 'quarter',
  });
  expect(reply.json).toEqual({
    object_name: 'opportunities',
    field: 'amount',
    function: 'SUM',
    group_by: ['close_date', 'company_id'],
    bucket: 'quarter',
    results: [
      { group: ['2025-10-01', initech], display: [null, 'Initech'], value: null },
      ...[
        { group: ['2026-01-01', globex], display: [null, 'Globex'], value: 30 },
        { group: ['2026-01-01', initech], display: [null, 'Initech'], value: 40 },
      ].toSorted((left, right) => (left.group[1]! < right.group[1]! ? -1 : 1)),
      { group: [null, null], display: [null, null], value: null },
    ],
  });
  const again = await admin.get('/aggregate/opportunities', {
    field: 'amount',
    function: 'SUM',
    group_by: 'close_date,company_id',
    bucket: 'quarter',
  });
  expect(again.text).toBe(reply.text);
  const two = await results({ group_by: 'company_id.name, name' });
  expect(two).toContainEqual([['Globex', 'A'], 1]);
  expect(two).toContainEqual([[null, 'E'], 1]);
});

it('a field behind a relation counts once for each record that leads to it', async () => {
  const value = async (query: Query) => (await admin.get('/aggregate/opportunities', query)).json.value;
  expect(await value({ field: 'company_id.employees', function: 'SUM' })).toBe(220);
  expect(await value({ field: 'company_id.employees', function: 'COUNT' })).toBe(4);
  expect(await value({ field: 'company_id.employees', function: 'PERCENT_FILLED' })).toBe(80);
  expect(await value({ field: 'company_id.nonsense', function: 'COUNT' })).toBe(5);
  const reply = await admin.get('/aggregate/opportunities', { field: 'company_id.annual_revenue', function: 'SUM' });
  expectError(reply, 'INVALID_OPERATION');
  expectError(await admin.get('/aggregate/opportunities', { field: 'company_id.x', function: 'SUM' }), 'INVALID_FIELD');
  expectError(await admin.get('/aggregate/opportunities', { field: 'name.x', function: 'SUM' }), 'INVALID_FIELD');
});

it('what is wrong is told', async () => {
  const refused = async (query: Query, code: string) => {
    const reply = await admin.get('/aggregate/opportunities', query);
    expectError(reply, code);
    return reply.json;
  };
  await refused({ group_by: 'close_date', bucket: 'decade' }, 'VALIDATION_ERROR');
  const { available_values } = await refused({ group_by: 'name', bucket: 'month' }, 'INVALID_OPERATION');
  expect(available_values).toEqual(expect.arrayContaining(['close_date', 'created_at']));
  await refused({ bucket: 'month' }, 'INVALID_OPERATION');
  await refused({ group_by: 'name,id,owner,close_date' }, 'VALIDATION_ERROR');
  await refused({ group_by: 'name,nonsense' }, 'INVALID_FIELD');
});

it('a hidden field is none, in a list of groups and behind a relation', async () => {
  await addRole(kith, organization, 'Narrow', {
    opportunities: { view: 'all', fields: { close_date: 'none' } },
    companies: { view: 'all', fields: { employees: 'none' } },
  });
  const member = await organization.user('Narrow');
  for (const query of [
    { group_by: 'name,close_date' },
    { group_by: 'close_date', bucket: 'month' },
    { field: 'company_id.employees', function: 'SUM' },
  ])
    expectError(await member.get('/aggregate/opportunities', query), 'INVALID_FIELD');
});
