/** The grouped mode of `GET /records/{object}`. Random groups of random rows: test/query/aggregate.test.ts. [spec: Records] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { makeKinds, type Kinds } from './kinds.ts';
import { create, createAll, expectError, list, type Query } from './records.ts';
import { addObject, addRole, run } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let kinds: Kinds;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  kinds = await makeKinds(kith, organization);
});
afterAll(() => kith.stop());

async function groups(query: Query, object = 'kinds', client = admin) {
  const reply = await client.get(`/records/${object}`, query);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

/** The keys as they stand in the text: objects in JavaScript put those that look like numbers first. */
async function keysInText(query: Query, object = 'kinds', client = admin): Promise<string[]> {
  const { text } = await client.get(`/records/${object}`, query);
  const counts = /"counts":\{(.*?)\}(?:,"truncated":true)?\}$/.exec(text)?.[1] ?? '';
  return [...counts.matchAll(/("(?:[^"\\]|\\.)*"):\d+/g)].map((match) => JSON.parse(match[1] ?? ''));
}

it('RECO2-18, RECO2-21, RECO2-23: has this shape, whatever the cursor', async () => {
  const answer = await groups({ group_by: 'boolean', cursor: 'nonsense' });
  expect(Object.keys(answer)).toEqual(['object_name', 'group_by', 'limit_per_group', 'groups', 'counts']);
  expect(answer).toMatchObject({ object_name: 'kinds', group_by: 'boolean', limit_per_group: 20 });
  expect(answer.counts).toEqual({ true: 2, false: 1, uncategorized: 1 });
  expect(answer.groups.true).toEqual(
    (await list(admin, 'kinds')).filter(({ boolean }: { boolean: boolean | null }) => boolean === true),
  );
});

it.each([
  [0, 1],
  [-3, 1],
  [1, 1],
  [7, 7],
  [100, 100],
  [101, 100],
])('RECO2-19, PSL-02: a limit_per_group of %s is %i', async (given, limit) => {
  expect(await groups({ group_by: 'boolean', limit_per_group: given })).toMatchObject({ limit_per_group: limit });
});

it('a limit_per_group that is no number is refused by its name', async () => {
  const reply = await admin.get('/records/kinds', { group_by: 'boolean', limit_per_group: 'many' });
  expectError(reply, 'VALIDATION_ERROR');
  expect(reply.json.message).toBe('limit_per_group must be a whole number from 1 to 100, not "many"');
});

const keysOf: Readonly<Record<string, () => readonly string[]>> = {
  select: () => ['open', 'done', 'uncategorized'],
  multi_select: () => ['{open,done}', '{"a,b \\"c\\""}', 'uncategorized'],
  boolean: () => ['false', 'true', 'uncategorized'],
  relation: () => [kinds.company, kinds.otherCompany, 'uncategorized'],
  'relation.industry': () => ['software', 'finance', 'uncategorized'],
  'relation.name': () => ['acme', 'Zeta', 'uncategorized'],
  dependent_relation: () => [kinds.contact, 'uncategorized'],
  morph_relation: () => [kinds.contact, kinds.otherCompany, 'uncategorized'],
  users: () => [admin.workspaceUserId, 'uncategorized'],
  owner: () => [admin.workspaceUserId, 'uncategorized'],
  name: () => ['first', 'last', 'second', 'third'],
  url: () => ['https://a.test', 'uncategorized'],
  email: () => ['a@b.test', 'uncategorized'],
  address: () => ['Main St 1', 'uncategorized'],
  number: () => ['1.5', '2', '4', 'uncategorized'],
  integer: () => ['1', 'uncategorized'],
  decimal: () => ['1', 'uncategorized'],
  percent: () => ['10', 'uncategorized'],
  rating: () => ['5', 'uncategorized'],
  currency: () => ['2.5', '10', 'uncategorized'],
  duration: () => ['60', 'uncategorized'],
  elapsed_time: () => ['3600', 'uncategorized'],
  twice: () => ['3', '4', '8', 'uncategorized'],
  date: () => ['2026-01-01', '2026-01-11', 'uncategorized'],
  date_range: () => ['2026-01-01', '2026-02-01', 'uncategorized'],
  datetime: () => ['2026-01-01T10:00:00.000Z', '2026-01-01T10:00:30.500Z', 'uncategorized'],
};

describe.each(Object.keys(keysOf))('by %s', (groupBy) => {
  it('RECO2-25: keys stand in their order, those without a value last', async () => {
    expect(await keysInText({ group_by: groupBy })).toEqual(keysOf[groupBy]?.());
  });

  it('RECO2-24, RECO2-29: counts are full, and a flat list pages each group further', async () => {
    const answer = await groups({ group_by: groupBy, limit_per_group: 1 });
    expect(Object.values<number>(answer.counts).reduce((sum, count) => sum + count, 0)).toBe(4);
    expect(Object.keys(answer.groups)).toEqual(Object.keys(answer.counts));
    for (const [key, count] of Object.entries(answer.counts)) {
      const operator =
        key === 'uncategorized' ? { filter_operator: 'is_null' } : { filter_operator: 'equals', filter_value: key };
      const reply = await admin.get('/records/kinds', { filter_field: groupBy, ...operator, limit: 1 });
      expect(reply.json.total, reply.text).toBe(count);
      expect(answer.groups[key]).toEqual(reply.json.data);
    }
  });
});

