/** What a role may do, and what it is not told of. [contract: Workspace manifest; spec: Authentication] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PermissionEntry } from '../../src/model/model.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, expectError, fieldsIn, list } from './records.ts';
import { addComputedField, addObject, addRole } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let roles = 0;

/** A user with a role of these permissions. */
async function userWith(permissions: Record<string, PermissionEntry>): Promise<Client> {
  const name = `Role ${++roles}`;
  await addRole(kith, organization, name, permissions);
  return organization.user(name);
}

const all = { view: 'all', create: true, update: 'all', delete: 'all' } as const;
const where = (field: string, operator: string, value?: string | string[]) => ({
  type: 'AND' as const,
  conditions: [{ field, operator, ...(value !== undefined && { value }) }],
});

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await addObject(kith, organization, 'plans', {
    name: { type: 'TEXT', isSearchable: true },
    note: { type: 'TEXT', isSearchable: true, defaultValue: 'by default' },
    level: {
      type: 'SELECT',
      options: [
        { value: 'low', label: 'Low' },
        { value: 'high', label: 'High' },
      ],
    },
    company_id: {
      type: 'RELATION',
      relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: 'companies' },
    },
    people: {
      type: 'MANY_TO_MANY',
      relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' },
    },
    shout: {
      type: 'CALCULATED',
      isReadonly: true,
      calculation: { expression: 'upper(note)', outputType: 'TEXT' },
    },
  });
  await addObject(kith, organization, 'audits', {
    name: 'TEXT',
    grade: { type: 'INTEGER', isRequired: true },
    at: 'DATETIME',
  });
});

afterAll(() => kith.stop());

describe('rows', () => {
  it('are those that the rule admits: in lists, totals, gets, searches, displays and links', async () => {
    const [shown, hidden] = [
      await create(admin, 'companies', { name: 'Shown Zeppelin', industry: 'software' }),
      await create(admin, 'companies', { name: 'Hidden Zeppelin', industry: 'retail' }),
    ];
    const user = await userWith({ '*': all, companies: { view: where('industry', 'equals', 'software') } });
    for (const query of [
      {},
      { search: 'zeppelin' },
      { filter_field: 'name', filter_operator: 'contains', filter_value: 'Zeppelin' },
    ]) {
      const reply = await user.get('/records/companies', query);
      expect(reply.json).toMatchObject({ total: 1, data: [{ id: shown.id }] });
    }
    expectError(await user.get(`/records/companies/${hidden.id}`), 'RECORD_NOT_FOUND');
    const plan = await create(admin, 'plans', { name: 'p', company_id: hidden.id });
    expect((await user.get(`/records/plans/${plan.id}`)).json.record).toMatchObject({
      company_id: hidden.id,
      company_id_display: null,
    });
    expect(await list(user, 'plans', { filters: where('company_id.name', 'is_not_null') })).toEqual([]);
    const taken = await user.post('/records/plans', { name: 'q', company_id: hidden.id });
    const unknown = await user.post('/records/plans', {
      name: 'q',
      company_id: '01890a5d-ac96-774b-bcce-b302099a8057',
    });
    expect(taken.text).toBe(unknown.text);
  });

  it('may be chosen through a relation, by a field that the role does not see, and by the caller', async () => {
    const client = await userWith({
      '*': all,
      plans: { view: where('company_id.employees', 'greater_than', '5'), fields: { company_id: 'none' } },
      contacts: { view: where('owner', 'in', ['$me']), create: true },
    });
    const big = await create(admin, 'companies', { name: 'Big', employees: 10 });
    const plan = await create(admin, 'plans', { name: 'of Big', company_id: big.id });
    await create(admin, 'plans', { name: 'of nobody' });
    expect((await list(client, 'plans')).map(({ id }) => id)).toEqual([plan.id]);
    await create(admin, 'contacts', { first_name: 'theirs' });
    const mine = await create(client, 'contacts', { first_name: 'mine' });
    expect((await list(client, 'contacts')).map(({ id }) => id)).toEqual([mine.id]);
  });

  it('may be changed as the rule says, before and after, and only in sight', async () => {
    const client = await userWith({
      plans: { view: where('level', 'not_equals', 'high'), update: where('name', 'starts_with', 'my'), delete: 'own' },
    });
    const [mine, theirs, unseen] = [
      await create(admin, 'plans', { name: 'my plan' }),
      await create(admin, 'plans', { name: 'their plan' }),
      await create(admin, 'plans', { name: 'my high plan', level: 'high' }),
    ];
    const put = (id: string, values: object) => client.put(`/records/plans/${id}`, values);
    expect((await put(mine.id, { note: 'x' })).json).toMatchObject({ record: { note: 'x' } });
    expectError(await put(theirs.id, { note: 'x' }), 'PERMISSION_DENIED');
    expectError(await put(mine.id, { name: 'not mine any more' }), 'PERMISSION_DENIED');
    expectError(await put(unseen.id, { note: 'x' }), 'RECORD_NOT_FOUND');
    expectError(await client.delete(`/records/plans/${unseen.id}`), 'RECORD_NOT_FOUND');
    expectError(await client.delete(`/records/plans/${mine.id}`), 'PERMISSION_DENIED');
    expect((await put(mine.id, { level: 'high' })).json).toEqual({ id: mine.id, action: 'updated' });
    expectError(await client.get(`/records/plans/${mine.id}`), 'RECORD_NOT_FOUND');
  });

  it('are judged by the links that they had, not by those of the update', async () => {
    const contact = await create(admin, 'contacts', { first_name: 'Key' });
    const client = await userWith({
      '*': { view: 'all' },
      plans: { ...all, view: where('people', 'equals', contact.id) },
    });
    const [linked, other] = [
      await create(admin, 'plans', { name: 'linked', people: [contact.id] }),
      await create(admin, 'plans', { name: 'other' }),
    ];
    expectError(await client.put(`/records/plans/${other.id}`, { people: [contact.id] }), 'RECORD_NOT_FOUND');
    expect((await client.put(`/records/plans/${linked.id}`, { people: [] })).json).toEqual({
      id: linked.id,
      action: 'updated',
    });
    expect((await admin.get(`/records/plans/${other.id}`)).json.record.people).toEqual([]);
  });

  it('do not depend on the time zone of the request', async () => {
    const client = await userWith({ audits: { view: where('at', 'date_equals', '2026-01-01') } });
    await create(admin, 'audits', { name: 'early', grade: 1, at: '2026-01-01T01:00:00Z' });
    const total = async (query: object) =>
      (await client.get('/records/audits', { ...query }, { 'time-zone': 'Etc/GMT+12' })).json.total;
    expect(await total({})).toBe(1);
    expect(await total({ filters: where('at', 'date_equals', '2026-01-01') })).toBe(0);
  });

  it('may be made out of sight', async () => {
    const client = await userWith({ plans: { view: where('level', 'equals', 'low'), create: true } });
    const reply = await client.post('/records/plans', { name: 'x', level: 'high' });
    expect(reply.json).toEqual({ id: reply.json.id, action: 'created' });
    const batch = await client.post('/records/plans/batch/create', { records: [{ name: 'y' }] });
    expect(batch.json.records).toEqual([{ id: expect.any(String) }]);
  });
});

