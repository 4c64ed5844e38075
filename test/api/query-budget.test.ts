/** What one request may ask of PostgreSQL, and that what is long is computed once a row whatever is asked of it. */
import { describe, expect, it } from 'vitest';
import { loadModel } from '../../src/model/load.ts';
import type { Visibility } from '../../src/query/context.ts';
import { cursorSigners } from '../../src/query/cursor.ts';
import { noMemory } from '../../src/query/known-list.ts';
import type { ListRequest } from '../../src/query/plan.ts';
import { planList } from '../../src/query/plan-list.ts';
import type { Client } from '../support/kith.ts';
import { applied } from '../manifest/manifests.ts';
import { create, createAll, expectError, list, sortedIds, walk } from './records.ts';
import { admin, kith, organization, useStage } from './stage.ts';

const repeated = (count: number, text: (index: number) => string, separator = ', ') =>
  Array.from({ length: count }, (_, index) => text(index)).join(separator);
const computed = (expression: string, outputType: string) => ({
  type: 'CALCULATED',
  calculation: { expression, outputType },
});

/** `long` is `short` to everybody but PostgreSQL. */
const things = {
  name: 'things',
  fields: [
    { name: 'name', type: 'TEXT', isSearchable: true },
    { name: 'size', type: 'INTEGER' },
    { name: 'note', type: 'TEXT' },
    { name: 'company_id', type: 'RELATION', relationConfig: { targetObjectName: 'companies' } },
    { name: 'short', ...computed('size * 2', 'INTEGER') },
    { name: 'long', ...computed(`size * 2 + ${repeated(99, () => 'size - size', ' + ')}`, 'INTEGER') },
    { name: 'words', ...computed(`join(' ', ${repeated(95, (at) => (at === 0 ? 'name' : 'note'))})`, 'TEXT') },
    {
      name: 'part_sum',
      type: 'ROLLUP',
      rollup: { objectName: 'parts', relationField: 'thing_id', function: 'SUM', field: 'amount' },
    },
  ],
};
const parts = {
  name: 'parts',
  fields: [
    { name: 'name', type: 'TEXT' },
    { name: 'amount', type: 'INTEGER' },
    { name: 'thing_id', type: 'RELATION', relationConfig: { targetObjectName: 'things' } },
  ],
};

let member: Client;
let seller: Client;

useStage(async () => {
  await applied(admin, {
    objects: [things, parts],
    roles: [
      { name: 'Blind', permissions: { '*': { view: 'all' }, things: { fields: { size: 'none' } } } },
      { name: 'Seller', permissions: { '*': { view: 'all' }, companies: { view: 'own' } } },
    ],
  });
  member = await organization.user('Blind');
  seller = await organization.user('Seller');
  const company = await create(admin, 'companies', { name: 'Acme' });
  const made = await createAll(
    admin,
    'things',
    Array.from({ length: 30 }, (_, at) => ({
      name: `Thing ${at}`,
      size: at % 7 === 0 ? null : at % 10,
      ...(at % 2 === 0 && { company_id: company.id }),
    })),
  );
  await createAll(
    admin,
    'parts',
    made.slice(0, 12).map(({ id }, at) => ({ name: 'p', amount: at % 4, thing_id: id })),
  );
});

const all = (...conditions: readonly object[]) => ({ type: 'AND', conditions });
const many = (count: number, field: string, operator = 'not_equals') =>
  all(...Array.from({ length: count }, (_, at) => ({ field, operator, value: String(1_000 + at) })));

async function planOf(request: Partial<ListRequest>) {
  const model = await loadModel(kith.database.database, organization);
  const object = model.objects.get('things');
  if (!object) throw new Error('There are no things');
  const visibility: Visibility = { rows: () => 'all', shows: () => true };
  const context = { model, visibility, me: 'nobody', now: 0, timeZone: 'UTC' };
  const whole = { where: [], sort: [{ field: 'created_at', direction: 'desc' }], limit: 20, ...request } as const;
  return planList(context, object, whole, cursorSigners(Buffer.alloc(32))('organization'), noMemory).statement;
}

