/** [contract: Workspace manifest; spec: Authentication] What Admin, Member and Viewer may do, and roles that see only their own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, expectError, list, sortedIds, walk } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  admin = organization.admin;
});
afterAll(() => kith.stop());

type Act = (user: Client, id: string) => Promise<Reply>;

const acts: Record<string, Act> = {
  'list records': (user) => user.get('/records/companies'),
  'get a record': (user, id) => user.get(`/records/companies/${id}`),
  'read the schema': (user) => user.get('/schema/companies'),
  'create a record': (user) => user.post('/records/companies', { name: 'x' }),
  'batch create': (user) => user.post('/records/companies/batch/create', { records: [{ name: 'x' }] }),
  'update a record': (user, id) => user.put(`/records/companies/${id}`, { name: 'changed' }),
  'delete a record': (user, id) => user.delete(`/records/companies/${id}`),
  import: (user) => user.post('/import/companies', { records: [{ name: 'x' }] }),
  export: (user) => user.get('/export/companies'),
  'create a list': (user) => user.post('/records/companies', { name: 'x', create_list_name: 'L' }),
};

/** Of a record that an admin has made. */
const allowed: Record<string, string[]> = {
  Admin: Object.keys(acts),
  Member: ['list records', 'get a record', 'read the schema', 'create a record', 'batch create', 'update a record'],
  Viewer: ['list records', 'get a record', 'read the schema'],
};

const table = Object.entries(allowed).flatMap(([role, may]) =>
  Object.entries(acts).map(([name, act]) => [role, name, may.includes(name), act] as const),
);

describe('built-in roles', () => {
  it.each(table)('WSD-21, WSD-22, ERRO-05: %s, %s: %s', async (role, _name, may, act) => {
    const user = await organization.user(role);
    const record = await create(admin, 'companies', { name: 'Given' });
    const { total } = (await admin.get('/records/companies')).json;
    const reply = await act(user, record.id);
    if (may) {
      expect(reply.status, reply.text).toBe(200);
      return;
    }
    expectError(reply, 'PERMISSION_DENIED');
    expect((await admin.get('/records/companies')).json.total).toBe(total);
    expect((await admin.get(`/records/companies/${record.id}`)).json).toEqual({ record });
  });

  it.each<[string, (me: Client) => object, boolean]>([
    ['created and owns', () => ({}), true],
    ['created and gave away', () => ({ owner: admin.workspaceUserId }), true],
  ])('a Member may delete, and restore, what it %s', async (_name, values, may) => {
    const member = await organization.user('Member');
    const { id } = await create(member, 'companies', { name: 'Mine', ...values(member) });
    expect((await member.delete(`/records/companies/${id}`)).json).toEqual({ deleted: may });
    expect((await member.post(`/records/companies/${id}/restore`)).json.action).toBe('restored');
  });

  it('a Member may delete what it was made the owner of, and not what it was not', async () => {
    const member = await organization.user('Member');
    const given = await create(admin, 'companies', { name: 'Given', owner: member.workspaceUserId });
    expect((await member.delete(`/records/companies/${given.id}`)).json).toEqual({ deleted: true });
    const other = await create(admin, 'companies', { name: 'Not given' });
    expectError(await member.delete(`/records/companies/${other.id}`), 'PERMISSION_DENIED');
    await admin.delete(`/records/companies/${other.id}`);
    expectError(await member.post(`/records/companies/${other.id}/restore`), 'PERMISSION_DENIED');
  });

  it('a Viewer that owns a record still may not change or delete it', async () => {
    const viewer = await organization.user('Viewer');
    const { id } = await create(admin, 'companies', { name: 'x', owner: viewer.workspaceUserId });
    expectError(await viewer.put(`/records/companies/${id}`, { name: 'y' }), 'PERMISSION_DENIED');
    expectError(await viewer.delete(`/records/companies/${id}`), 'PERMISSION_DENIED');
  });

  it('an unknown object is INVALID_OBJECT for every role that may do the thing', async () => {
    const viewer = await organization.user('Viewer');
    expectError(await viewer.get('/records/nothing'), 'INVALID_OBJECT');
    expectError(await viewer.post('/records/nothing', {}), 'INVALID_OBJECT');
  });
});