it('RECO2-18: a pipeline is grouped by its name and by the column of its step, in the order of steps', async () => {
  const steps = await stepsByOrder();
  for (const [at, step] of steps.toReversed().entries())
    await createAll(
      admin,
      'opportunities',
      Array.from({ length: at + 1 }, () => ({ name: 'x', pipeline_step_id: step })),
    );
  for (const groupBy of ['pipeline', 'pipeline_step_id']) {
    const answer = await groups({ group_by: groupBy, limit_per_group: 1 }, 'opportunities');
    expect(answer.group_by).toBe(groupBy);
    expect(Object.keys(answer.counts)).toEqual(steps);
    expect(Object.values(answer.counts)).toEqual(steps.map((_, at) => steps.length - at));
    for (const step of steps) {
      const reply = await admin.get('/records/opportunities', {
        filter_field: groupBy,
        filter_operator: 'equals',
        filter_value: step,
        limit: 1,
      });
      expect(answer.groups[step]).toEqual(reply.json.data);
      expect(answer.counts[step]).toBe(reply.json.total);
    }
  }
});

async function stepsByOrder(): Promise<string[]> {
  const steps = identifier(organization.schema, '_pipeline_steps');
  const rows = await run(kith, organization, sql`select id from ${steps} order by order_index`);
  return rows.flatMap(([id]) => id ?? []);
}

describe('within groups', () => {
  it('RECO2-22: the sort, the filters, the search and the fields hold', async () => {
    const query = { group_by: 'boolean', sort_by: 'number', sort_dir: 'asc', fields: 'number', limit_per_group: 1 };
    const first = await groups(query);
    expect(first.groups.true).toEqual([{ id: expect.any(String), number: 1.5 }]);
    const filters = { type: 'AND', conditions: [{ field: 'number', operator: 'greater_than', value: 1.5 }] };
    const filtered = await groups({ ...query, filters });
    expect(filtered.counts).toEqual({ false: 1, true: 1 });
    expect(filtered.groups.true).toMatchObject([{ number: 2 }]);
    const found = await groups({ group_by: 'industry', search: 'acme' }, 'companies');
    expect(found.counts).toEqual({ software: 1 });
  });

  it('counts follow each write', async () => {
    const counts = async () => (await groups({ group_by: 'select' })).counts;
    const before = await counts();
    const { id } = await create(admin, 'kinds', { name: 'new', select: 'open' });
    expect(await counts()).toEqual({ ...before, open: before.open + 1 });
    expect(await counts()).toEqual({ ...before, open: before.open + 1 });
    await admin.put(`/records/kinds/${id}`, { select: null });
    expect(await counts()).toEqual({ ...before, uncategorized: before.uncategorized + 1 });
    await admin.delete(`/records/kinds/${id}`);
    expect(await counts()).toEqual(before);
  });

  it('no records, no groups', async () => {
    const query = { group_by: 'select', filter_field: 'name', filter_operator: 'equals', filter_value: 'nobody' };
    expect(await groups(query)).toMatchObject({ groups: {}, counts: {} });
  });
});

it('a value called uncategorized is not mixed up with no value', async () => {
  await addObject(kith, organization, 'labels', { name: 'TEXT', tag: 'TEXT' });
  await createAll(admin, 'labels', [{ name: 'a', tag: 'uncategorized' }, { name: 'b' }, { name: 'c' }]);
  const answer = await groups({ group_by: 'tag' }, 'labels');
  expect(answer.counts).toEqual({ uncategorized: 1, 'uncategorized:null': 2 });
  expect(answer.groups.uncategorized).toMatchObject([{ name: 'a' }]);
  await create(admin, 'labels', { name: 'd', tag: 'uncategorized:null' });
  expect(await keysInText({ group_by: 'tag' }, 'labels')).toEqual([
    'uncategorized',
    'uncategorized:null',
    'uncategorized:null:null',
  ]);
  expect((await groups({ group_by: 'tag' }, 'labels')).counts).toMatchObject({ 'uncategorized:null:null': 2 });
});

it('has a thousand groups at most, and says so', async () => {
  await addObject(kith, organization, 'many', { name: 'TEXT', number: 'INTEGER' });
  const records = Array.from({ length: 1_001 }, (_, number) => ({ name: 'x', number }));
  await createAll(admin, 'many', records.slice(0, 1_000));
  expect(await groups({ group_by: 'number', limit_per_group: 1 }, 'many')).not.toHaveProperty('truncated');
  await createAll(admin, 'many', records.slice(1_000));
  const answer = await groups({ group_by: 'number', limit_per_group: 1 }, 'many');
  expect(answer.truncated).toBe(true);
  expect(Object.keys(answer.counts)).toEqual(records.slice(0, 1_000).map(({ number }) => String(number)));
});

