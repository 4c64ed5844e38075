/** [spec: crm_global_search, crm_aggregate_records, crm_export_records] [decisions: Tools] The tools of records. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apply } from '../api/records.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { agents, type Agent } from './agent.ts';

let kith: TestKith;
let admin: Client;
let ada: Agent;
let ben: Agent;
let narrow: Agent;
const ids: Record<string, string> = {};

const people = [
  ['Anna', 'Berg', 'CEO', 10],
  ['Bob', 'Berg', 'CTO', 20],
  ['Carla', 'Dahl', 'CEO', 30],
  ['Dora', 'Ek', null, 40],
] as const;

beforeAll(async () => {
  kith = await startKith();
  const organization = await kith.organization({ currency: 'EUR' });
  ({ admin } = organization);
  await apply(admin, {
    roles: [
      {
        name: 'Narrow',
        permissions: {
          '*': { view: 'none', create: false, update: 'none', delete: 'none' },
          companies: { view: 'all', fields: { annual_revenue: 'none' } },
        },
      },
    ],
  });
  const agentOf = agents(kith);
  [ada, ben, narrow] = [
    agentOf(admin),
    agentOf(await organization.user('Member')),
    agentOf(await organization.user('Narrow')),
  ];
  const save = async (object_name: string, values: object) =>
    (await ada.ask('crm_save_record', { action: 'create', object_name, values })).id as string;
  for (const [index, name] of ['Globex', 'Acme'].entries()) {
    ids[name] = await save('companies', { name, employees: 10 * (index + 1), annual_revenue: 1_000 });
  }
  for (const [first_name, last_name, job_title] of people) {
    ids[first_name] = await save('contacts', {
      first_name,
      last_name,
      job_title,
      company_id: first_name < 'C' ? ids.Globex : ids.Acme,
      emails: [`${first_name.toLowerCase()}@berg.test`],
    });
  }
});
afterAll(() => kith.stop());

const contacts = { object_name: 'contacts' };
const find = (args: object) => ada.ask('crm_find_records', { ...contacts, ...args });
const names = async (args: object) =>
  (await find(args)).data.map(({ first_name }: { first_name: string }) => first_name).toSorted();
const condition = (field: string, operator: string, value: unknown) => ({
  type: 'AND',
  conditions: [{ field, operator, value }],
});

describe('crm_find_records', () => {
  it('CML-08: answers as the list of REST does, by the same parameters', async () => {
    expect(await find({})).toEqual((await admin.get('/records/contacts')).json);
    const query = { search: 'berg', sort_by: 'first_name', sort_dir: 'asc', limit: 1 };
    expect(await find(query)).toEqual((await admin.get('/records/contacts', query)).json);
    expect(await names({ filters: condition('company_id.name', 'equals', 'Globex') })).toEqual(['Anna', 'Bob']);
    expect(await names({ filters: JSON.stringify(condition('job_title', 'equals', 'CEO')) })).toEqual([
      'Anna',
      'Carla',
    ]);
    expect(
      await names({ filter_field: 'job_title', filter_operator: 'in', filter_value: ['CEO', 'CTO'] }),
    ).toHaveLength(3);
    expect(await names({ ids: [ids.Anna, ids.Dora] })).toEqual(['Anna', 'Dora']);
    expect(await names({ ids: `${ids.Anna},${ids.Bob}`, filters: condition('job_title', 'equals', 'CEO') })).toEqual([
      'Anna',
    ]);
    const grouped = await find({ group_by: 'job_title', limit_per_group: 1 });
    expect(grouped.counts).toEqual({ CEO: 2, CTO: 1, uncategorized: 1 });
    const sorted = await find({ sort: '[{"field":"last_name","direction":"desc"}]', fields: ['last_name'] });
    expect(sorted.data[0]).toEqual({ id: ids.Dora, last_name: 'Ek' });
  });

  it('gives one record, with its lists, and the fields that are asked for', async () => {
    const record = { object_name: 'contacts', record_id: ids.Anna };
    expect(await ada.ask('crm_find_records', record)).toEqual((await admin.get(`/records/contacts/${ids.Anna}`)).json);
    const { record: short } = await ada.ask('crm_find_records', { ...record, fields: 'job_title' });
    expect(short).toEqual({ id: ids.Anna, job_title: 'CEO' });
  });

  it('ends early where max_tokens are full, with the cursor of the others, and never has more', async () => {
    const found: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await ada.call('crm_find_records', { ...contacts, max_tokens: 600, cursor });
      expect([page.code, page.length <= 2_400]).toEqual(['ok', true]);
      found.push(...page.json.data.map(({ id }: { id: string }) => id));
      cursor = page.json.nextCursor;
      expect(page.json.truncated).toBe(cursor === undefined ? undefined : true);
      pages++;
    } while (cursor !== undefined);
    expect(new Set(found)).toEqual(new Set(['Anna', 'Bob', 'Carla', 'Dora'].map((name) => ids[name])));
    expect(found).toHaveLength(4);
    expect(pages).toBeGreaterThan(1);
    const { code, json } = await ada.call('crm_find_records', { ...contacts, max_tokens: 10 });
    expect([code, json.message]).toEqual(['VALIDATION_ERROR', expect.stringContaining('max_tokens is too small')]);
  });
});

describe('crm_global_search', () => {
  const search = async (args: object) => ada.ask('crm_global_search', { query: 'berg', ...args });
  const ofContacts = async (args: object) =>
    (await search({ object_name: 'contacts', ...args })).results[0].records.map(
      ({ first_name }: { first_name: string }) => first_name,
    );

  it('CGS-01, CGS-03: answers as REST does, with a limit of its own', async () => {
    expect(await search({})).toEqual((await admin.get('/search', { query: 'berg', limit: 20 })).json);
    expect((await search({ limit: 1, object_name: 'contacts' })).results[0].records).toHaveLength(1);
    expect(await ofContacts({ limit: 1, offset: 1, sort: [{ field: 'first_name', direction: 'asc' }] })).toEqual([
      'Bob',
    ]);
    expect((await ada.call('crm_global_search', { query: ' b' })).code).toBe('VALIDATION_ERROR');
    expect((await ada.call('crm_global_search', {})).code).toBe('MISSING_REQUIRED_FIELD');
    expect((await ada.call('crm_global_search', { query: 'x', limit: 1 })).json.message).toContain('2 characters');
  });

  it('CGS-01, CGS-02: passes over objects that lack a field of the filters, and sorts in place of ranking', async () => {
    const filtered = await search({ filters: condition('job_title', 'equals', 'CEO') });
    expect(filtered.results.map(({ objectName }: { objectName: string }) => objectName)).toEqual(['contacts']);
    expect(filtered.results[0].total).toBe(2);
    for (const [direction, order] of [
      ['asc', ['Anna', 'Bob', 'Carla', 'Dora']],
      ['desc', ['Dora', 'Carla', 'Bob', 'Anna']],
    ] as const) {
      expect(await ofContacts({ sort: JSON.stringify([{ field: 'first_name', direction }]) })).toEqual(order);
    }
    expect((await search({ filters: condition('no_such_field', 'equals', 'x') })).results).toEqual([]);
    const misspelt = { query: 'berg', sort: [{ field: 'frist_name', direction: 'asc' }] };
    const { json, warnings } = await ada.call('crm_global_search', misspelt);
    expect([json.results, warnings]).toEqual([
      [],
      ['No object that is searched has a field "frist_name" (did you mean "first_name"?): all are passed over'],
    ]);
    const named = { query: 'berg', object_name: 'contacts', filters: condition('no_such_field', 'equals', 'x') };
    expect((await ada.call('crm_global_search', named)).code).toBe('INVALID_FIELD');
    const hidden = { query: 'globex', filters: condition('annual_revenue', 'equals', 1_000) };
    expect((await ada.ask('crm_global_search', hidden)).results[0].total).toBe(1);
    expect((await narrow.ask('crm_global_search', hidden)).results).toEqual([]);
  });

  it('CGS-04: finds nothing of internal objects', async () => {
    for (const object_name of ['threads', 'interactions']) {
      expect((await ada.call('crm_global_search', { query: 'berg', object_name })).code).toBe('INVALID_OBJECT');
    }
    const within = await ada.call('crm_global_search', { query: 'berg', max_tokens: 1_000 });
    expect([within.code, within.length <= 4_000]).toEqual(['ok', true]);
  });
});

describe('crm_aggregate_records', () => {
  const aggregate = (args: object) => ada.ask('crm_aggregate_records', { ...args });

  it('CAR-01, CAR-02, CAR-09: answers as REST does, under both filters together', async () => {
    const asked = { field: 'id', function: 'COUNT', group_by: 'job_title' };
    expect(await aggregate({ ...contacts, ...asked })).toEqual((await admin.get('/aggregate/contacts', asked)).json);
    const filters = condition('last_name', 'equals', 'Berg');
    const simple = { filter_field: 'job_title', filter_operator: 'equals', filter_value: 'CEO' };
    expect(await aggregate({ ...contacts, field: 'id', function: 'COUNT', filters, ...simple })).toMatchObject({
      value: 1,
    });
    for (const needed of ['object_name', 'field', 'function']) {
      const { code, json } = await ada.call('crm_aggregate_records', { ...contacts, ...asked, [needed]: null });
      expect([code, json.message]).toEqual(['MISSING_REQUIRED_FIELD', expect.stringContaining(needed)]);
    }
  });

  it('CAR-03 to 06: tells what a field can be asked, and whether it may be', async () => {
    const wrong = await ada.call('crm_aggregate_records', { ...contacts, field: 'job_title', function: 'SUM' });
    expect(wrong.json).toMatchObject({
      code: 'INVALID_OPERATION',
      available_values: expect.arrayContaining(['COUNT']),
    });
    const companies = { object_name: 'companies', field: 'annual_revenue', function: 'SUM' };
    expect(await aggregate(companies)).toMatchObject({ value: 2_000 });
    expect((await aggregate({ ...companies, field: 'employees', function: 'MEDIAN' })).value).toBe(15);
    expect((await narrow.call('crm_aggregate_records', { ...contacts, field: 'id', function: 'COUNT' })).code).toBe(
      'PERMISSION_DENIED',
    );
    expect((await narrow.call('crm_aggregate_records', companies)).code).toBe('INVALID_FIELD');
  });

  it('CAR-08: groups by one field, of which it makes no spans', async () => {
    const asked = { ...contacts, field: 'id', function: 'COUNT' };
    expect((await ada.call('crm_aggregate_records', { ...asked, group_by: 'job_title,last_name' })).code).toBe(
      'VALIDATION_ERROR',
    );
    expect((await ada.call('crm_aggregate_records', { ...asked, group_by: 'created_at', bucket: 'month' })).code).toBe(
      'VALIDATION_ERROR',
    );
  });
});

describe('crm_export_records', () => {
  const exported = (args: object) => ada.ask('crm_export_records', { object_name: 'contacts', ...args });

  it('CER-01 to 03: is for admins, and has labels in place of ids', async () => {
    expect((await ben.call('crm_export_records', contacts)).code).toBe('PERMISSION_DENIED');
    const { json } = await admin.get('/export/contacts', { limit: 500 });
    expect(await exported({})).toEqual(json);
    expect(json.records[0].company_id).toMatch(/^(Acme|Globex)$/);
    const sorted = await exported({
      fields: ['first_name', 'company_id'],
      sort_by: 'first_name',
      sort_dir: 'desc',
      limit: 1,
    });
    expect(sorted).toMatchObject({ format: 'json', records: [{ first_name: 'Dora', company_id: 'Acme' }], total: 1 });
    const csv = await exported({ format: 'csv', fields: 'first_name', sort_by: 'first_name', limit: 3 });
    expect(csv).toEqual({
      format: 'csv',
      csv: 'first_name\r\nAnna\r\nBob\r\nCarla\r\n',
      total: 3,
      nextCursor: expect.any(String),
    });
    expect(
      await exported({ format: 'csv', fields: 'first_name', sort_by: 'first_name', cursor: csv.nextCursor }),
    ).toMatchObject({
      csv: 'first_name\r\nDora\r\n',
    });
    const between = { filter_field: 'first_name', filter_operator: 'not_in', filter_value: 'Anna,Bob' };
    expect((await exported({ ...between, fields: 'first_name' })).total).toBe(2);
    const ignored = await ada.call('crm_export_records', { ...contacts, filters: '{' });
    expect([ignored.code, ignored.json.total, ignored.warnings]).toEqual([
      'ok',
      4,
      ['filters is not valid JSON and was ignored'],
    ]);
    for (const format of ['json', 'csv']) {
      const cut = await ada.call('crm_export_records', { ...contacts, format, limit: 1 });
      expect(cut.warnings).toEqual(['The answer has 1 of 4 records: nextCursor goes on with the others']);
      expect([cut.json.nextCursor, cut.json.truncated]).toEqual([expect.any(String), undefined]);
      const small = await ada.call('crm_export_records', {
        ...contacts,
        format,
        max_tokens: format === 'csv' ? 300 : 600,
      });
      expect([small.length <= 2_400, small.json.total < 4]).toEqual([true, true]);
      expect(small.json).toMatchObject({ format, truncated: true, nextCursor: expect.any(String) });
    }
  });
});

describe('crm_save_record, crm_bulk, crm_duplicates, crm_undo', () => {
  const save = (args: object) => ada.ask('crm_save_record', { ...args });

  it('makes, changes, puts away, brings back and moves a record', async () => {
    const { id } = await save({ action: 'create', object_name: 'opportunities', values: '{"name":"Big"}' });
    const one = { object_name: 'opportunities', record_id: id };
    expect(await save({ action: 'update', ...one, values: { amount: 5 } })).toMatchObject({ id, action: 'updated' });
    const moved = await save({ action: 'move', ...one, pipeline_step_id: 'Qualified' });
    expect(moved).toMatchObject({ deal_id: id, action: 'moved' });
    expect(await save({ action: 'delete', ...one })).toEqual({ deleted: true });
    expect((await ada.ask('crm_undo', { action: 'trash', object_name: 'opportunities' })).data[0].id).toBe(id);
    expect(await save({ action: 'restore', ...one })).toMatchObject({ id, action: 'restored' });
    expect((await ada.ask('crm_undo', { action: 'steps', ...one })).data).toHaveLength(1);
    const { data } = await ada.ask('crm_undo', { action: 'history', ...one });
    expect(data.map(({ action, agent }: { action: string; agent: string }) => [action, agent])).toEqual(
      ['restore', 'delete', 'update', 'update', 'create'].map((action) => [action, 'test agent']),
    );
  });

  it('changes many at once, as many as are expected to match', async () => {
    const filters = condition('last_name', 'equals', 'Berg');
    const change = { action: 'update_field', ...contacts, field_name: 'job_title', field_value: 'Boss' };
    expect((await ada.call('crm_bulk', { ...change, filters, expected_count: 5 })).code).toBe('CONFLICT');
    expect(await ada.ask('crm_bulk', { ...change, filters, expected_count: '2' })).toMatchObject({
      updated: 2,
      failed: 0,
    });
    expect(await ada.ask('crm_bulk', { ...change, field_value: null, record_ids: [ids.Dora] })).toMatchObject({
      updated: 1,
    });
    const relation = {
      object_name: 'contacts',
      relation_field: 'company_id',
      target_ids: ids.Acme,
      record_ids: ids.Anna,
    };
    expect(await ada.ask('crm_bulk', { action: 'add_relation', ...relation })).toMatchObject({ failed: 0 });
    expect((await ada.call('crm_bulk', { action: 'remove_relation', ...relation })).code).toBe('INVALID_FIELD');
    expect((await ada.call('crm_bulk', { action: 'status', job_id: ids.Anna })).code).toBe('RECORD_NOT_FOUND');
    const records = [{ first_name: 'New' }, { first_name: 'Newer', emails: 'newer@berg.test' }];
    expect(await ada.ask('crm_bulk', { action: 'create', ...contacts, records })).toMatchObject({
      created: 2,
      failed: 0,
    });
    const again = {
      action: 'upsert',
      ...contacts,
      match: 'emails',
      records: [{ emails: 'newer@berg.test', last_name: 'Ny' }],
    };
    expect(await ada.ask('crm_bulk', again)).toMatchObject({ created: 0, updated: 1 });
  });

  it('finds duplicates, merges them and gives them back', async () => {
    const twin = (
      await save({
        action: 'create',
        ...contacts,
        values: { first_name: 'Carla', last_name: 'Dahl', emails: 'twin@x.test' },
      })
    ).id;
    const found = await ada.ask('crm_duplicates', { action: 'detect', ...contacts, fields: ['full_name'] });
    expect(found.duplicate_groups).toMatchObject([{ records: [{}, {}] }]);
    const merge = { object_name: 'contacts', master_id: ids.Carla, duplicate_ids: [twin] };
    expect(await ada.ask('crm_duplicates', { action: 'merge', ...merge })).toMatchObject({ duplicates_deleted: 1 });
    expect(await ada.ask('crm_duplicates', { action: 'unmerge', ...merge })).toMatchObject({ duplicates_restored: 1 });
    expect((await ben.call('crm_duplicates', { action: 'detect', ...contacts })).code).toBe('PERMISSION_DENIED');
    expect((await ada.call('crm_duplicates', { action: 'merge', ...contacts })).json.message).toContain('master_id');
  });

  it('lists what was done and takes it back', async () => {
    await save({ action: 'update', ...contacts, record_id: ids.Dora, values: { job_title: 'Wrong' } });
    const [last] = (await ada.ask('crm_undo', { action: 'list', limit: 1 })).data;
    expect(last).toMatchObject({ means: 'tool', agent: 'test agent', operation: 'records.update' });
    expect(await ada.ask('crm_undo', { action: 'undo', change_set: last.id })).toMatchObject({ undone: 1, left: [] });
    expect((await find({ record_id: ids.Dora })).record.job_title).toBeNull();
  });
});

it('crm_get_schema tells objects in short, one in full, and what else an agent has to know', async () => {
  const { objects } = await ada.ask('crm_get_schema');
  expect(objects[0].fields).toMatchObject({ first_name: 'TEXT', company_id: 'RELATION companies' });
  expect(JSON.stringify(objects).length).toBeLessThan(4_000);
  expect(await ada.ask('crm_get_schema', contacts)).toEqual((await admin.get('/schema/contacts')).json);
  expect(await ada.ask('crm_get_schema', { action: 'pipelines' })).toEqual((await admin.get('/pipelines')).json);
  expect(await ada.ask('crm_get_schema', { action: 'users', search: 'ada' })).toMatchObject({ total: 1 });
  expect(await ada.ask('crm_get_schema', { action: 'me' })).toEqual((await admin.get('/me')).json);
  expect((await narrow.ask('crm_get_schema')).objects).toMatchObject([{ name: 'companies' }]);
  expect((await ada.call('crm_get_schema', { object_name: 'contact' })).json.message).toContain('contacts');
});
