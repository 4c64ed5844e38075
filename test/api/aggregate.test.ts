/** `GET /aggregate/{object}`. What each function is of random rows: test/query/aggregate.test.ts. [spec: Aggregate] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregateNames } from '../../src/fields/aggregates.ts';
import { fieldTypeNames } from '../../src/fields/field-def.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { makeKinds, type Kinds } from './kinds.ts';
import { apply, create, createAll, expectError, type Query } from './records.ts';
import { addRole } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let kinds: Kinds;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization({ currency: 'EUR' });
  ({ admin } = organization);
  kinds = await makeKinds(kith, organization);
});
afterAll(() => kith.stop());

async function aggregate(query: Query, client = admin, object = 'kinds') {
  const reply = await client.get(`/aggregate/${object}`, query);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

describe('answers', () => {
  it('AGGR-02, AGGR-03, AGGR-20: COUNT of nothing counts all rows and names the display field', async () => {
    const answer = await admin.get('/aggregate/kinds');
    expect(answer.text).toBe('{"object_name":"kinds","field":"name","function":"COUNT","value":4}');
    expect(await aggregate({ field: 'nonsense' })).toEqual(answer.json);
    expect(await aggregate({ field: '', function: 'COUNT' })).toEqual(answer.json);
  });

  it.each<readonly [field: string, name: string, value: unknown]>([
    ['number', 'COUNT', 3],
    ['number', 'COUNT_NULL', 1],
    ['number', 'SUM', 7.5],
    ['number', 'AVG', 2.5],
    ['integer', 'AVG', 1],
    ['decimal', 'AVG', 1],
    ['percent', 'AVG', 10],
    ['currency', 'AVG', 7.5],
    ['rating', 'AVG', 5],
    ['duration', 'AVG', 60],
    ['twice', 'AVG', 5],
    ['number', 'MEDIAN', 2],
    ['integer', 'MEDIAN', 1],
    ['decimal', 'MEDIAN', 1],
    ['percent', 'MEDIAN', 10],
    ['currency', 'MEDIAN', 10],
    ['duration', 'MEDIAN', 60],
    ['elapsed_time', 'MEDIAN', 3600],
    ['number', 'RANGE', 2.5],
    ['twice', 'SUM', 15],
    ['twice', 'MAX', 8],
    ['integer', 'STDDEV', 0],
    ['percent', 'VARIANCE', 0],
    ['duration', 'SUM', 180],
    ['elapsed_time', 'AVG', 3600],
    ['rating', 'MEDIAN', 5],
    ['currency', 'MIN', 2.5],
    ['date', 'MIN', '2026-01-01'],
    ['date', 'MEDIAN', '2026-01-01'],
    ['date', 'RANGE', 10],
    ['datetime', 'MAX', '2026-01-01T10:00:30.500Z'],
    ['datetime', 'MEDIAN', '2026-01-01T10:00:00.000Z'],
    ['datetime', 'RANGE', 30.5],
    ['date_range', 'COUNT_DISTINCT', 2],
    ['boolean', 'COUNT_TRUE', 2],
    ['boolean', 'COUNT_FALSE', 1],
    ['boolean', 'PERCENT_TRUE', 50],
    ['boolean', 'PERCENT_FALSE', 25],
    ['long_text', 'AVG_LENGTH', 2],
    ['rich_text', 'AVG_LENGTH', 2],
    ['rich_text', 'COUNT', 3],
    ['rich_text', 'PERCENT_EMPTY', 50],
    ['emails', 'COUNT', 3],
    ['emails', 'COUNT_DISTINCT', 2],
    ['phones', 'PERCENT_FILLED', 75],
    ['multi_select', 'COUNT_DISTINCT', 2],
    ['select', 'COUNT_DISTINCT', 2],
    ['users', 'COUNT_DISTINCT', 1],
    ['relation', 'COUNT_DISTINCT', 2],
    ['morph_relation', 'COUNT_DISTINCT', 2],
    ['many_to_many', 'COUNT', 2],
    ['many_to_many', 'PERCENT_EMPTY', 50],
    ['address', 'COUNT', 3],
    ['name', 'COUNT_DISTINCT', 4],
  ])('%s %s is %j', async (field, name, value) => {
    expect(await aggregate({ field, function: name })).toEqual({ object_name: 'kinds', field, function: name, value });
  });

  it.each(['NUMBER', 'INTEGER', 'DECIMAL', 'PERCENT', 'CURRENCY', 'DURATION', 'ELAPSED_TIME'])(
    'AGGR-13: RANGE of %s is the distance of the least from the largest',
    async (type) => {
      const name = `spans_of_${type.toLowerCase()}`;
      await apply(admin, {
        objects: [
          {
            name,
            fields: [
              { name: 'name', type: 'TEXT' },
              { name: 'amount', type },
            ],
          },
        ],
      });
      await createAll(admin, name, [{ amount: 5 }, { amount: 1 }, { amount: 4 }, {}]);
      expect(await aggregate({ field: 'amount', function: 'RANGE' }, admin, name)).toMatchObject({ value: 4 });
    },
  );

  it('AGGR-15: how many are filled, and how many are empty, is told of every type', async () => {
    const { fields } = (await admin.get('/schema/kinds')).json;
    const types = new Set(fields.map(({ type }: { type: string }) => type));
    // Those of other objects: kinds has none.
    expect(fieldTypeNames.filter((type) => !types.has(type))).toEqual(['PIPELINE', 'ROLLUP']);
    const deals = {
      name: 'deal_count',
      type: 'ROLLUP',
      rollup: { objectName: 'opportunities', relationField: 'company_id', function: 'COUNT' },
    };
    await apply(admin, { objects: [{ name: 'companies', fields: [deals] }] });
    const deal = await create(admin, 'opportunities', { name: 'Deal' });
    const all = [
      ...fields.map(({ name }: { name: string }) => ['kinds', name]),
      ['opportunities', 'pipeline'],
      ['companies', 'deal_count'],
    ];
    for (const [object, field] of all) {
      const share = async (name: string) => (await aggregate({ field, function: name }, admin, object)).value;
      expect((await share('PERCENT_FILLED')) + (await share('PERCENT_EMPTY')), field).toBe(100);
    }
    await admin.delete(`/records/opportunities/${deal.id}`);
  });

  it('HAS_MANY counts those that have some', async () => {
    const query = { field: 'kinds', filter_field: 'name', filter_operator: 'in', filter_value: 'acme,Zeta' };
    expect(await aggregate(query, admin, 'companies')).toMatchObject({ value: 2 });
  });

  it('a pipeline is known by its own name and by its step', async () => {
    await createAll(admin, 'opportunities', [{ name: 'one' }, { name: 'two' }]);
    const counted = await aggregate({ field: 'pipeline', function: 'COUNT' }, admin, 'opportunities');
    expect(counted).toMatchObject({ field: 'pipeline', value: 2 });
    const query = { field: 'pipeline_step_id', function: 'COUNT_DISTINCT' };
    expect(await aggregate(query, admin, 'opportunities')).toMatchObject({ value: 1 });
    expectError(await admin.get('/aggregate/opportunities', { ...query, field: 'pipeline' }), 'INVALID_OPERATION');
  });

  it('amounts of several currencies are told apart', async () => {
    const query = { field: 'currency', function: 'SUM' };
    expect(await aggregate(query)).toMatchObject({ value: 22.5, currencies: { EUR: 20, USD: 2.5 } });
    const euros = { ...query, filter_field: 'currency', filter_operator: 'equals', filter_value: '10' };
    expect(await aggregate(euros)).not.toHaveProperty('currencies');
    const grouped = await aggregate({ ...query, group_by: 'rating' });
    expect(grouped.results).toEqual([
      { group: 5, value: 22.5, currencies: { EUR: 20, USD: 2.5 } },
      { group: null, value: null },
    ]);
  });

  it('keeps every digit', async () => {
    const long = '12345678901234567890123456789.123456789';
    const body = `{"records":[{"name":"x","number":${long}},{"name":"x","number":0.1}]}`;
    await admin.send('/api/v1/records/kinds/batch/create', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const query = { field: 'number', filter_field: 'name', filter_operator: 'equals', filter_value: 'x' };
    const value = async (name: string) =>
      /"value":(.*)\}$/.exec((await admin.get('/aggregate/kinds', { ...query, function: name })).text)?.[1];
    expect(await value('MAX')).toBe(long);
    expect(await value('SUM')).toBe('12345678901234567890123456789.223456789');
    expect(await value('MEDIAN')).toBe('6172839450617283945061728394.6117283945');
    const { json } = await admin.get('/records/kinds', { ...query, field: undefined });
    for (const { id } of json.data) await admin.delete(`/records/kinds/${id}`);
  });

  it('over nothing is null, but what is counted', async () => {
    const nothing = { filter_field: 'name', filter_operator: 'equals', filter_value: 'nobody' };
    const value = async (name: string, field = 'number') =>
      (await aggregate({ ...nothing, field, function: name })).value;
    for (const name of ['SUM', 'AVG', 'MEDIAN', 'MIN', 'RANGE', 'STDDEV', 'VARIANCE', 'PERCENT_FILLED'])
      expect(await value(name), name).toBeNull();
    for (const name of ['COUNT', 'COUNT_DISTINCT', 'COUNT_NULL']) expect(await value(name), name).toBe(0);
    expect((await aggregate({ ...nothing, group_by: 'select' })).results).toEqual([]);
  });

  it('AGGR-05: the simple filter, filters and search hold together', async () => {
    const filters = { type: 'AND', conditions: [{ field: 'boolean', operator: 'is_true' }] };
    const simple = { filter_field: 'number', filter_operator: 'in', filter_value: '1.5,4' };
    expect(await aggregate({ filters })).toMatchObject({ value: 2 });
    expect(await aggregate({ ...simple })).toMatchObject({ value: 2 });
    expect(await aggregate({ ...simple, filters })).toMatchObject({ value: 1 });
    expect(await aggregate({ search: 'acme' }, admin, 'companies')).toMatchObject({ value: 1 });
  });
});

describe('groups', () => {
  it.each<readonly [groupBy: string, groups: () => readonly unknown[]]>([
    ['select', () => ['done', 'open', null]],
    ['multi_select', () => [['open', 'done'], ['a,b "c"'], null]],
    ['boolean', () => [true, false, null]],
    ['number', () => [1.5, 2, 4, null]],
    ['twice', () => [3, 4, 8, null]],
    ['date', () => ['2026-01-01', '2026-01-11', null]],
    ['datetime', () => ['2026-01-01T10:00:00.000Z', '2026-01-01T10:00:30.500Z', null]],
    ['date_range', () => ['2026-01-01', '2026-02-01', null]],
    ['emails', () => ['x@a.test', 'z@a.test', null]],
    ['address', () => ['Main St 1', null]],
    ['users', () => [admin.workspaceUserId, null]],
    ['relation', () => [kinds.otherCompany, kinds.company, null]],
    ['relation.industry', () => ['finance', 'software', null]],
    ['morph_relation', () => [kinds.contact, kinds.otherCompany, null]],
    ['name', () => ['first', 'last', 'second', 'third']],
  ])('AGGR-21, AGGR-22: by %s, the largest first', async (groupBy, groups) => {
    const answer = await aggregate({ group_by: groupBy });
    expect(Object.keys(answer)).toEqual(['object_name', 'field', 'function', 'group_by', 'results']);
    expect(answer.group_by).toBe(groupBy);
    const values = answer.results.map((result: { value: number }) => result.value);
    expect(values).toEqual(values.toSorted((a: number, b: number) => b - a));
    expect(values.reduce((sum: number, value: number) => sum + value, 0)).toBe(4);
    expect(answer.results.map((result: { group: unknown }) => result.group)).toEqual(groups());
  });

  it.each(['long_text', 'rich_text', 'many_to_many'])('there are none by %s', async (groupBy) => {
    const reply = await admin.get('/aggregate/kinds', { group_by: groupBy });
    expectError(reply, 'INVALID_OPERATION');
    expect(reply.json.available_values).toContain('emails');
    expect(reply.json.available_values).not.toContain(groupBy);
  });

  it('there are a thousand at most', async () => {
    const records = Array.from({ length: 1_001 }, (_, at) => ({ last_name: `Name ${at}` }));
    await createAll(admin, 'contacts', records.slice(0, 600));
    expect(await aggregate({ group_by: 'last_name' }, admin, 'contacts')).not.toHaveProperty('truncated');
    await createAll(admin, 'contacts', records.slice(600));
    const answer = await aggregate({ group_by: 'last_name' }, admin, 'contacts');
    expect(answer.truncated).toBe(true);
    expect(answer.results).toHaveLength(1_000);
  });
});

describe('refusals', () => {
  it.each<readonly [query: Query, code: string, values: readonly string[] | undefined]>([
    [{ function: 'COUNTS' }, 'INVALID_OPERATION', aggregateNames],
    [{ function: 'sum', field: 'number' }, 'INVALID_OPERATION', aggregateNames],
    [{ function: 'SUM' }, 'MISSING_REQUIRED_FIELD', undefined],
    [{ function: 'PERCENT_FILLED', field: '' }, 'MISSING_REQUIRED_FIELD', undefined],
    [
      { function: 'SUM', field: 'rating' },
      'INVALID_OPERATION',
      ['COUNT', 'COUNT_DISTINCT', 'COUNT_NULL', 'AVG', 'MEDIAN', 'MIN', 'MAX', 'PERCENT_FILLED', 'PERCENT_EMPTY'],
    ],
    [
      { function: 'COUNT_DISTINCT', field: 'address' },
      'INVALID_OPERATION',
      ['COUNT', 'COUNT_NULL', 'PERCENT_FILLED', 'PERCENT_EMPTY'],
    ],
    [{ filter_field: 'number' }, 'MISSING_REQUIRED_FIELD', undefined],
    [{ filter_field: 'nonsense', filter_operator: 'is_null' }, 'INVALID_FIELD', undefined],
    [{ limit: 5 }, 'VALIDATION_ERROR', undefined],
  ])('%j', async (query, code, values) => {
    const reply = await admin.get('/aggregate/kinds', query);
    expectError(reply, code);
    if (values) expect(reply.json.available_values).toEqual(values);
  });

  it('AGGR-08: COUNT_DISTINCT is not there for what is virtual or of several parts', async () => {
    const refused = [
      ['kinds', 'many_to_many'],
      ['kinds', 'address'],
      ['companies', 'kinds'],
      ['opportunities', 'pipeline'],
    ] as const;
    for (const [object, field] of refused) {
      const reply = await admin.get(`/aggregate/${object}`, { function: 'COUNT_DISTINCT', field });
      expectError(reply, 'INVALID_OPERATION');
      expect(reply.json.available_values, field).not.toContain('COUNT_DISTINCT');
    }
  });

  it('ERRO-12: unknown objects and fields are named', async () => {
    expectError(await admin.get('/aggregate/nothing'), 'INVALID_OBJECT');
    for (const query of [
      { function: 'SUM', field: 'nonsense' },
      { group_by: 'nonsense' },
      { group_by: 'relation.nonsense' },
      { group_by: '' },
    ]) {
      const reply = await admin.get('/aggregate/kinds', query);
      expectError(reply, 'INVALID_FIELD');
      expect(reply.json.available_values.length).toBeGreaterThan(0);
    }
  });
});

describe('permissions', () => {
  const hiding = { view: 'all', fields: { number: 'none', name: 'none' } } as const;

  it('a hidden field is one that does not exist, and what is calculated of it, too', async () => {
    await addRole(kith, organization, 'Limited', { kinds: hiding, companies: { view: 'none' } });
    const limited = await organization.user('Limited');
    const text = async (query: Query) => (await limited.get('/aggregate/kinds', query)).text;
    expect(await aggregate({}, limited)).toMatchObject({ field: 'id', value: 4 });
    expect(await aggregate({ field: 'number' }, limited)).toMatchObject({ field: 'id', value: 4 });
    const alike = (answer: string, name: string) => answer.replaceAll(name, 'nonsense');
    for (const name of ['number', 'twice']) {
      expect(alike(await text({ function: 'SUM', field: name }), name)).toBe(
        await text({ function: 'SUM', field: 'nonsense' }),
      );
      expect(alike(await text({ group_by: name }), name)).toBe(await text({ group_by: 'nonsense' }));
    }
    expectError(await limited.get('/aggregate/kinds', { group_by: 'relation.industry' }), 'INVALID_FIELD');
    expectError(await limited.get('/aggregate/companies'), 'PERMISSION_DENIED');
  });

  it('AGGR-19: only rows that the role shows count', async () => {
    const view = { type: 'AND' as const, conditions: [{ field: 'boolean', operator: 'is_true' }] };
    await addRole(kith, organization, 'Some', { kinds: { view }, companies: { view: 'none' } });
    const some = await organization.user('Some');
    expect(await aggregate({ field: 'number', function: 'SUM' }, some)).toMatchObject({ value: 3.5 });
    const answer = await aggregate({ group_by: 'relation' }, some);
    expect(answer.results).toHaveLength(2);
  });
});

it('a ROLLUP is aggregated and grouped by as what it gives, and follows the records that it is of', async () => {
  const named = { filter_field: 'name', filter_operator: 'in', filter_value: 'acme,Zeta' };
  const sum = async () =>
    (await aggregate({ ...named, field: 'kinds_number', function: 'SUM' }, admin, 'companies')).value;
  const groups = async () => (await aggregate({ ...named, group_by: 'kinds_number' }, admin, 'companies')).results;
  expect(await sum()).toBe(7.5);
  expect(await groups()).toEqual([
    { group: 1.5, value: 1 },
    { group: 6, value: 1 },
  ]);
  const { id } = await create(admin, 'kinds', { name: 'more', number: 4.5, relation: kinds.company });
  expect(await sum()).toBe(12);
  expect(await groups()).toEqual([{ group: 6, value: 2 }]);
  const listed = await admin.get('/records/companies', { ...named, group_by: 'kinds_number' });
  expect(listed.json.counts).toEqual({ 6: 2 });
  await admin.delete(`/records/kinds/${id}`);
  expect(await sum()).toBe(7.5);
});

it('follows each write, also of what a filter or a group leans on', async () => {
  const { id: company } = await create(admin, 'companies', { name: 'Old' });
  const { id } = await create(admin, 'kinds', { name: 'follow', relation: company });
  const query = { group_by: 'relation.name', filter_field: 'name', filter_operator: 'equals', filter_value: 'follow' };
  const groups = async () => (await aggregate(query)).results;
  expect(await groups()).toEqual([{ group: 'Old', value: 1 }]);
  expect(await groups()).toEqual([{ group: 'Old', value: 1 }]);
  await admin.put(`/records/companies/${company}`, { name: 'New' });
  expect(await groups()).toEqual([{ group: 'New', value: 1 }]);
  await admin.delete(`/records/kinds/${id}`);
  expect(await groups()).toEqual([]);
});