it('has ten thousand records at most: whole groups, and says so', async () => {
  await addObject(kith, organization, 'crowd', { name: 'TEXT', number: 'INTEGER' });
  const [crowd, state] = ['crowd', '_state'].map((name) => identifier(organization.schema, name));
  await run(
    kith,
    organization,
    sql`with written as (insert into ${crowd!} (id, created_at, updated_at, number, search_parts, search_text)
        select gen_random_uuid(), now(), now(), n / 100, '{}', '' from generate_series(0, 10099) n returning 1)
      insert into ${state!} (object_id, bucket, rows, version)
        select id, 0, 10100, 1 from ${identifier(organization.schema, '_objects')} where name = 'crowd'`,
  );
  const query = { group_by: 'number', fields: 'number' };
  const whole = await groups({ ...query, limit_per_group: 99 }, 'crowd');
  expect(Object.keys(whole.groups)).toHaveLength(101);
  expect(whole).not.toHaveProperty('truncated');
  const cut = await groups({ ...query, limit_per_group: 100 }, 'crowd');
  expect(cut.truncated).toBe(true);
  expect(Object.values<unknown[]>(cut.groups).map((records) => records.length)).toEqual(
    Array.from({ length: 100 }, () => 100),
  );
});

describe('refusals', () => {
  it.each(['nonsense', '', 'relation.nonsense', 'number.nonsense'])('%j is unknown', async (groupBy) => {
    const reply = await admin.get('/records/kinds', { group_by: groupBy });
    expectError(reply, 'INVALID_FIELD');
    expect(reply.json.available_values).toContain('name');
  });

  it.each(['long_text', 'rich_text', 'emails', 'phones', 'many_to_many'])('%s has no keys', async (groupBy) => {
    const reply = await admin.get('/records/kinds', { group_by: groupBy });
    expectError(reply, 'INVALID_OPERATION');
    expect(reply.json.available_values).not.toContain(groupBy);
    expect(reply.json.available_values).toContain('select');
  });

  it.each([
    ['{open', 'a set that is broken'],
    ['{open,nonsense}', 'an option that there is not'],
  ])('a filter for %s: %s', async (value) => {
    const reply = await admin.get('/records/kinds', {
      filter_field: 'multi_select',
      filter_operator: 'equals',
      filter_value: value,
    });
    expectError(reply, 'VALIDATION_ERROR');
  });
});

it('a role sees its rows and fields, and orders by labels that it sees', async () => {
  const view = { type: 'AND' as const, conditions: [{ field: 'number', operator: 'greater_than', value: 1.5 }] };
  await addRole(kith, organization, 'Limited', {
    kinds: { view, fields: { number: 'none', date: 'none' } },
    companies: { view: 'all', fields: { name: 'none' } },
  });
  const limited = await organization.user('Limited');
  const answer = await groups({ group_by: 'relation' }, 'kinds', limited);
  expect(answer.counts).toEqual({ [kinds.otherCompany]: 2 });
  expect(answer.groups[kinds.otherCompany][0]).not.toHaveProperty('number');
  // The nearest name goes by what was asked for and what the role sees.
  const withoutNames = (text: string) =>
    text.replaceAll(/\w+(?=\\" on)/g, 'nonsense').replace(/ \(did you mean [^)]*\)/, '');
  for (const name of ['date', 'number', 'twice', 'relation.name']) {
    const refused = await limited.get('/records/kinds', { group_by: name });
    const unknown = await limited.get('/records/kinds', { group_by: name.replace(/\w+$/, 'nonsense') });
    expect(withoutNames(refused.text)).toBe(withoutNames(unknown.text));
  }
});

it('RECO2-24: counts are of what the filters, the search and the role leave', async () => {
  await createAll(admin, 'companies', [
    ...['software', 'software', 'finance'].map((industry) => ({ name: 'Quux', industry, employees: 10 })),
    { name: 'Quux', industry: 'software', employees: 99 },
    { name: 'Other', industry: 'software', employees: 10 },
  ]);
  const query = {
    group_by: 'industry',
    limit_per_group: 1,
    search: 'quux',
    filter_field: 'industry',
    filter_operator: 'equals',
    filter_value: 'software',
  };
  expect((await groups(query, 'companies')).counts).toEqual({ software: 3 });
  const view = { type: 'AND' as const, conditions: [{ field: 'employees', operator: 'less_than', value: 50 }] };
  await addRole(kith, organization, 'Small', { companies: { view } });
  expect((await groups(query, 'companies', await organization.user('Small'))).counts).toEqual({ software: 2 });
});
