/** `GET /explain`: which words of a role decide on a record and on a field, for admins. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import { applied } from '../manifest/manifests.ts';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';
import { create, expectError } from './records.ts';

let kith: TestKith;
let admin: Client;
let rep: Client;
let shop: string;
let rich: string;

const software = { type: 'AND', conditions: [{ field: 'industry', operator: 'equals', value: 'software' }] };

beforeAll(async () => {
  kith = await startKith();
  const organization = await kith.organization();
  ({ admin } = organization);
  await applied(admin, {
    objects: [
      {
        name: 'companies',
        fields: [
          {
            name: 'per_head',
            type: 'CALCULATED',
            calculation: { expression: 'annual_revenue / employees', outputType: 'NUMBER' },
          },
        ],
      },
    ],
    roles: [
      {
        name: 'Rep',
        permissions: {
          '*': { view: 'all', create: true, update: 'own', fields: { domain: 'read' } },
          companies: { view: software, fields: { annual_revenue: 'none' } },
          tasks: { view: 'none', create: false },
        },
      },
    ],
  });
  rep = await organization.user('Rep');
  shop = (await create(admin, 'companies', { name: 'Shop', industry: 'retail' })).id;
  rich = (await create(admin, 'companies', { name: 'Rich', industry: 'software', owner: rep.workspaceUserId })).id;
});
afterAll(() => kith.stop());

const explained = async (query: object): Promise<Reply['json']> => {
  const reply = await admin.get('/explain', { user: rep.workspaceUserId, object: 'companies', ...query });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
};

describe('of a record', () => {
  it('names the entry that decides, for a user by id or by address', async () => {
    const told = await explained({ record: shop, action: 'update' });
    expect(told).toEqual({
      allowed: false,
      rule: { role: 'Rep', action: 'view', entry: 'companies', says: software },
      because: 'industry equals "software" does not hold',
    });
    const users = (await admin.get('/users')).json.data as { id: string; email: string }[];
    const { email } = users.find(({ id }) => id === rep.workspaceUserId)!;
    expect(await explained({ user: email, record: shop, action: 'update' })).toEqual(told);
    expect(await explained({ record: rich })).toMatchObject({ allowed: true, rule: { action: 'view' } });
    expect((await explained({ action: 'create' })).allowed).toBe(true);
  });

  it('agrees with what the user is answered', async () => {
    expect((await rep.get(`/records/companies/${shop}`)).status).toBe(400);
    expect((await rep.get(`/records/companies/${rich}`)).status).toBe(200);
    expect((await explained({ record: rich, action: 'update', field: 'name' })).allowed).toBe(true);
    expect((await rep.put(`/records/companies/${rich}`, { name: 'Richer' })).status).toBe(200);
    expect((await explained({ record: rich, action: 'update', field: 'domain' })).allowed).toBe(false);
    expectError(await rep.put(`/records/companies/${rich}`, { domain: 'rich.test' }), 'PERMISSION_DENIED');
  });
});

describe('of a field', () => {
  it.each<[string, string, object]>([
    [
      'annual_revenue',
      'view',
      { access: 'none', entry: 'companies', says: 'none', because: 'The role hides annual_revenue' },
    ],
    [
      'per_head',
      'view',
      {
        access: 'none',
        entry: 'companies',
        says: 'none',
        because: 'per_head is made of companies.annual_revenue, which the role hides',
      },
    ],
    ['domain', 'update', { access: 'read', entry: '*', says: 'read', because: 'The role may only read domain' }],
    [
      'created_at',
      'update',
      { access: 'read', entry: null, says: null, because: expect.stringMatching(/^Nobody writes/) },
    ],
  ])('%s: says why the user may not %s it', async (name, action, field) => {
    const told = await explained({ field: name, action, record: rich });
    expect(told).toMatchObject({ allowed: false, field: { name, ...field } });
    expect(told.because).toBe(told.field.because);
  });

  it('says why it is open', async () => {
    const open = {
      access: 'write',
      entry: null,
      says: null,
      because: expect.stringContaining('says nothing of employees'),
    };
    expect(await explained({ field: 'employees', action: 'update', record: rich })).toMatchObject({
      allowed: true,
      field: open,
    });
    expect(await explained({ field: 'domain', record: rich })).toMatchObject({
      allowed: true,
      field: { access: 'read' },
    });
    const mine = await explained({ user: admin.workspaceUserId, field: 'annual_revenue', action: 'update' });
    expect(mine).toMatchObject({ allowed: true, field: { access: 'write', entry: null } });
  });

  it('needs no record: then it is about any', async () => {
    expect(await explained({ field: 'name' })).toMatchObject({
      allowed: true,
      rule: { action: 'view', entry: 'companies' },
      because: 'The role allows view of some records',
    });
    expect(await explained({ object: 'tasks', field: 'title' })).toMatchObject({
      allowed: false,
      rule: { action: 'view', entry: 'tasks', says: 'none' },
      field: { access: 'write' },
    });
  });

  it('of a record that is not for the user, the record decides', async () => {
    expect(await explained({ field: 'annual_revenue', record: shop })).toMatchObject({
      allowed: false,
      because: 'industry equals "software" does not hold',
      field: { access: 'none' },
    });
  });
});

describe('what is wrong', () => {
  it('is for admins alone', async () => {
    expectError(
      await rep.get('/explain', { user: rep.workspaceUserId, object: 'companies', field: 'name' }),
      'PERMISSION_DENIED',
    );
  });

  it.each<[string, object, string]>([
    ['no record', {}, 'MISSING_REQUIRED_FIELD'],
    ['a record that there is not', { record: newId() }, 'RECORD_NOT_FOUND'],
    ['a record that is no id', { record: 'shop' }, 'RECORD_NOT_FOUND'],
    ['an object that there is not', { object: 'company', field: 'name' }, 'INVALID_OBJECT'],
    ['a field that there is not', { field: 'nmae' }, 'INVALID_FIELD'],
    ['another action', { field: 'name', action: 'read' }, 'VALIDATION_ERROR'],
    ['a field of a deletion', { field: 'name', action: 'delete', record: newId() }, 'VALIDATION_ERROR'],
    ['no user', { user: undefined, field: 'name' }, 'MISSING_REQUIRED_FIELD'],
    ['nobody', { user: 'nobody@x.test', field: 'name' }, 'RECORD_NOT_FOUND'],
    ['nobody by id', { user: newId(), field: 'name' }, 'RECORD_NOT_FOUND'],
  ])('%s is told', async (_what, query, code) => {
    expectError(await admin.get('/explain', { user: rep.workspaceUserId, object: 'companies', ...query }), code);
  });
});
