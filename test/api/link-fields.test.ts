/** The fields that links of a MANY_TO_MANY carry, in filters, rules, exports and imports. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import type { FieldDefinition } from '../../src/model/definition.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, createAll, expectError, list } from './records.ts';
import { addObject, addRole } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let people: readonly Reply['json'][];

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  people = await createAll(
    admin,
    'contacts',
    ['Ann', 'Bob', 'Cy'].map((first_name) => ({ first_name })),
  );
});
afterAll(() => kith.stop());

const named = (records: readonly { readonly name: string }[]) => records.map(({ name }) => name);

describe('the fields of links', () => {
  let x: Reply['json'];
  let y: Reply['json'];
  let none: Reply['json'];
  const found = async (field: string, operator: string, value?: unknown) =>
    named(await list(admin, 'plans', { filters: { field, operator, value }, sort_by: 'name', sort_dir: 'asc' })).join(
      ' ',
    );

  beforeAll(async () => {
    const part = (name: string, type: FieldDefinition['type'], more = {}) => ({
      id: newId(),
      name,
      definition: { label: name, type, ...more },
    });
    await addObject(kith, organization, 'plans', {
      name: 'TEXT',
      crew: {
        type: 'MANY_TO_MANY',
        relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' },
        junctionFields: [
          part('role', 'TEXT'),
          part('hours', 'NUMBER'),
          part('grade', 'SELECT', { options: [{ value: 's', label: 'Senior' }] }),
          part('since', 'DATE'),
          part('paid', 'BOOLEAN'),
        ],
      },
    });
    const [a, b] = [people[0].id, people[1].id];
    x = await create(admin, 'plans', {
      name: 'X',
      crew: [
        { id: a, role: 'Lead', hours: 10 },
        { id: b, role: 'Dev' },
      ],
    });
    y = await create(admin, 'plans', { name: 'Y', crew: [{ id: b, grade: 's', since: '2026-03-01', paid: true }] });
    none = await create(admin, 'plans', { name: 'Z' });
  });

  it.each([
    ['crew.role', 'equals', 'Lead', 'X'],
    ['crew.role', 'not_equals', 'Lead', 'Y Z'],
    ['crew.role', 'in', 'Dev,Ops', 'X'],
    ['crew.role', 'not_in', 'Dev,Ops', 'Y Z'],
    ['crew.role', 'contains', 'ea', 'X'],
    ['crew.role', 'is_null', undefined, 'Y Z'],
    ['crew.role', 'is_not_null', undefined, 'X'],
    ['crew.role', 'is_empty', undefined, 'Y Z'],
    ['crew.hours', 'greater_than', 5, 'X'],
    ['crew.hours', 'is_not_empty', undefined, 'X'],
    ['crew.grade', 'equals', 'Senior', 'Y'],
    ['crew.since', 'date_after', '2026-02-01', 'Y'],
    ['crew.paid', 'is_true', undefined, 'Y'],
    ['crew.paid', 'is_false', undefined, ''],
  ])('%s %s %j finds %s', async (field, operator, value, expected) => {
    expect(await found(field, operator, value)).toBe(expected);
  });

  it('are found by id as the field itself is', async () => {
    for (const field of ['crew', 'crew.id']) {
      expect(await found(field, 'equals', people[0].id)).toBe('X');
      expect(await found(field, 'in', `${people[0].id},${people[1].id}`)).toBe('X Y');
      expect(await found(field, 'is_null')).toBe('Z');
    }
  });

  it('count again when a link changes', async () => {
    const filters = { field: 'crew.role', operator: 'equals', value: 'Late' };
    const total = async () => (await admin.get('/records/plans', { filters })).json.total;
    expect(await total()).toBe(0);
    await admin.put(`/records/plans/${none.id}`, { crew: [{ id: people[2].id, role: 'Late' }] });
    expect(await total()).toBe(1);
    await admin.put(`/records/plans/${none.id}`, { crew: [] });
    expect(await total()).toBe(0);
  });

  it.each(['crew.nothing', 'crew.first_name', 'crew.role.x', 'crew.display'])('%s is INVALID_FIELD', async (field) => {
    expectError(await admin.get('/records/plans', { filters: { field, operator: 'is_null' } }), 'INVALID_FIELD');
  });

  it('are no order and no part of fields; a wrong operator or value is told', async () => {
    for (const query of [{ sort_by: 'crew.role' }, { fields: 'crew.role' }]) {
      expectError(await admin.get('/records/plans', query), 'INVALID_FIELD');
    }
    for (const filters of [
      { field: 'crew.hours', operator: 'contains', value: '1' },
      { field: 'crew.hours', operator: 'equals', value: 'many' },
      { field: 'crew.grade', operator: 'equals', value: 'nobody' },
    ]) {
      expectError(await admin.get('/records/plans', { filters }), 'VALIDATION_ERROR');
    }
  });

  it('may be what a role sees by; a hidden field of links is like none', async () => {
    await addRole(kith, organization, 'Leads', {
      '*': { view: 'all' },
      plans: {
        view: { type: 'AND', conditions: [{ field: 'crew.role', operator: 'equals', value: 'Lead' }] },
        fields: { crew: 'none' },
      },
    });
    const lead = await organization.user('Leads');
    expect(named(await list(lead, 'plans'))).toEqual(['X']);
    const hidden = await lead.get('/records/plans', { filters: { field: 'crew.role', operator: 'is_null' } });
    const unknown = await lead.get('/records/plans', { filters: { field: 'none.role', operator: 'is_null' } });
    expectError(hidden, 'INVALID_FIELD');
    expect(hidden.text.replaceAll('crew', 'none')).toBe(unknown.text);
  });

  it('leave in an export as JSON, and come back from it, or from JSON in a cell; CSV has labels alone', async () => {
    const query = { fields: 'name,crew', filters: { field: 'name', operator: 'in', value: 'X,Y' }, sort_by: 'name' };
    const csv = await admin.get('/export/plans', { ...query, format: 'csv' });
    expect(csv.text).toBe('name,crew\r\nX,Ann; Bob\r\nY,Bob\r\n');
    const { records } = (await admin.get('/export/plans', query)).json;
    const cell = JSON.stringify([
      { display: 'Ann', role: 'Lead', hours: 10 },
      { display: 'Bob', role: 'Dev' },
    ]);
    const imported = await admin.post('/import/plans', { records: [{ name: 'in a cell', crew: cell }, ...records] });
    expect(imported.json, imported.text).toMatchObject({ created: 3, failed: 0 });
    const crews = await Promise.all(
      imported.json.created_ids.map(async (id: string) => (await admin.get(`/records/plans/${id}`)).json.record.crew),
    );
    expect(crews).toEqual([x.crew, x.crew, y.crew]);
  });
});

it('get their defaults where a link gives none, and are asked for where they are required', async () => {
  const junctionFields = [
    { name: 'role', type: 'TEXT', isRequired: true },
    { name: 'share', type: 'INTEGER', defaultValue: 7 },
  ];
  const crew = { name: 'crew', type: 'MANY_TO_MANY', relationConfig: { targetObjectName: 'contacts' }, junctionFields };
  const fields = [{ name: 'name', type: 'TEXT' }, crew];
  expect((await admin.post('/manifest', { objects: [{ name: 'boats', fields }] })).status).toBe(200);
  const [ann, bob] = people.map(({ id }) => id);
  const boat = (links: readonly unknown[]) => admin.post('/records/boats', { name: 'B', crew: links });
  for (const links of [[ann], [{ id: ann }], [{ id: ann, role: ' ' }], [{ id: ann, role: null, share: 1 }]])
    expect((await boat(links)).json).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'crew needs role with each link',
    });
  const { id } = (
    await boat([
      { id: ann, role: 'Cook' },
      { id: bob, role: 'Mate', share: null },
    ])
  ).json;
  expect((await admin.get(`/records/boats/${id}`)).json.record.crew).toMatchObject([
    { id: ann, role: 'Cook', share: 7 },
    { id: bob, role: 'Mate', share: null },
  ]);
});