async function explained(request: Partial<ListRequest>): Promise<string> {
  const { text, values } = await planOf(request);
  const { rows } = await kith.database.database.run('test', {
    text: `explain (summary) ${text}`,
    values,
  });
  return rows.map(([line]) => line).join('\n');
}

describe('a computed field that is long to write', () => {
  it('is written once, whatever is asked of it', async () => {
    const once = (await planOf({ where: [many(1, 'words') as never] })).text.length;
    const often = (await planOf({ where: [many(300, 'words') as never] })).text.length;
    // Once for the list, and once for the records written since.
    expect(often - once).toBeLessThan(2 * 300 * 85);
    const sorted = await planOf({
      where: [many(300, 'words') as never],
      sort: ['words', 'long', 'name', 'size', 'note'].map((field) => ({ field, direction: 'asc' })),
    });
    expect(sorted.text.length).toBeLessThan(2 * often);
    const time = /Planning Time: ([\d.]+) ms/.exec(await explained({ where: [many(300, 'words') as never] }))?.[1];
    expect(Number(time)).toBeLessThan(2_000);
  });

  it.each<[string, object]>([
    ['equals', all({ field: 'F', operator: 'equals', value: '6' })],
    [
      'bounds',
      all({ field: 'F', operator: 'greater_than', value: '4' }, { field: 'F', operator: 'less_equal', value: '12' }),
    ],
    [
      'null or not',
      {
        type: 'OR',
        conditions: [
          { field: 'F', operator: 'is_null' },
          { field: 'F', operator: 'equals', value: 4 },
        ],
      },
    ],
    [
      'with others',
      all({ field: 'F', operator: 'not_equals', value: '6' }, { field: 'name', operator: 'contains', value: '1' }),
    ],
  ])('is filtered as a short one: %s', async (_, filter) => {
    const by = async (field: string) =>
      sortedIds(await list(admin, 'things', { filters: JSON.stringify(filter).replaceAll('"F"', `"${field}"`) }));
    expect(await by('long')).toEqual(await by('short'));
    expect((await by('long')).length).toBeGreaterThan(0);
  });

  it('sorts and is paged through as a short one', async () => {
    for (const direction of ['asc', 'desc']) {
      const by = async (field: string) => {
        const sort = [
          { field, direction },
          { field: 'name', direction: 'asc' },
        ];
        const { records } = await walk(admin, 'things', { sort, limit: 4, filters: many(3, field) });
        return records.map(({ name }) => name);
      };
      expect(await by('long')).toEqual(await by('short'));
      expect((await by('long')).length).toBe(30);
    }
  });

  it('is grouped and aggregated as a short one', async () => {
    const groups = async (field: string) =>
      (await admin.get('/records/things', { group_by: field, sort_by: field, filters: many(2, field) })).json;
    const { counts, groups: records } = await groups('short');
    expect(await groups('long')).toMatchObject({ counts, groups: records });
    for (const name of ['SUM', 'MEDIAN', 'RANGE', 'PERCENT_FILLED', 'COUNT_DISTINCT']) {
      const answer = async (field: string, group?: string) => {
        const { json } = await admin.get('/aggregate/things', { field, function: name, group_by: group });
        return group === undefined ? json.value : json.results;
      };
      expect(await answer('long'), name).toEqual(await answer('short'));
      expect(await answer('long', 'long'), name).toEqual(await answer('short', 'short'));
    }
  });

  it('is exported, also where it sums up other records', async () => {
    const filters = all(
      { field: 'part_sum', operator: 'greater_than', value: 0 },
      { field: 'part_sum', operator: 'less_than', value: 3 },
    );
    const { json } = await admin.get('/export/things', { filters, sort_by: 'part_sum', fields: 'part_sum' });
    expect(json.records.map((record: { part_sum: number }) => record.part_sum)).toEqual([1, 1, 1, 2, 2, 2]);
  });
});

