/** Paths through a relation, in filters, sorts and `fields`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, createAll, expectError, list, sortedIds, walk } from './records.ts';
import { addComputedField, addObject, addRole } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
/** Sees companies of its own only, and no industries. */
let member: Client;

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Each has a project; one project has none. */
let deals: readonly Reply['json'][];
let people: readonly Reply['json'][];

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  const to = (targetObjectName: string) => ({ relationType: 'BELONGS_TO_ONE' as const, targetObjectName });
  await addObject(kith, organization, 'deals', {
    name: 'TEXT',
    note: 'RICH_TEXT',
    amount: 'CURRENCY',
    whole: 'INTEGER',
    yes: 'BOOLEAN',
    day: 'DATE',
    time: 'DATETIME',
    mails: 'EMAILS',
    where: 'ADDRESS',
    kind: {
      type: 'SELECT',
      options: [
        { value: 'a', label: 'Alpha' },
        { value: 'b', label: 'Beta' },
      ],
    },
    tags: { type: 'MULTI_SELECT', options: ['x', 'y'].map((value) => ({ value, label: value })) },
    company_id: { type: 'RELATION', relationConfig: to('companies') },
    members: {
      type: 'MANY_TO_MANY',
      relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' },
    },
  });
  await addComputedField(kith, organization, 'deals', 'doubled', {
    type: 'CALCULATED',
    isReadonly: true,
    calculation: { expression: 'whole * 2', outputType: 'NUMBER' },
  });
  await addObject(kith, organization, 'projects', {
    name: 'TEXT',
    deal_id: { type: 'RELATION', relationConfig: to('deals') },
    opportunity_id: { type: 'RELATION', relationConfig: to('opportunities') },
    company_id: { type: 'RELATION', relationConfig: to('companies') },
    deal_of_company: { type: 'DEPENDENT_RELATION', dependsOn: 'company_id', relationConfig: to('deals') },
  });
  await addRole(kith, organization, 'Partner', {
    '*': { view: 'all', create: true, update: 'all' },
    companies: { view: 'own', create: true, fields: { industry: 'none' } },
  });
  member = await organization.user('Partner');
  people = await createAll(
    admin,
    'contacts',
    ['Ann', 'Bob', 'Cy'].map((first_name) => ({ first_name })),
  );
  deals = [
    await create(admin, 'deals', {
      name: 'Ärmel',
      note: '<p>hello</p>',
      amount: 5,
      whole: 1,
      yes: true,
      day: '2026-01-05',
      time: '2026-01-05T10:00:00Z',
      mails: ['one@x.test'],
      where: { city: 'Rome', formatted: 'Rome' },
      kind: 'a',
      tags: ['x'],
      members: [people[0].id],
    }),
    await create(admin, 'deals', {
      name: 'beta',
      whole: 2,
      yes: false,
      day: '2026-02-05',
      kind: 'b',
      tags: ['x', 'y'],
    }),
    await create(admin, 'deals', { name: 'Alpha', whole: null }),
  ];
  await createAll(admin, 'projects', [
    ...deals.map((deal, at) => ({ name: `P${at}`, deal_id: deal.id })),
    { name: 'P3' },
  ]);
});
afterAll(() => kith.stop());

const named = (records: readonly Named[]) => records.map(({ name }) => name);

