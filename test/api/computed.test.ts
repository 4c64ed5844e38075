/** CALCULATED and ROLLUP fields as a caller meets them: read, filtered, sorted, exported, under each role's policy. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create, createAll, expectError, walk } from './records.ts';

const rollup = (fn: string, field?: string) => ({
  type: 'ROLLUP',
  rollup: { objectName: 'projects', relationField: 'company_id', function: fn, ...(field && { field }) },
});
const calculated = (expression: string, outputType: string) => ({
  type: 'CALCULATED',
  calculation: { expression, outputType },
});
const all = { view: 'all', create: true, update: 'all', delete: 'all' };

const manifest = {
  objects: [
    {
      name: 'projects',
      fields: [
        { name: 'name', type: 'TEXT' },
        { name: 'company_id', type: 'RELATION', relationConfig: { targetObjectName: 'companies' } },
        { name: 'budget', type: 'CURRENCY' },
        { name: 'share', type: 'PERCENT' },
        { name: 'due', type: 'DATE' },
        { name: 'weighted', ...calculated('budget * share / 100', 'DECIMAL') },
        { name: 'late', ...calculated('due < today()', 'BOOLEAN') },
      ],
    },
    {
      name: 'companies',
      fields: [
        { name: 'project_count', ...rollup('COUNT') },
        { name: 'project_total', ...rollup('SUM', 'budget') },
        { name: 'weighted_total', ...rollup('SUM', 'weighted') },
        { name: 'mean_share', ...rollup('AVG', 'share') },
        { name: 'first_due', ...rollup('MIN', 'due') },
        { name: 'late_share', ...rollup('PERCENT_TRUE', 'late') },
        { name: 'size', ...calculated("if(project_total > 100, 'big', concat('small: ', project_count))", 'TEXT') },
      ],
    },
  ],
  roles: [
    { name: 'Own', permissions: { '*': all, projects: { ...all, view: 'own' } } },
    { name: 'Budgetless', permissions: { '*': all, projects: { ...all, fields: { budget: 'none' } } } },
    { name: 'Unrelated', permissions: { '*': all, projects: { ...all, fields: { company_id: 'none' } } } },
    { name: 'Projectless', permissions: { '*': all, projects: { view: 'none' } } },
    {
      name: 'Rich',
      permissions: {
        '*': all,
        projects: { ...all, view: 'own' },
        companies: {
          ...all,
          view: { type: 'AND', conditions: [{ field: 'project_total', operator: 'greater_than', value: 100 }] },
          update: { type: 'AND', conditions: [{ field: 'size', operator: 'equals', value: 'big' }] },
        },
      },
    },
  ],
};

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
const ids: Record<string, string> = {};

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await apply(admin, manifest);
  for (const name of ['Acme', 'Bolt', 'Cusp', 'Dune']) ids[name] = (await create(admin, 'companies', { name })).id;
  const projects: [string, string, number | null, number | null, string | null][] = [
    ['one', 'Acme', 100, 50, '2000-01-31'],
    ['two', 'Acme', 20.5, 25, '9999-12-31'],
    ['three', 'Bolt', 100, null, '2000-02-01'],
    ['four', 'Cusp', null, 10, null],
  ];
  for (const [name, company, budget, share, due] of projects) {
    await create(admin, 'projects', { name, company_id: ids[company], budget, share, due });
  }
});
afterAll(() => kith.stop());

const names = async (client: Client, object: string, query: object): Promise<string[]> => {
  const reply = await client.get(`/records/${object}`, { ...query });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.map((record: { name: string }) => record.name);
};

const computedOf = async (client: Client, name: string) => {
  const { record } = (await client.get(`/records/companies/${ids[name]}`)).json;
  return [
    record.project_count,
    record.project_total,
    record.weighted_total,
    record.mean_share,
    record.first_due,
    record.late_share,
    record.size,
  ];
};

describe('values', () => {
  it.each([
    ['Acme', [2, 120.5, 55.125, 37.5, '2000-01-31', 50, 'big']],
    ['Bolt', [1, 100, null, null, '2000-02-01', 100, 'small: 1']],
    ['Cusp', [1, null, null, 10, null, 0, 'small: 1']],
    ['Dune', [0, null, null, null, null, null, 'small: 0']],
  ])('of %s', async (name, values) => expect(await computedOf(admin, name)).toEqual(values));

  it('are written without zeros at the end', async () => {
    const { text } = await admin.get('/records/projects', {
      filter_field: 'name',
      filter_operator: 'equals',
      filter_value: 'one',
    });
    expect(text).toContain('"weighted":50,');
  });

  it('stand in the answer of a write', async () => {
    const made = await admin.post('/records/companies', { name: 'Echo' });
    expect(made.json.record).toMatchObject({ project_count: 0, project_total: null, size: 'small: 0' });
    const changed = await admin.put(`/records/companies/${ids['Acme']}`, { domain: 'acme.test' });
    expect(changed.json.record).toMatchObject({ project_count: 2, project_total: 120.5, size: 'big' });
    await admin.delete(`/records/companies/${made.json.record.id}`);
  });

  it('are never written', async () => {
    expectError(await admin.put(`/records/companies/${ids['Acme']}`, { project_count: 7 }), 'VALIDATION_ERROR');
  });
});

describe('questions', () => {
  it.each<[object, string[]]>([
    [{ filter_field: 'project_count', filter_operator: 'equals', filter_value: '1' }, ['Bolt', 'Cusp']],
    [{ filter_field: 'project_total', filter_operator: 'greater_equal', filter_value: '100' }, ['Acme', 'Bolt']],
    [{ filter_field: 'project_total', filter_operator: 'is_null' }, ['Cusp', 'Dune']],
    [{ filter_field: 'first_due', filter_operator: 'date_before', filter_value: '2000-02-01' }, ['Acme']],
    [{ filter_field: 'size', filter_operator: 'starts_with', filter_value: 'small' }, ['Bolt', 'Cusp', 'Dune']],
    [{ filter_field: 'weighted_total', filter_operator: 'between', filter_value: '55,56' }, ['Acme']],
  ])('%j finds %j', async (query, found) => {
    expect(await names(admin, 'companies', { ...query, sort_by: 'name', sort_dir: 'asc' })).toEqual(found);
    const { json } = await admin.get('/records/companies', { ...query });
    expect(json.total).toBe(found.length);
  });

  it.each([
    ['project_total', 'asc', ['Bolt', 'Acme']],
    ['project_total', 'desc', ['Acme', 'Bolt']],
    ['first_due', 'desc', ['Bolt', 'Acme']],
    ['size', 'desc', ['Dune', 'Cusp', 'Bolt', 'Acme']],
  ])('sorted by %s %s, one by one', async (field, direction, first) => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { json, text } = await admin.get('/records/companies', {
        sort: [{ field, direction }],
        limit: 1,
        ...(cursor && { cursor }),
      });
      expect(json.total, text).toBe(4);
      found.push(...json.data.map((record: { name: string }) => record.name));
      cursor = json.nextCursor;
    } while (cursor !== undefined);
    expect(found.slice(0, first.length)).toEqual(field === 'size' ? [found[0], found[1], found[2], 'Acme'] : first);
    expect(found.toSorted()).toEqual(['Acme', 'Bolt', 'Cusp', 'Dune']);
  });

  it('through a relation', async () => {
    const through = { filter_field: 'company_id.project_total', filter_operator: 'greater_than', filter_value: '100' };
    expect(await names(admin, 'projects', { ...through, sort_by: 'name', sort_dir: 'asc' })).toEqual(['one', 'two']);
    const { json } = await admin.get('/records/projects', {
      ...through,
      sort_by: 'name',
      sort_dir: 'asc',
      fields: 'name,company_id.size',
    });
    expect(json.data[0]).toMatchObject({ name: 'one', 'company_id.size': 'big' });
  });

  it('in an export', async () => {
    const { json } = await admin.get('/export/companies', { sort_by: 'name', fields: 'name,project_total,first_due' });
    expect(json.records[0]).toEqual({ name: 'Acme', project_total: 120.5, first_due: '2000-01-31' });
    const csv = await admin.get('/export/companies', {
      format: 'csv',
      sort_by: 'name',
      sort_dir: 'asc',
      fields: 'name,project_total,size',
    });
    expect(csv.text.trim().split(/\r?\n/)).toEqual([
      'name,project_total,size',
      'Acme,120.5,big',
      'Bolt,100,small: 1',
      'Cusp,,small: 1',
      'Dune,,small: 0',
    ]);
  });

  it('a remembered total notices the records that a ROLLUP is over', async () => {
    const asked = { filter_field: 'project_count', filter_operator: 'equals', filter_value: '0' };
    const total = async () => (await admin.get('/records/companies', asked)).json.total;
    expect([await total(), await total()]).toEqual([1, 1]);
    const { id } = await create(admin, 'projects', { name: 'five', company_id: ids['Dune'] });
    expect(await total()).toBe(0);
    await admin.delete(`/records/projects/${id}`);
    expect(await total()).toBe(1);
    await admin.post(`/records/projects/${id}/restore`);
    expect(await total()).toBe(0);
    await admin.put(`/records/projects/${id}`, { company_id: null });
    expect(await total()).toBe(1);
    await admin.delete(`/records/projects/${id}`);
  });

  it.each([
    ['project_total', 'contains', "can't be filtered by contains"],
    ['first_due', 'is_true', "can't be filtered by is_true"],
  ])('%s %s is refused', async (field, operator, message) => {
    const reply = await admin.get('/records/companies', {
      filter_field: field,
      filter_operator: operator,
      filter_value: 'x',
    });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.text).toContain(message);
  });
});

it('a walk sorted by what looks at the time is whole, though time goes on', async () => {
  const closed = { expression: 'coalesce(closed_at, now())', outputType: 'DATETIME' };
  const fields = [
    { name: 'name', type: 'TEXT' },
    { name: 'closed_at', type: 'DATETIME' },
    { name: 'until', type: 'CALCULATED', calculation: closed },
  ];
  const applied = await admin.post('/manifest', { objects: [{ name: 'stays', fields }] });
  expect(applied.status, applied.text).toBe(200);
  const times = [null, '2026-01-01T00:00:00Z', null, '9999-01-01T00:00:00Z', null];
  await createAll(
    admin,
    'stays',
    times.map((closed_at, index) => ({ name: String(index), closed_at })),
  );
  const orders = { asc: ['1', '0', '2', '4', '3'], desc: ['3', '4', '2', '0', '1'] };
  for (const [sort_dir, order] of Object.entries(orders)) {
    const { records } = await walk(admin, 'stays', { sort_by: 'until', sort_dir, limit: 1 });
    expect(records.map((record) => record.name)).toEqual(order);
  }
});

describe('roles', () => {
  it('a ROLLUP is over the records that the caller may see', async () => {
    const own = await organization.user('Own');
    expect(await computedOf(own, 'Acme')).toEqual([0, null, null, null, null, null, 'small: 0']);
    const { id } = await create(own, 'projects', { name: 'mine', company_id: ids['Dune'], budget: 300, share: 10 });
    expect(await computedOf(own, 'Dune')).toEqual([1, 300, 30, 10, null, 0, 'big']);
    expect(await names(own, 'companies', { sort_by: 'project_count', sort_dir: 'desc', limit: 1 })).toEqual(['Dune']);
    await own.delete(`/records/projects/${id}`);
    expect(await computedOf(await organization.user('Projectless'), 'Acme')).toEqual([
      0,
      null,
      null,
      null,
      null,
      null,
      'small: 0',
    ]);
  });

  it.each([
    ['Budgetless', ['project_count', 'mean_share', 'first_due', 'late_share']],
    ['Unrelated', []],
  ])('%s sees only what hidden fields are no part of', async (role, shown) => {
    const client = await organization.user(role);
    const { record } = (await client.get(`/records/companies/${ids['Acme']}`)).json;
    const computed = [
      'project_count',
      'project_total',
      'weighted_total',
      'mean_share',
      'first_due',
      'late_share',
      'size',
    ];
    expect(computed.filter((name) => name in record)).toEqual(shown);
    const hidden = await client.get('/records/companies', { sort_by: 'size' });
    expectError(hidden, 'INVALID_FIELD');
  });

  it('a rule is over all records, and judged before and after a change', async () => {
    const rich = await organization.user('Rich');
    expect(await names(rich, 'companies', {})).toEqual(['Acme']);
    expect((await rich.get('/records/companies')).json.total).toBe(1);
    // It sees none of the projects that its rule counts.
    expect((await computedOf(rich, 'Acme'))[0]).toBe(0);
    expect((await rich.put(`/records/companies/${ids['Acme']}`, { domain: 'x.test' })).status).toBe(200);
    expectError(await rich.put(`/records/companies/${ids['Bolt']}`, { domain: 'x.test' }), 'RECORD_NOT_FOUND');
  });
});

describe('manifests', () => {
  const apply = async (fields: object[], more: object[] = []) =>
    admin.post('/manifest', { objects: [{ name: 'companies', fields }, ...more] });

  it.each<[string, object[], object[], string]>([
    [
      'a circle over two objects',
      [{ name: 'a', ...rollup('SUM', 'b') }],
      [
        {
          name: 'projects',
          fields: [
            { name: 'b', ...calculated('c', 'DECIMAL') },
            { name: 'c', ...calculated('b + 1', 'DECIMAL') },
          ],
        },
      ],
      'leans on b itself',
    ],
    ['a sum of days', [{ name: 'a', ...rollup('SUM', 'due') }], [], 'does not work on due'],
    ['a least text', [{ name: 'a', ...rollup('MIN', 'name') }], [], 'does not work on name'],
    ['no field', [{ name: 'a', ...rollup('AVG') }], [], 'is required for AVG'],
    [
      'too many parts',
      [1, 2, 3, 4].map((at) => ({
        name: `a${at}`,
        ...calculated(Array.from({ length: 20 }, () => (at === 1 ? 'employees' : `a${at - 1}`)).join(' + '), 'DECIMAL'),
      })),
      [],
      'has more than 2,000 parts with the computed fields that it is made of',
    ],
    [
      'a long chain',
      Array.from({ length: 450 }, (_, at) => ({
        name: `a${at}`,
        ...calculated(at === 0 ? 'employees' : `a${at - 1} + 1`, 'DECIMAL'),
      })),
      [],
      'is nested deeper than 300 levels with the computed fields that it is made of',
    ],
    [
      'a mistake below another field',
      [
        { name: 'a', ...calculated('name * 2', 'DECIMAL') },
        { name: 'b', ...calculated('a + 1', 'DECIMAL') },
      ],
      [],
      'cannot calculate with a text (position 6)',
    ],
    [
      'too many of them',
      [
        { name: 'long', ...calculated(Array.from({ length: 200 }, () => 'employees').join(' + '), 'DECIMAL') },
        ...Array.from({ length: 60 }, (_, at) => ({ name: `a${at}`, ...calculated('long + 1', 'DECIMAL') })),
      ],
      [],
      'makes what a record of companies shows',
    ],
    ['another kind', [{ name: 'a', ...calculated('employees > 1', 'DECIMAL') }], [], 'the expression gives a boolean'],
  ])('%s is refused', async (_, fields, more, message) => {
    const reply = await apply(fields, more);
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.text).toContain(message);
  });

  it('takes the longest expression that it allows', async () => {
    const long = Array.from({ length: 200 }, () => 'employees').join(' + ');
    const deep = `${'if(employees > 1, employees + '.repeat(8)}1${')'.repeat(8)}`;
    const reply = await apply([
      { name: 'z1', ...calculated(long, 'DECIMAL') },
      { name: 'z2', ...calculated(`${deep} + z1 + z1`, 'DECIMAL') },
      ...Array.from({ length: 4 }, (_, at) => ({
        name: `y${at}`,
        ...calculated(at === 0 ? 'z2' : `y${at - 1} + 1`, 'DECIMAL'),
      })),
    ]);
    expect(reply.status, reply.text).toBe(200);
    await create(admin, 'companies', { name: 'Long', employees: 2 });
    const sorted = await admin.get('/records/companies', { sort_by: 'y3', limit: 1 });
    expect(sorted.json.data[0], sorted.text).toMatchObject({ name: 'Long', z1: 400 });
    expect(sorted.json.data[0].y3).toBe(sorted.json.data[0].z2 + 3);
  });
});