describe('a hidden field', () => {
  let client: Client;
  let id: string;
  beforeAll(async () => {
    client = await userWith({ '*': all, plans: { fields: { note: 'none', name: 'read' } } });
    ({ id } = await create(admin, 'plans', { name: 'Plan', note: 'Quetzal' }));
  });

  it.each<[string, (field: string) => Promise<Reply>]>([
    ['a filter', (field) => client.get('/records/plans', { filters: where(field, 'is_null') })],
    ['a sort', (field) => client.get('/records/plans', { sort_by: field })],
    ['a choice of fields', (field) => client.get(`/records/plans/${id}`, { fields: field })],
    ['a create', (field) => client.post('/records/plans', { [field]: 'x' })],
    ['an update', (field) => client.put(`/records/plans/${id}`, { [field]: 'x' })],
    ['a batch', (field) => client.post('/records/plans/batch/create', { records: [{ [field]: 'x' }] })],
  ])('is answered like one that does not exist, in %s; so is what is computed of it', async (_, ask) => {
    const answer = async (field: string, unknown: string) => (await ask(unknown)).text.replaceAll(unknown, field);
    expect((await ask('note')).text).toBe(await answer('note', 'nqxj'));
    expect((await ask('shout')).text).toBe(await answer('shout', 'shqxj'));
  });

  it('is in no record, schema, search or total', async () => {
    const record = (await client.get(`/records/plans/${id}`)).json.record;
    expect(Object.keys(record)).not.toEqual(expect.arrayContaining(['note']));
    expect(Object.keys(record)).not.toEqual(expect.arrayContaining(['shout']));
    const names = (await client.get('/schema/plans')).json.fields.map((field: { name: string }) => field.name);
    expect(names).toContain('name');
    expect(names.filter((name: string) => name === 'note' || name === 'shout')).toEqual([]);
    expect((await client.get('/records/plans', { search: 'quetzal' })).json).toEqual({ data: [], total: 0 });
    expect((await admin.get('/records/plans', { search: 'quetzal' })).json.total).toBe(1);
  });

  it('gets its default, and a label that it makes is null', async () => {
    const reply = await client.post('/records/plans', { level: 'low' });
    expect((await admin.get(`/records/plans/${reply.json.id}`)).json.record.note).toBe('by default');
    const blind = await userWith({ '*': all, contacts: { fields: { last_name: 'none' } } });
    const contact = await create(admin, 'contacts', { first_name: 'A', last_name: 'Secret' });
    const plan = await create(admin, 'plans', { name: 'p', people: [contact.id] });
    expect((await blind.get(`/records/plans/${plan.id}`)).json.record.people).toEqual([
      { id: contact.id, display: null },
    ]);
  });

  it('that is required and has no default refuses a new record without being named', async () => {
    const blind = await userWith({ audits: { ...all, fields: { grade: 'none' } } });
    const reply = await blind.post('/records/audits', { name: 'x' });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.text).not.toContain('grade');
    expect(fieldsIn(await admin.post('/records/audits', { name: 'x' }))).toEqual(['grade']);
  });

  it('does not count among the values that a record takes', async () => {
    const message = async (permissions: Record<string, PermissionEntry>) => {
      const flood = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`x${at}`, 1]));
      return (await (await userWith(permissions)).post('/records/audits', flood)).json.message;
    };
    expect(await message({ audits: { ...all, fields: { grade: 'none' } } })).not.toBe(await message({ audits: all }));
  });
});

