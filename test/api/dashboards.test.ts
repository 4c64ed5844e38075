/** [spec: crm_manage_dashboards; decisions: Dashboard] Charts that are kept, and what they show to whom. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { applied } from '../manifest/manifests.ts';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';
import { createAll, expectError, timestamp, uuid } from './records.ts';

let kith: TestKith;
let ada: Client;
let ben: Client;
/** May not see what deals are worth. */
let clerk: Client;
/** May not see deals. */
let guest: Client;
/** Sees the deals of one stage. */
let half: Client;
let stranger: Client;

const noon = Date.parse('2026-03-31T10:00:00Z');

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: noon });
  kith = await startKith();
  // Three in the afternoon there: the day after tomorrow begins at three in the afternoon, UTC.
  const organization = await kith.organization({ timezone: 'Asia/Tokyo' });
  ada = organization.admin;
  const see = { '*': { view: 'all' } };
  await applied(ada, {
    objects: [
      {
        name: 'deals',
        fields: [
          { name: 'name', type: 'TEXT' },
          {
            name: 'stage',
            type: 'SELECT',
            options: [
              { value: 'open', label: 'Open' },
              { value: 'won', label: 'Won' },
            ],
          },
          { name: 'worth', type: 'NUMBER' },
          { name: 'signed', type: 'DATE' },
          { name: 'paid', type: 'DATETIME' },
          { name: 'company', type: 'RELATION', relationConfig: { targetObjectName: 'companies' } },
        ],
      },
    ],
    roles: [
      { name: 'Clerk', permissions: { ...see, deals: { fields: { worth: 'none', signed: 'none' } } } },
      { name: 'Guest', permissions: { ...see, deals: { view: 'none' } } },
      {
        name: 'Half',
        permissions: {
          ...see,
          deals: { view: { type: 'AND', conditions: [{ field: 'stage', operator: 'equals', value: 'won' }] } },
        },
      },
    ],
  });
  ben = await organization.user('Member');
  [clerk, guest, half] = [
    await organization.user('Clerk'),
    await organization.user('Guest'),
    await organization.user('Half'),
  ];
  stranger = (await kith.organization()).admin;
  await createAll(ada, 'deals', [
    { name: 'a', stage: 'open', worth: 10, signed: '2026-03-01', paid: '2026-02-28T15:00:00Z' },
    { name: 'b', stage: 'won', worth: 20.5, signed: '2026-03-31', paid: '2026-03-31T14:59:59Z' },
    { name: 'c', stage: 'won', worth: 5, signed: '2026-04-01', paid: '2026-03-31T15:00:00Z' },
    { name: 'd', stage: 'open', worth: 7, signed: '2026-02-01', paid: '2026-01-31T15:00:00Z' },
    { name: 'e', stage: 'won', worth: 9, signed: '2026-02-28', paid: '2026-02-28T14:59:59Z' },
    { name: 'f', stage: 'won', worth: 1, signed: '2025-12-31', paid: null },
  ]);
});
afterAll(async () => {
  vi.useRealTimers();
  await kith.stop();
});

const worth = {
  title: 'Worth',
  object_name: 'deals',
  chart_type: 'indicator',
  metric_field: 'worth',
  aggregation: 'SUM',
};
const stages = { title: 'Stages', object_name: 'deals', chart_type: 'bar', group_by: 'stage' };