describe('the budget of a statement', () => {
  it.each<[string, object, string]>([
    ['filters', { filters: many(240, 'company_id.name') }, 'company_id.name alone has'],
    [
      'filters and sorts together',
      { filters: many(225, 'company_id.name'), sort_by: 'words' },
      'company_id.name alone',
    ],
    ['a long field behind a relation', { filters: many(5, 'thing_id.words') }, 'thing_id.words alone has'],
    ['groups', { filters: many(225, 'company_id.name'), group_by: 'words' }, 'company_id.name alone'],
  ])('refuses too much of %s', async (_, query, message) => {
    const object = message.startsWith('thing_id') ? 'parts' : 'things';
    const reply = await admin.get(`/records/${object}`, query as Record<string, unknown>);
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.message).toContain('may have 3,000 parts together');
    expect(reply.json.message).toContain(message);
  });

  it('refuses too many fields behind relations, and takes some', async () => {
    const ask = (count: number) =>
      admin.get('/records/parts', {
        fields: `name,${repeated(count, (at) => `thing_id.${['name', 'size', 'words', 'part_sum', 'company_id'][at % 5]}`)}`,
      });
    expect((await ask(5)).status).toBe(200);
    const wide = Array.from({ length: 250 }, (_, at) => ({ name: `f${at}`, type: 'TEXT' }));
    await applied(admin, { objects: [{ name: 'things', fields: wide }] }, '?allow_lock=true');
    const reply = await admin.get('/records/parts', { fields: wide.map(({ name }) => `thing_id.${name}`).join(',') });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.message).toContain('may have 3,000 parts together');
  });

  it('lets aggregates and exports not past it', async () => {
    const filters = many(240, 'company_id.name');
    expectError(await admin.get('/aggregate/things', { function: 'COUNT', filters }), 'VALIDATION_ERROR');
    expectError(await admin.get('/export/things', { filters }), 'VALIDATION_ERROR');
  });

  it('takes two hundred conditions behind a relation, and joins for a few of them alone', async () => {
    const reply = await admin.get('/records/things', { filters: many(200, 'company_id.name'), sort_by: 'name' });
    expect(reply.json.total, reply.text).toBe(30);
    const { length } =
      (await explained({ where: [many(200, 'company_id.name') as never] })).match(/Join|Nested Loop/g) ?? [];
    expect(length).toBeLessThan(40);
  });

  it('counts the same whatever a role’s rule says', async () => {
    // A rule for companies counts for each look at them, however long or short it is.
    expectError(await seller.get('/records/things', { filters: many(60, 'company_id.name') }), 'VALIDATION_ERROR');
    expect((await seller.get('/records/things', { filters: many(40, 'company_id.name') })).status).toBe(200);
    const longer = all(
      ...Array.from({ length: 100 }, (_, at) => ({ field: 'name', operator: 'not_equals', value: `x${at}` })),
    );
    const before = await seller.get('/records/things', { filters: many(60, 'company_id.name') });
    await admin.post('/manifest', {
      roles: [{ name: 'Seller', permissions: { '*': { view: 'all' }, companies: { view: longer } } }],
    });
    expect((await seller.get('/records/things', { filters: many(60, 'company_id.name') })).text).toBe(before.text);
    expect((await seller.get('/records/things', { filters: many(40, 'company_id.name') })).status).toBe(200);
  });

  it('says nothing of a field that is hidden', async () => {
    // `long` is made of `size`, which the role hides.
    const [hidden, unknown] = await Promise.all(
      ['long', 'nope'].map((field) => member.get('/records/things', { filters: many(400, field) })),
    );
    expectError(hidden!, 'INVALID_FIELD');
    expect(hidden!.json.available_values).toEqual(unknown!.json.available_values);
  });
});