describe('a field to read', () => {
  it('is shown, gets its default, and takes no value', async () => {
    const client = await userWith({ plans: { ...all, fields: { note: 'read' } } });
    expect(await create(client, 'plans', { name: 'x' })).toMatchObject({ note: 'by default', shout: 'BY DEFAULT' });
    expectError(await client.post('/records/plans', { name: 'x', note: 'y' }), 'PERMISSION_DENIED');
    const batch = await client.post('/records/plans/batch/create', { records: [{ note: 'y' }, { name: 'z' }] });
    expect(batch.json).toMatchObject({ created: 1, errors: [{ index: 0, code: 'PERMISSION_DENIED' }] });
  });

  it('holds for the columns of a PIPELINE', async () => {
    const client = await userWith({ opportunities: { ...all, fields: { pipeline: 'read' } } });
    const deal = await create(client, 'opportunities', { name: 'Deal' });
    expect(deal.pipeline_step_id).toEqual(expect.any(String));
    const move = { pipeline_step_id: deal.pipeline_step_id };
    expectError(await client.put(`/records/opportunities/${deal.id}`, move), 'PERMISSION_DENIED');
  });
});

describe('links', () => {
  it('do not tell whether a record out of sight is in the trash', async () => {
    const contact = await create(admin, 'contacts', { first_name: 'Out of sight' });
    const plan = await create(admin, 'plans', { name: 'p', people: [contact.id] });
    const client = await userWith({ '*': all, contacts: { view: 'own' } });
    const ask = async () =>
      (
        await Promise.all([
          client.get(`/records/plans/${plan.id}`),
          client.get('/records/plans', { filters: where('people', 'equals', contact.id) }),
          client.get('/records/plans', { filters: where('people', 'is_empty') }),
        ])
      ).map(({ text }) => text);
    const before = await ask();
    await admin.delete(`/records/contacts/${contact.id}`);
    expect(await ask()).toEqual(before);
  });
});

describe('GET /me/permissions', () => {
  it('tells what the caller may do, without what is hidden', async () => {
    await addComputedField(kith, organization, 'audits', 'twice', {
      type: 'CALCULATED',
      isReadonly: true,
      calculation: { expression: "concat(name, '!')", outputType: 'TEXT' },
    });
    const client = await userWith({
      '*': { view: 'none' },
      plans: { view: 'own', create: true, fields: { note: 'none', level: 'read' } },
      audits: { view: 'all', update: where('name', 'equals', 'x') },
    });
    const reply = await client.get('/me/permissions');
    expect(reply.json).toEqual({
      role: `Role ${roles}`,
      isAdmin: false,
      objects: {
        plans: {
          view: 'some',
          create: true,
          update: 'none',
          delete: 'none',
          fields: {
            name: 'write',
            level: 'read',
            company_id: 'write',
            people: 'write',
            owner: 'write',
            created_by: 'write',
            created_at: 'read',
            updated_at: 'read',
          },
        },
        audits: {
          view: 'all',
          create: false,
          update: 'some',
          delete: 'none',
          fields: {
            name: 'write',
            grade: 'write',
            at: 'write',
            twice: 'read',
            owner: 'write',
            created_by: 'write',
            created_at: 'read',
            updated_at: 'read',
          },
        },
      },
    });
    expect((await admin.get('/me/permissions')).json).toMatchObject({ role: 'Admin', isAdmin: true });
  });
});