describe('a filter through a relation', () => {
  it.each([
    ['name', 'equals', 'beta', 'P1'],
    ['name', 'contains', 'ALPH', 'P2'],
    ['note', 'contains', 'hello', 'P0'],
    ['amount', 'greater_equal', 5, 'P0'],
    ['whole', 'between', '1,2', 'P0 P1'],
    ['whole', 'is_null', undefined, 'P2 P3'],
    ['whole', 'not_equals', 1, 'P1 P2 P3'],
    ['doubled', 'equals', 4, 'P1'],
    ['yes', 'is_false', undefined, 'P1'],
    ['day', 'date_before', '2026-02-01', 'P0'],
    ['time', 'date_equals', '2026-01-05', 'P0'],
    ['mails', 'equals', 'one@x.test', 'P0'],
    ['mails', 'ends_with', '@x.test', 'P0'],
    ['where', 'starts_with', 'Rom', 'P0'],
    ['kind', 'in', 'Alpha,b', 'P0 P1'],
    ['tags', 'equals', 'y', 'P1'],
    ['tags', 'is_empty', undefined, 'P2 P3'],
    ['members', 'is_not_null', undefined, 'P0'],
    ['members', 'is_empty', undefined, 'P1 P2 P3'],
    ['owner', 'is_null', undefined, 'P3'],
    ['id', 'is_not_null', undefined, 'P0 P1 P2'],
    ['created_at', 'date_today', undefined, 'P0 P1 P2'],
  ])('deal_id.%s %s %j finds %s', async (field, operator, value, expected) => {
    const filters = { field: `deal_id.${field}`, operator, value };
    const { records } = await walk(admin, 'projects', { filters, sort_by: 'name', sort_dir: 'asc' });
    expect(named(records).join(' ')).toBe(expected);
  });

  it('asks for links and for steps behind it', async () => {
    const filters = { field: 'deal_id.members', operator: 'equals', value: people[0].id };
    expect(named(await list(admin, 'projects', { filters }))).toEqual(['P0']);
    const won = await create(admin, 'opportunities', { name: 'W', pipeline_step_id: 'Won' });
    const { id } = await create(admin, 'projects', { name: 'Step', opportunity_id: won.id });
    for (const field of ['opportunity_id.pipeline', 'opportunity_id.pipeline_step_id']) {
      const found = await list(admin, 'projects', {
        filters: { field, operator: 'equals', value: won.pipeline_step_id },
      });
      expect(sortedIds(found)).toEqual([id]);
    }
    await admin.delete(`/records/projects/${id}`);
  });

  it('goes through a DEPENDENT_RELATION', async () => {
    const company = await create(admin, 'companies', { name: 'Co' });
    const deal = await create(admin, 'deals', { name: 'Of Co', company_id: company.id });
    const { id } = await create(admin, 'projects', { name: 'Dep', company_id: company.id, deal_of_company: deal.id });
    const found = await list(admin, 'projects', {
      filters: { field: 'deal_of_company.name', operator: 'equals', value: 'Of Co' },
      sort_by: 'deal_of_company.name',
      fields: 'deal_of_company.name',
    });
    expect(found).toEqual([{ id, 'deal_of_company.name': 'Of Co' }]);
    await admin.delete(`/records/projects/${id}`);
  });

  it.each([
    ['two relations', 'deal_id.company_id.name', 'one relation only'],
    ['two relations that are not there', 'x.y.z', 'one relation only'],
    ['what is no relation', 'name.first', 'name.first'],
    ['an unknown field of a known object', 'deal_id.nothing', 'nothing'],
    ['nothing behind the dot', 'deal_id.', 'deals'],
  ])('%s is INVALID_FIELD in a filter, a sort and fields', async (_name, path, told) => {
    for (const query of [{ filters: { field: path, operator: 'is_null' } }, { sort_by: path }, { fields: path }]) {
      const reply = await admin.get('/records/projects', query);
      expectError(reply, 'INVALID_FIELD');
      expect(reply.json.message).toContain(told);
      expect(reply.json.available_values.length).toBeGreaterThan(0);
    }
  });
});

