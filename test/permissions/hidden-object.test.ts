/**
 * An object of which a role may see no record is refused by its name, as the specification has it, and says nothing else: what
 * is in it, whether an id is one of its records, what its fields are called. [spec: Errors, decision 9]
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';

let kith: TestKith;
let admin: Client;
/** May neither see nor make records of `vaults`, though it may change and delete all. */
let shut: Client;
/** May make them and see none. */
let blind: Client;
let id: string;

beforeAll(async () => {
  kith = await startKith();
  const organization = await kith.organization();
  ({ admin } = organization);
  const rights = { view: 'all', create: true, update: 'all', delete: 'all' };
  const reply = await admin.post('/manifest', {
    objects: [{ name: 'vaults', displayField: 'name', fields: [{ name: 'name', type: 'TEXT' }] }],
    roles: [
      { name: 'Shut', permissions: { '*': rights, vaults: { view: 'none', create: false } } },
      { name: 'Blind', permissions: { '*': rights, vaults: { view: 'none' } } },
    ],
  });
  if (reply.status !== 200) throw new Error(reply.text);
  [shut, blind] = [await organization.user('Shut'), await organization.user('Blind')];
  ({ id } = (await admin.post('/records/vaults', { name: 'Gold' })).json);
});
afterAll(() => kith.stop());

type Ask = (client: Client, object: string, id: string) => Promise<Reply>;

const refused = 'Your role may not view vaults';
const uncreated = 'Your role may not create vaults';

/** What asks, what answers the role that is shut out, and what answers of an object that there is not. */
const routes: readonly (readonly [what: string, ask: Ask, hidden: string, unknown: string])[] = [
  ['list', (client, object) => client.get(`/records/${object}`), refused, 'INVALID_OBJECT'],
  [
    'list by an unknown field',
    (client, object) => client.get(`/records/${object}?sort_by=x`),
    refused,
    'INVALID_OBJECT',
  ],
  ['groups', (client, object) => client.get(`/records/${object}?group_by=name`), refused, 'INVALID_OBJECT'],
  ['get', (client, object, one) => client.get(`/records/${object}/${one}`), refused, 'INVALID_OBJECT'],
  [
    'get as it was',
    (client, object, one) => client.get(`/records/${object}/${one}?as_of=2999-01-01`),
    refused,
    'INVALID_OBJECT',
  ],
  ['history', (client, object, one) => client.get(`/records/${object}/${one}/history`), refused, 'INVALID_OBJECT'],
  ['create', (client, object) => client.post(`/records/${object}`, { name: 'x' }), uncreated, 'INVALID_OBJECT'],
  [
    'create with an unknown key',
    (client, object) => client.post(`/records/${object}`, { x: 'x' }),
    uncreated,
    'INVALID_OBJECT',
  ],
  [
    'batch',
    (client, object) => client.post(`/records/${object}/batch/create`, { records: [{ name: 'x' }] }),
    uncreated,
    'INVALID_OBJECT',
  ],
  [
    'update',
    (client, object, one) => client.put(`/records/${object}/${one}`, { name: 'x' }),
    refused,
    'INVALID_OBJECT',
  ],
  [
    'update with an unknown key',
    (client, object, one) => client.put(`/records/${object}/${one}`, { x: 'x' }),
    refused,
    'INVALID_OBJECT',
  ],
  ['delete', (client, object, one) => client.delete(`/records/${object}/${one}`), refused, 'INVALID_OBJECT'],
  ['restore', (client, object, one) => client.post(`/records/${object}/${one}/restore`), refused, 'INVALID_OBJECT'],
  ['trash', (client, object) => client.get(`/trash/${object}`), refused, 'INVALID_OBJECT'],
  ['search', (client, object) => client.get(`/search?query=gold&object=${object}`), refused, 'INVALID_OBJECT'],
  ['aggregate', (client, object) => client.get(`/aggregate/${object}`), refused, 'INVALID_OBJECT'],
  [
    'aggregate of an unknown field',
    (client, object) => client.get(`/aggregate/${object}?field=x&function=SUM`),
    refused,
    'INVALID_OBJECT',
  ],
  // Of these, which take an admin, no other role learns of any object whether it is there.
  ['purge', (client, object, one) => client.delete(`/trash/${object}/${one}`), 'an admin', 'PERMISSION_DENIED'],
  [
    'import',
    (client, object) => client.post(`/import/${object}`, { records: [{ name: 'x' }] }),
    'an admin',
    'PERMISSION_DENIED',
  ],
  ['export', (client, object) => client.get(`/export/${object}`), 'an admin', 'PERMISSION_DENIED'],
];

describe.each(routes)('%s', (_what, ask, hidden, unknown) => {
  it('refuses a hidden object whatever the id is, and says no more', async () => {
    const reply = await ask(shut, 'vaults', id);
    expect([reply.status, reply.json.code, Object.keys(reply.json)]).toEqual([
      400,
      'PERMISSION_DENIED',
      ['code', 'message'],
    ]);
    expect(reply.json.message).toContain(hidden);
    for (const other of [newId(), 'none']) expect((await ask(shut, 'vaults', other)).text).toBe(reply.text);
  });

  it('answers an unknown object without telling of hidden ones', async () => {
    const reply = await ask(shut, 'vault', id);
    expect([reply.status, reply.json.code]).toEqual([400, unknown]);
    expect(reply.text).not.toContain('vaults');
  });
});

it.each(routes.filter(([, , hidden]) => hidden === refused))(
  '%s is refused to a role that may create',
  async (_what, ask) => {
    const reply = await ask(blind, 'vaults', id);
    expect([reply.json.code, reply.json.message]).toEqual(['PERMISSION_DENIED', refused]);
  },
);

it('takes a record from a role that may create it and see none, and does not show it', async () => {
  const reply = await blind.post('/records/vaults', { name: 'Silver' });
  expect(reply.json).toEqual({ id: expect.any(String), action: 'created' });
});

it('is in no schema, document or rights, unless the role may create in it', async () => {
  const one = [await shut.get('/schema/vaults'), await shut.get('/schema/vaultz')];
  expect(one.map(({ status }) => status)).toEqual([404, 404]);
  expect(one[1]?.text.replaceAll('vaultz', 'vaults')).toBe(one[0]?.text);
  for (const path of ['/schema?include_hidden=true', '/openapi.json', '/me/permissions']) {
    expect((await shut.get(path)).text, path).not.toMatch(/vaults?/i);
    expect((await blind.get(path)).text, path).toMatch(/vaults/);
  }
});

it('is told of by no object that leads to it', async () => {
  const reply = await admin.post('/manifest', {
    objects: [
      {
        name: 'visits',
        displayField: 'name',
        fields: [
          { name: 'name', type: 'TEXT' },
          {
            name: 'vault_id',
            type: 'RELATION',
            relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: 'vaults' },
          },
        ],
      },
    ],
  });
  expect(reply.status, reply.text).toBe(200);
  await admin.post('/records/visits', { name: 'Visit', vault_id: id });
  const { data } = (await shut.get('/records/visits')).json;
  expect(data).toMatchObject([{ vault_id: id, vault_id_display: null }]);
  const behind = (field: string) =>
    shut.get('/records/visits', { filters: { type: 'AND', conditions: [{ field, operator: 'is_not_null' }] } });
  const [name, nothing] = [await behind('vault_id.name'), await behind('vault_id.nope')];
  expect([name.status, name.text]).toEqual([400, nothing.text.replaceAll('nope', 'name')]);
});