describe('roles of the organization’s own', () => {
  /** A user whose role has these permissions, put where a manifest will put them. */
  async function userWith(permissions: object): Promise<Client> {
    const name = `role ${newId()}`;
    const run = (text: string, values: string[] = []) => kith.database.database.run(organization.id, { text, values });
    await run(
      `insert into "${organization.schema}"._roles (id, name, is_admin, permissions, position) values ($1::uuid, $2, false, $3::jsonb, 9)`,
      [newId(), name, JSON.stringify(permissions)],
    );
    await run(`update "${organization.schema}"._organization set model_version = model_version + 1`);
    return organization.user(name);
  }

  const own = { '*': { view: 'own', create: true, update: 'own', delete: 'own' } };

  it('view own: others are in no list, total, page, search, display or answer', async () => {
    const user = await userWith(own);
    const hidden = await create(admin, 'companies', { name: 'Hidden Ltd' });
    const mine = await create(user, 'companies', { name: 'Mine Ltd' });
    const given = await create(admin, 'companies', { name: 'Given Ltd', owner: user.workspaceUserId });
    const seen = await walk(user, 'companies', { limit: 1, sort_by: 'name', sort_dir: 'asc' });
    expect(seen.records.map((record) => record.id)).toEqual([given.id, mine.id]);
    expect(seen.total).toBe(2);
    expect(sortedIds(await list(user, 'companies', { search: 'ltd' }))).toEqual(sortedIds([mine, given]));
    expectError(await user.get(`/records/companies/${hidden.id}`), 'RECORD_NOT_FOUND');
    expectError(await user.put(`/records/companies/${hidden.id}`, { name: 'x' }), 'RECORD_NOT_FOUND');
    expectError(await user.delete(`/records/companies/${hidden.id}`), 'RECORD_NOT_FOUND');
    expectError(await user.post('/records/contacts', { company_id: hidden.id }), 'VALIDATION_ERROR');
    const contact = await create(admin, 'contacts', {
      first_name: 'Of mine',
      company_id: hidden.id,
      owner: user.workspaceUserId,
    });
    expect((await user.get(`/records/contacts/${contact.id}`)).json.record).toMatchObject({
      company_id: hidden.id,
      company_id_display: null,
    });
    const behind = { filter_field: 'company_id.name', filter_operator: 'equals', filter_value: 'Hidden Ltd' };
    expect(await list(user, 'contacts', behind)).toEqual([]);
  });

  it('a change that takes a record out of view answers id and action alone; one out of reach is refused', async () => {
    const seer = await userWith({
      '*': {
        view: { type: 'AND', conditions: [{ field: 'industry', operator: 'equals', value: 'software' }] },
        create: true,
        update: 'all',
        delete: 'none',
      },
    });
    const { id } = await create(admin, 'companies', { name: 'Turns', industry: 'software' });
    expect((await seer.put(`/records/companies/${id}`, { industry: 'retail' })).json).toEqual({
      id,
      action: 'updated',
    });
    expectError(await seer.get(`/records/companies/${id}`), 'RECORD_NOT_FOUND');
    const made = await seer.post('/records/companies', { name: 'Unseen', industry: 'retail' });
    expect(Object.keys(made.json)).toEqual(['id', 'action']);
    const bound = await userWith({
      '*': {
        view: 'all',
        create: true,
        update: { type: 'AND', conditions: [{ field: 'employees', operator: 'less_than', value: 10 }] },
        delete: 'none',
      },
    });
    const small = await create(admin, 'companies', { name: 'Small', employees: 5 });
    expect((await bound.put(`/records/companies/${small.id}`, { employees: 6 })).status).toBe(200);
    expectError(await bound.put(`/records/companies/${small.id}`, { employees: 60 }), 'PERMISSION_DENIED');
    expect((await admin.get(`/records/companies/${small.id}`)).json.record.employees).toBe(6);
  });

  it('an object that may be neither seen nor created is not told of', async () => {
    const user = await userWith({ ...own, companies: { view: 'none', create: false } });
    expect((await user.get('/schema')).json.objects.map((object: { name: string }) => object.name)).toEqual([
      'contacts',
      'opportunities',
      'tasks',
      'notes',
    ]);
    expectError(await user.get('/schema/companies'), 'INVALID_OBJECT', 404);
    expectError(await user.get('/records/companies'), 'PERMISSION_DENIED');
    const unknown = await user.get('/records/nothing');
    expect(unknown.json.available_values).toEqual(['contacts', 'opportunities']);
  });

  it('a field that is none is answered like one that does not exist; one that is read cannot be written', async () => {
    const user = await userWith({
      '*': { view: 'all', create: true, update: 'all', delete: 'none' },
      companies: { fields: { employees: 'none', industry: 'read' } },
    });
    const { id } = await create(admin, 'companies', { name: 'Narrow', employees: 77, industry: 'retail' });
    const { record } = (await user.get(`/records/companies/${id}`)).json;
    expect(record).not.toHaveProperty('employees');
    expect(record.industry).toBe('retail');
    const same = async (ask: (field: string) => Promise<Reply>) => {
      const [hidden, unknown] = [await ask('employees'), await ask('employeez')];
      expect(hidden.text.replaceAll('employees', 'F')).toBe(unknown.text.replaceAll('employeez', 'F'));
      expect(hidden.status).toBe(400);
    };
    await same((field) =>
      user.get('/records/companies', { filter_field: field, filter_operator: 'equals', filter_value: 77 }),
    );
    await same((field) => user.get('/records/companies', { sort_by: field }));
    await same((field) => user.get('/records/companies', { fields: field }));
    await same((field) => user.put(`/records/companies/${id}`, { [field]: 1 }));
    await same((field) => user.post('/records/companies', { name: 'x', [field]: 1 }));
    expect(
      (await user.get('/schema/companies')).json.fields.map((field: { name: string }) => field.name),
    ).not.toContain('employees');
    expectError(await user.put(`/records/companies/${id}`, { industry: 'software' }), 'PERMISSION_DENIED');
    expect((await admin.get(`/records/companies/${id}`)).json.record).toMatchObject({
      employees: 77,
      industry: 'retail',
    });
  });
});