describe('a sort through a relation', () => {
  it.each([
    ['deal_id.name', 'asc', 'P2 P1 P0 P3'],
    ['deal_id.name', 'desc', 'P0 P1 P2 P3'],
    ['deal_id.whole', 'asc', 'P0 P1 P2 P3'],
    ['deal_id.whole', 'desc', 'P1 P0 P3 P2'],
    ['deal_id.doubled', 'desc', 'P1 P0 P3 P2'],
    ['deal_id.kind', 'asc', 'P0 P1 P2 P3'],
    ['deal_id.day', 'desc', 'P1 P0 P3 P2'],
    ['deal_id.mails', 'asc', 'P0 P1 P2 P3'],
  ])('%s %s is %s, page by page, with nulls last', async (sort_by, sort_dir, expected) => {
    for (const limit of [1, 2, 3, 100]) {
      const { records, total } = await walk(admin, 'projects', { sort_by, sort_dir, limit });
      expect([named(records).join(' '), total]).toEqual([expected, 4]);
    }
  });

  it('stands beside other keys, and the total that a filter remembers is not the sort’s', async () => {
    const filters = { field: 'name', operator: 'starts_with', value: 'P' };
    const sort = [
      { field: 'deal_id.yes', direction: 'desc' },
      { field: 'deal_id.name' },
      { field: 'name', direction: 'desc' },
    ];
    for (const limit of [1, 2]) {
      expect(named((await walk(admin, 'projects', { filters, sort, limit })).records).join(' ')).toBe('P0 P1 P2 P3');
    }
    const total = async (query: object) => (await admin.get('/records/projects', { filters, ...query })).json.total;
    expect(await total({ sort_by: 'deal_id.name' })).toBe(4);
    const extra = await create(admin, 'projects', { name: 'P9' });
    for (let at = 0; at < 3; at++) await admin.put(`/records/deals/${deals[2].id}`, { whole: at });
    await admin.put(`/records/deals/${deals[2].id}`, { whole: null });
    expect(await total({})).toBe(5);
    await admin.delete(`/records/projects/${extra.id}`);
    expect(await total({ sort_by: 'deal_id.name' })).toBe(4);
  });

  it.each(['deal_id.tags', 'deal_id.members'])('%s has no order', async (sort_by) => {
    expectError(await admin.get('/records/projects', { sort_by }), 'VALIDATION_ERROR');
  });

  it('is told apart from another path by its cursor', async () => {
    const { nextCursor: cursor } = (await admin.get('/records/projects', { sort_by: 'deal_id.name', limit: 1 })).json;
    for (const sort_by of ['name', 'deal_id.whole', 'deal_id.note']) {
      expectError(await admin.get('/records/projects', { sort_by, cursor, limit: 1 }), 'VALIDATION_ERROR');
    }
  });

  it('sorts a record that may not be seen like none, and knows no hidden field', async () => {
    const seen = await create(member, 'companies', { name: 'M' });
    const unseen = await createAll(admin, 'companies', [{ name: 'A', industry: 'retail' }, { name: 'Z' }]);
    const rows = await createAll(admin, 'contacts', [
      { first_name: 'U0', company_id: unseen[0].id },
      { first_name: 'U1' },
      { first_name: 'U2', company_id: unseen[1].id },
      { first_name: 'U3', company_id: seen.id },
    ]);
    const filters = { field: 'first_name', operator: 'starts_with', value: 'U' };
    const order = async (query: object) => (await walk(member, 'contacts', { filters, limit: 1, ...query })).records;
    const byId = rows.map(({ id }) => id);
    for (const sort_dir of ['asc', 'desc']) {
      const without = [byId[0], byId[1], byId[2]];
      const expected = [byId[3], ...(sort_dir === 'asc' ? without : without.toReversed())];
      expect((await order({ sort_by: 'company_id.name', sort_dir })).map(({ id }) => id)).toEqual(expected);
    }
    expectError(await member.get('/records/contacts', { sort_by: 'company_id.industry' }), 'INVALID_FIELD');
    await admin.delete(`/records/companies/${seen.id}`);
    expect((await order({ sort_by: 'company_id.name', sort_dir: 'asc' })).map(({ id }) => id)).toEqual(byId);
  });
});

describe('fields through a relation', () => {
  it('are in lists, a get and an export', async () => {
    const query = { fields: 'name,deal_id.name,deal_id.kind', sort_by: 'name', sort_dir: 'asc' };
    const [first] = await list(admin, 'projects', query);
    const expected = { name: 'P0', 'deal_id.name': 'Ärmel', 'deal_id.kind': 'a' };
    expect(first).toMatchObject(expected);
    expect((await admin.get(`/records/projects/${first.id}`, { fields: query.fields })).json.record).toMatchObject(
      expected,
    );
    const csv = await admin.get('/export/projects', { ...query, format: 'csv', sort_by: 'deal_id.whole' });
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual(['name,deal_id.name,deal_id.kind', 'P0,Ärmel,a']);
  });
});