describe('a manifest', () => {
  const refusal = async (manifest: object) => {
    const reply = await admin.post('/manifest', manifest);
    expectError(reply, 'VALIDATION_ERROR');
    return reply.json.field_errors as { field: string; message: string }[];
  };
  const role = (permissions: object) => ({ roles: [{ name: 'Long', permissions }] });

  it('is refused where a rule is too long for every statement', async () => {
    const long = await refusal(role({ things: { view: many(160, 'name') } }));
    expect(long).toEqual([
      {
        field: 'roles[0].permissions.things.view',
        message: expect.stringContaining('has 160 parts; a rule may have 150'),
      },
    ]);
    const computedRule = await refusal(role({ things: { view: 'all', update: many(1, 'words') } }));
    expect(computedRule[0]?.field).toBe('roles[0].permissions.things.update');
    const behind = await refusal(role({ '*': { view: many(12, 'company_id.name') } }));
    expect(behind[0]?.field).toBe('roles[0].permissions.*.view');
  });

  it('is refused where a record would show more than can be read', async () => {
    const fields = Array.from({ length: 205 }, (_, at) => ({ name: `sum${at}`, ...things.fields[7], type: 'ROLLUP' }));
    const problems = await refusal({
      objects: [{ name: 'things', fields: fields.map((field, at) => ({ ...field, name: `sum${at}` })) }],
    });
    expect(problems[0]?.field).toBe('objects[0]');
    expect(problems[0]?.message).toMatch(/makes what a record of things shows [\d,]+ parts; 8,000 can be read at once/);
  });

  it('is refused where a role’s rule makes it so', async () => {
    await admin.post('/manifest', { roles: [{ name: 'Seller', permissions: { companies: { view: 'own' } } }] });
    const relations = Array.from({ length: 80 }, (_, at) => ({
      name: `r${at}`,
      type: 'RELATION',
      relationConfig: { targetObjectName: 'companies' },
    }));
    const object = { name: 'wide', fields: [{ name: 'name', type: 'TEXT' }, ...relations] };
    const problems = await refusal({ objects: [object], ...role({ companies: { view: many(140, 'name') } }) });
    expect(problems[0]?.field).toBe('roles[0].permissions');
    expect(problems[0]?.message).toContain('a record of wide');
    const short = await admin.post('/manifest', {
      objects: [object],
      ...role({ companies: { view: many(20, 'name') } }),
    });
    expect(short.status, short.text).toBe(200);
    const reader = await organization.user('Long');
    expect((await reader.get('/records/companies')).status).toBe(200);
  });
});

it('a sum over what ROLLUPs add up counts them twice, for their currencies', async () => {
  const rollup = { objectName: 'deposits', relationField: 'fund_id', function: 'SUM', field: 'amount' };
  const names = Array.from({ length: 45 }, (_, at) => `sum_${at}`);
  await applied(admin, {
    objects: [
      {
        name: 'funds',
        fields: [
          { name: 'name', type: 'TEXT' },
          ...names.map((name) => ({ name, type: 'ROLLUP', rollup })),
          { name: 'all_of_them', ...computed(names.join(' + '), 'NUMBER') },
        ],
      },
      {
        name: 'deposits',
        fields: [
          { name: 'name', type: 'TEXT' },
          { name: 'amount', type: 'CURRENCY' },
          { name: 'fund_id', type: 'RELATION', relationConfig: { targetObjectName: 'funds' } },
        ],
      },
    ],
  });
  const asked = (called: string, field: string) => admin.get('/aggregate/funds', { function: called, field });
  expect((await asked('AVG', 'all_of_them')).status).toBe(200);
  expect((await asked('SUM', 'sum_0')).status).toBe(200);
  const refused = await asked('SUM', 'all_of_them');
  expectError(refused, 'VALIDATION_ERROR');
  expect(refused.json.message).toContain('Too much is asked at once');
});