const make = async (charts: readonly object[], client = ada, name = 'Sales'): Promise<Reply['json']> => {
  const reply = await client.post('/dashboards', { name, charts });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
};
const chartsOf = async (client: Client, id: string): Promise<Reply['json'][]> => {
  const reply = await client.get(`/dashboards/${id}/data`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.charts;
};
const dataOf = async (client: Client, chart: object) => {
  const [data] = await chartsOf(client, (await make([chart])).id);
  return data;
};

describe('dashboards and their charts', () => {
  it('CMD-03: has what was given, and created_at where nothing is said of dates', async () => {
    const made = await make([worth, { ...stages, comparison: true, comparison_period: 'previous_year' }]);
    expect(made).toEqual({
      id: expect.stringMatching(uuid),
      name: 'Sales',
      owner: ada.workspaceUserId,
      owner_display: 'Ada Admin',
      charts: [
        {
          id: expect.stringMatching(uuid),
          title: 'Worth',
          object_name: 'deals',
          metric_field: 'worth',
          aggregation: 'SUM',
          chart_type: 'indicator',
          group_by: null,
          bucket: null,
          filters: null,
          comparison: false,
          comparison_period: 'previous_month',
          date_field: 'created_at',
          position: 0,
        },
        expect.objectContaining({
          title: 'Stages',
          metric_field: null,
          aggregation: 'COUNT',
          group_by: 'stage',
          comparison: true,
          comparison_period: 'previous_year',
          position: 1,
        }),
      ],
      created_at: expect.stringMatching(timestamp),
      updated_at: expect.stringMatching(timestamp),
    });
    expect((await ben.get(`/dashboards/${made.id}`)).json).toEqual(made);
  });

  it('CMD-01: lists them by name, page by page, for everybody of the organization alone', async () => {
    await make([], ben, 'Alpha');
    await make([], ben, 'beta');
    const first = (await clerk.get('/dashboards', { limit: 1 })).json;
    const second = (await clerk.get('/dashboards', { limit: 1, cursor: first.nextCursor })).json;
    expect([first.data[0].name, second.data[0].name]).toEqual(['Alpha', 'beta']);
    expect((await stranger.get('/dashboards')).json).toEqual({ data: [], total: 0 });
  });

  it('CMD-01: anybody adds charts, all that are added at once among them', async () => {
    const { id } = await make([worth]);
    const replies = await Promise.all(
      [ada, ben, clerk, ben].map((client, index) =>
        client.post(`/dashboards/${id}/charts`, { ...stages, title: `Chart ${index}` }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { charts } = (await ada.get(`/dashboards/${id}`)).json;
    expect(charts.map(({ title }: { title: string }) => title).toSorted()).toEqual([
      'Chart 0',
      'Chart 1',
      'Chart 2',
      'Chart 3',
      'Worth',
    ]);
    expect(charts.map(({ position }: { position: number }) => position)).toEqual([0, 1, 2, 3, 4]);
  });

  it('CMD-03: is deleted by its owner or an admin only', async () => {
    const bens = await make([worth, stages], ben);
    const adas = await make([worth], ada);
    const [{ id: chart }] = bens.charts;
    expectError(await clerk.delete(`/dashboards/${bens.id}`), 'PERMISSION_DENIED');
    expectError(await clerk.delete(`/dashboards/${bens.id}/charts/${chart}`), 'PERMISSION_DENIED');
    expectError(await ben.delete(`/dashboards/${adas.id}`), 'PERMISSION_DENIED');
    expectError(await stranger.delete(`/dashboards/${bens.id}`), 'RECORD_NOT_FOUND');
    expect((await ben.delete(`/dashboards/${bens.id}/charts/${chart}`)).json).toEqual({ deleted: true });
    expectError(await ben.delete(`/dashboards/${bens.id}/charts/${chart}`), 'RECORD_NOT_FOUND');
    const { charts } = (await ben.get(`/dashboards/${bens.id}`)).json;
    expect(charts.map(({ title, position }: { title: string; position: number }) => [title, position])).toEqual([
      ['Stages', 0],
    ]);
    expect((await ada.delete(`/dashboards/${bens.id}`)).json).toEqual({ deleted: true });
    expectError(await ben.get(`/dashboards/${bens.id}/data`), 'RECORD_NOT_FOUND');
    expect((await ada.delete(`/dashboards/${adas.id}`)).status).toBe(200);
  });

  it.each<[string, object, string]>([
    ['no title', { ...worth, title: undefined }, 'MISSING_REQUIRED_FIELD'],
    ['no object', { ...worth, object_name: undefined }, 'MISSING_REQUIRED_FIELD'],
    ['an object that there is not', { ...worth, object_name: 'dials' }, 'INVALID_OBJECT'],
    ['an object of the service', { ...worth, object_name: 'threads' }, 'INVALID_OBJECT'],
    ['a field that there is not', { ...worth, metric_field: 'wort' }, 'INVALID_FIELD'],
    ['a group that there is not', { ...stages, group_by: 'stagee' }, 'INVALID_FIELD'],
    [
      'a filter of a field that there is not',
      { ...stages, filters: { field: 'x', operator: 'is_null' } },
      'INVALID_FIELD',
    ],
    ['a sum of texts', { ...worth, metric_field: 'name' }, 'INVALID_OPERATION'],
    ['a function that there is not', { ...worth, aggregation: 'sum' }, 'INVALID_OPERATION'],
    ['a function without its field', { ...worth, metric_field: undefined }, 'MISSING_REQUIRED_FIELD'],
    ['CMD-04: an indicator with groups', { ...worth, group_by: 'stage' }, 'VALIDATION_ERROR'],
    ['CMD-05: a bar chart without groups', { ...stages, group_by: undefined }, 'MISSING_REQUIRED_FIELD'],
    ['CMD-05: a doughnut without groups', { ...worth, chart_type: 'doughnut' }, 'MISSING_REQUIRED_FIELD'],
    ['another type', { ...stages, chart_type: 'pie' }, 'VALIDATION_ERROR'],
    ['another period', { ...worth, comparison_period: 'previous_week' }, 'VALIDATION_ERROR'],
    ['dates that are none', { ...worth, comparison: true, date_field: 'name' }, 'INVALID_OPERATION'],
    ['dates that there are not', { ...worth, date_field: 'sined' }, 'INVALID_FIELD'],
    ['buckets of what is no date', { ...stages, bucket: 'month' }, 'INVALID_OPERATION'],
  ])('refuses %s, and keeps nothing', async (_what, chart, code) => {
    const { id } = await make([]);
    expectError(await ada.post(`/dashboards/${id}/charts`, chart), code);
    const { total } = (await ada.get('/dashboards')).json;
    expectError(await ada.post('/dashboards', { name: 'x', charts: [worth, chart] }), code);
    expect((await ada.get('/dashboards')).json.total).toBe(total);
    expect((await ada.get(`/dashboards/${id}`)).json.charts).toEqual([]);
  });

  it('has charts of a size that others can read', async () => {
    const { id } = await make([]);
    const filters = { type: 'AND', conditions: [{ field: 'name', operator: 'equals', value: 'x'.repeat(20_000) }] };
    expectError(await ada.post(`/dashboards/${id}/charts`, { ...worth, filters }), 'VALIDATION_ERROR');
    expect((await ada.get(`/dashboards/${id}`)).json.charts).toEqual([]);
  });

  it('has twenty charts at most', async () => {
    const { id } = await make(Array.from({ length: 20 }, () => worth));
    expectError(await ada.post(`/dashboards/${id}/charts`, worth), 'VALIDATION_ERROR');
  });
});

describe('what charts show', () => {
  it('CMD-04: a single value, as the aggregate has it', async () => {
    expect(await dataOf(ada, worth)).toMatchObject({ title: 'Worth', value: 52.5 });
    const filters = { type: 'OR', conditions: [{ field: 'stage', operator: 'equals', value: 'won' }] };
    expect(await dataOf(ada, { ...worth, filters })).toMatchObject({ value: 35.5, filters });
    expect(await dataOf(ada, { ...worth, filters: JSON.stringify(filters) })).toMatchObject({ value: 35.5, filters });
  });

  it('CMD-05: groups, also of months', async () => {
    expect((await dataOf(ada, { ...stages, metric_field: 'worth', aggregation: 'SUM' })).results).toEqual([
      { group: 'won', value: 35.5 },
      { group: 'open', value: 17 },
    ]);
    const months = { ...stages, chart_type: 'doughnut', group_by: 'signed', bucket: 'month' };
    expect((await dataOf(ada, months)).results).toEqual([
      { group: '2025-12-01', value: 1 },
      { group: '2026-02-01', value: 2 },
      { group: '2026-03-01', value: 2 },
      { group: '2026-04-01', value: 1 },
    ]);
  });

  // It is the 31st of March in Tokyo: the month before ends with its 28th.
  it.each([
    ['previous_month', 30.5, '2026-03-01', 16, '2026-02-01', '2026-02-28', 90.63],
    ['previous_quarter', 46.5, '2026-01-01', 1, '2025-10-01', '2025-12-31', 4550],
    ['previous_year', 46.5, '2026-01-01', null, '2025-01-01', '2025-03-31', null],
  ])(
    'CMD-03: compares with %s up to the same day',
    async (comparison_period, value, from, before, first, last, percent) => {
      const data = await dataOf(ada, { ...worth, comparison: true, comparison_period, date_field: 'signed' });
      expect(data).toMatchObject({
        value,
        period: { from, to: '2026-03-31' },
        previous: { value: before, from: first, to: last },
        change_percent: percent,
      });
    },
  );

  it('compares another period for who asks, in the charts that compare one, and keeps nothing of it', async () => {
    const compared = { ...worth, comparison: true, comparison_period: 'previous_month', date_field: 'signed' };
    const { id } = await make([compared, worth]);
    const { charts } = (await ben.get(`/dashboards/${id}/data`, { comparison_period: 'previous_quarter' })).json;
    expect(charts).toMatchObject([
      { value: 46.5, comparison_period: 'previous_quarter', previous: { value: 1, from: '2025-10-01' } },
      { comparison: false, comparison_period: 'previous_month' },
    ]);
    expect(charts[1]).not.toHaveProperty('period');
    expect(await chartsOf(ben, id)).toMatchObject([{ value: 30.5, comparison_period: 'previous_month' }, {}]);
    expectError(await ben.get(`/dashboards/${id}/data`, { comparison_period: 'previous_day' }), 'VALIDATION_ERROR');
  });

  it('CMD-03: takes times by the days of the organization, group by group', async () => {
    const data = await dataOf(ada, { ...stages, comparison: true, date_field: 'paid' });
    expect(data.results).toEqual([
      { group: 'open', value: 1 },
      { group: 'won', value: 1 },
    ]);
    expect(data.previous.results).toEqual([
      { group: 'open', value: 1 },
      { group: 'won', value: 1 },
    ]);
    expect(data).not.toHaveProperty('change_percent');
  });
});

describe('who sees what', () => {
  let id: string;
  beforeAll(async () => {
    const by = { type: 'AND', conditions: [{ field: 'worth', operator: 'greater_than', value: 6 }] };
    ({ id } = await make([
      worth,
      stages,
      { ...stages, title: 'Filtered', filters: by },
      { ...stages, title: 'Compared', comparison: true, date_field: 'signed' },
      { ...stages, title: 'Counted', metric_field: 'worth' },
      { title: 'Companies', object_name: 'companies', chart_type: 'indicator' },
    ]));
  });

  it('shows rows as the role does', async () => {
    const charts = await chartsOf(half, id);
    expect(charts[0].value).toBe(35.5);
    expect(charts[1].results).toEqual([{ group: 'won', value: 4 }]);
  });

  it('tells nothing of a field that is hidden, and all else', async () => {
    const charts = await chartsOf(clerk, id);
    expect(charts.map((chart) => chart.error?.code)).toEqual([
      'INVALID_FIELD',
      undefined,
      'INVALID_FIELD',
      'INVALID_FIELD',
      'INVALID_FIELD',
      undefined,
    ]);
    expect(charts[1].results).toHaveLength(2);
    for (const path of [`/dashboards/${id}/data`, `/dashboards/${id}`, '/dashboards'])
      expect((await clerk.get(path)).text).not.toMatch(/"worth"|"signed"/);
    expect(Object.keys(charts[0]).toSorted()).toEqual(['chart_type', 'error', 'id', 'position', 'title']);
  });

  it('tells nothing of an object that is hidden', async () => {
    const charts = await chartsOf(guest, id);
    expect(charts.map((chart) => chart.error?.code)).toEqual([
      ...Array.from({ length: 5 }, () => 'PERMISSION_DENIED'),
      undefined,
    ]);
    for (const path of [`/dashboards/${id}/data`, `/dashboards/${id}`, '/dashboards'])
      expect((await guest.get(path)).text).not.toMatch(/deals|stage/);
    expectError(await guest.post(`/dashboards/${id}/charts`, worth), 'PERMISSION_DENIED');
  });

  it('lets nobody find out by a chart whether a hidden field is there', async () => {
    for (const metric_field of ['worth', 'nothing']) {
      const reply = await clerk.post('/dashboards', { name: 'x', charts: [{ ...stages, metric_field }] });
      expect(reply.json.charts[0]).toMatchObject({ metric_field: null, group_by: 'stage' });
    }
    const [hidden, none] = [{ ...worth }, { ...worth, metric_field: 'nothing' }].map((chart) =>
      clerk.post('/dashboards', { name: 'x', charts: [chart] }),
    );
    expect((await hidden!).text).toBe((await none!).text.replaceAll('nothing', 'worth'));
  });
});

it('follows fields that are renamed, and says so where one is gone or another took its name', async () => {
  const filters = {
    type: 'AND',
    conditions: [{ type: 'OR', conditions: [{ field: 'company.name', operator: 'is_null' }] }],
  };
  const { id } = await make([
    { ...worth, filters },
    { ...stages, group_by: 'company.name' },
  ]);
  await applied(ada, {
    objects: [
      {
        name: 'agreements',
        renamedFrom: 'deals',
        fields: [
          { name: 'amount', renamedFrom: 'worth', type: 'NUMBER' },
          { name: 'firm', renamedFrom: 'company', type: 'RELATION', relationConfig: { targetObjectName: 'companies' } },
        ],
      },
    ],
  });
  await applied(ada, { objects: [{ name: 'agreements', fields: [{ name: 'worth', type: 'TEXT' }] }] });
  const [sum, groups] = await chartsOf(ada, id);
  expect(sum).toMatchObject({ object_name: 'agreements', metric_field: 'amount', value: 52.5 });
  expect(sum.filters.conditions[0].conditions[0].field).toBe('firm.name');
  expect(groups).toMatchObject({ group_by: 'firm.name', results: [{ group: null, value: 6 }] });
  const removal = { objects: [{ name: 'agreements', fields: [{ name: 'amount', absent: true }] }] };
  const reply = await ada.post('/manifest?allow_destroy=true', removal);
  expect(reply.status, reply.text).toBe(200);
  const [gone, stays] = await chartsOf(ada, id);
  expect(gone).toMatchObject({ title: 'Worth', error: { code: 'INVALID_FIELD' } });
  expect(stays.results).toHaveLength(1);
});
