/** [decisions: Webhooks] Who may make, see, change and end webhooks, and where they may lead. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifier, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { receiver, webhook } from './receiver.ts';

/** Its literal address is public, and nothing is connected to. */
const address = 'https://1.1.1.1/hook';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let otherAdmin: Client;
let member: Client;

beforeAll(async () => {
  // Without jobs: nothing is sent but what is tried out.
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  otherAdmin = await organization.user('Admin');
  member = await organization.user('Member');
});
afterAll(() => kith.stop());

const rows = async (query: Sql) => (await kith.database.database.run(organization.id, statement(query))).rows;

function expectError({ status, json }: Reply, code: string, message: RegExp): void {
  expect([json.code, json.message]).toEqual([code, expect.stringMatching(message)]);
  expect(status).toBe(400);
}

describe('an address', () => {
  const refused: [what: string, url: string, message: RegExp][] = [
    ['of this machine', 'https://127.0.0.1/', /is not allowed/],
    ['of this machine, short', 'https://127.1/', /is not allowed/],
    ['of this machine, hexadecimal', 'https://0x7f000001/', /is not allowed/],
    ['of this machine, decimal', 'https://2130706433/', /is not allowed/],
    ['of this machine, octal', 'https://0177.0.0.1/', /is not allowed/],
    ['of this machine, in other digits', 'https://①②⑦.⓪.⓪.①/', /is not allowed/],
    ['of this machine, by its name', 'https://localhost/', /is not allowed/],
    ['of this machine, IPv6', 'https://[::1]/', /is not allowed/],
    ['of this machine, mapped', 'https://[::ffff:127.0.0.1]/', /is not allowed/],
    ['of the metadata of clouds', 'https://169.254.169.254/latest', /is not allowed/],
    ['of a private network', 'https://10.0.0.8/', /is not allowed/],
    ['with a port of another service', 'https://1.1.1.1:22/', /Port 22/],
    ['without TLS', 'http://1.1.1.1/', /use https:/],
    ['with a password inside', 'https://ada:secret@1.1.1.1/', /leave them out/],
    ['of another protocol', 'ftp://1.1.1.1/', /begins with https:/],
    ['that is none', 'acme', /begins with https:/],
    ['that is too long', `https://1.1.1.1/${'x'.repeat(2_000)}`, /url/],
  ];
  it.each(refused)('is refused: one %s', async (_what, url, message) => {
    expectError(await admin.post('/webhooks', { url }), 'VALIDATION_ERROR', message);
    const { id } = await webhook(admin, address);
    expectError(await admin.put(`/webhooks/${id}`, { url }), 'VALIDATION_ERROR', message);
    expect((await admin.get(`/webhooks/${id}`)).json.url).toBe(address);
    await admin.delete(`/webhooks/${id}`);
  });

  it('is judged anew with each connection', async () => {
    const receiving = await receiver();
    const { id } = await webhook(admin, address);
    await rows(
      sql`update ${identifier(organization.schema, '_webhooks')} set url = ${receiving.url} where id = ${id}::uuid`,
    );
    const { json } = await admin.post(`/webhooks/${id}/test`, {});
    expect(json).toMatchObject({ delivered: false, status: null, error: expect.stringMatching(/is not allowed/) });
    expect(receiving.received).toEqual([]);
    await admin.delete(`/webhooks/${id}`);
    await receiving.close();
  });
});

it('is made, read, changed and deleted; its secret is told once, and sealed', async () => {
  const asked = {
    url: address,
    description: 'For Acme',
    events: ['record.created'],
    objects: ['contacts', 'contacts'],
  };
  const made = await admin.post('/webhooks', asked);
  const { secret, ...shown } = made.json;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(shown).toEqual({
    id: expect.any(String),
    ...asked,
    objects: ['contacts'],
    state: 'active',
    reason: null,
    creator: { id: admin.workspaceUserId, display: 'Ada Admin' },
    pending: 0,
    last_success_at: null,
    last_error: null,
    last_error_at: null,
    created_at: expect.any(String),
    updated_at: shown.created_at,
  });
  const path = `/webhooks/${shown.id}`;
  expect((await admin.get(path)).json).toEqual(shown);
  expect((await admin.get('/webhooks')).json).toEqual({ data: [shown], total: 1 });
  const [stored] = await rows(sql`select w::text from ${identifier(organization.schema, '_webhooks')} w`);
  expect(String(stored)).not.toContain(secret.slice(6));
  const changed = await admin.put(path, { description: null, events: [], state: 'paused' });
  expect(changed.json).toMatchObject({
    description: null,
    events: [],
    objects: ['contacts'],
    state: 'paused',
    reason: null,
  });
  expect((await admin.put(path, { state: 'active' })).json.state).toBe('active');
  const rotated = await admin.post(`${path}/rotate-secret`, {});
  expect(rotated.json.secret).not.toBe(secret);
  expect((await admin.delete(path)).json).toEqual({ deleted: true });
  expectError(await admin.get(path), 'RECORD_NOT_FOUND', /no webhook/);
});

it('refuses what is wrong, and says what would be right', async () => {
  const post = (more: object) => admin.post('/webhooks', { url: address, ...more });
  expectError(await admin.post('/webhooks', {}), 'MISSING_REQUIRED_FIELD', /url/);
  expectError(await post({ events: ['record.exploded'] }), 'VALIDATION_ERROR', /record.created/);
  expectError(await post({ objects: ['contcts'] }), 'INVALID_OBJECT', /contcts/);
  expectError(await post({ secret: 'x' }), 'VALIDATION_ERROR', /secret/);
  const { id } = await webhook(admin, address);
  const path = `/webhooks/${id}`;
  expectError(await admin.put(path, { state: 'disabled' }), 'VALIDATION_ERROR', /paused/);
  expectError(await admin.post(`${path}/replay`, {}), 'VALIDATION_ERROR', /delivery_ids or since/);
  expectError(await admin.post(`${path}/replay`, { since: 'soon' }), 'VALIDATION_ERROR', /must be a time/);
  expectError(
    await admin.post(`${path}/replay`, { since: '2026-01-01', delivery_ids: [id] }),
    'VALIDATION_ERROR',
    /either/,
  );
  expectError(await admin.get(`${path}/deliveries`, { state: 'x' }), 'VALIDATION_ERROR', /pending/);
  expectError(await admin.get(`${path}/deliveries`, { cursor: 'x' }), 'VALIDATION_ERROR', /cursor/);
  expect((await admin.post(`${path}/replay`, { delivery_ids: [randomUUID()] })).json).toEqual({
    replayed: 0,
    has_more: false,
  });
  await admin.delete(path);
});

it('there are twenty at most', async () => {
  const crowd = (await kith.organization()).admin;
  for (let count = 0; count < 18; count++) await webhook(crowd, address);
  const last = await Promise.all([1, 2, 3].map(() => crowd.post('/webhooks', { url: address })));
  expect(last.filter(({ status }) => status === 201)).toHaveLength(2);
  expectError(
    last.find(({ status }) => status !== 201)!,
    'VALIDATION_ERROR',
    /at most 20/,
  );
});

it('a dry run makes none, and a key makes one', async () => {
  expect((await admin.post('/webhooks?dry_run=true', { url: address })).status).toBe(201);
  const keyed = () => admin.post('/webhooks', { url: address }, { 'idempotency-key': '"one"' });
  const [first, second] = [await keyed(), await keyed()];
  expect(second.json).toEqual(first.json);
  expect((await admin.get('/webhooks')).json.total).toBe(1);
  await admin.delete(`/webhooks/${first.json.id}`);
});

describe('who is not its creator', () => {
  const routes: [method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object][] = [
    ['get', ''],
    ['put', '', { description: 'x' }],
    ['put', '', { state: 'active' }],
    ['put', '', { url: address }],
    ['put', '', { state: 'paused' }],
    ['post', '/rotate-secret', {}],
    ['post', '/test', {}],
    ['get', '/deliveries'],
    ['post', '/replay', { since: '2026-01-01' }],
    ['delete', ''],
  ];
  const send = (client: Client, id: string, [method, path, body]: (typeof routes)[number]) =>
    method === 'get' || method === 'delete'
      ? client[method](`/webhooks/${id}${path}`)
      : client[method](`/webhooks/${id}${path}`, body);

  it('and no admin, may nothing', async () => {
    const { id } = await webhook(admin, address);
    for (const route of routes) expectError(await send(member, id, route), 'PERMISSION_DENIED', /needs an admin/);
    expectError(await member.get('/webhooks'), 'PERMISSION_DENIED', /needs an admin/);
    expectError(await member.post('/webhooks', { url: address }), 'PERMISSION_DENIED', /needs an admin/);
    await admin.delete(`/webhooks/${id}`);
  });

  it('and an admin, may see, pause and delete it, and nothing else', async () => {
    const { id } = await webhook(admin, address);
    const codes = [];
    for (const route of routes) codes.push((await send(otherAdmin, id, route)).json.code ?? 'ok');
    const no = 'PERMISSION_DENIED';
    expect(codes).toEqual(['ok', no, no, no, 'ok', no, no, no, no, 'ok']);
  });

  it('is told by whom it was paused', async () => {
    const { id } = await webhook(admin, address);
    await otherAdmin.put(`/webhooks/${id}`, { state: 'paused' });
    expect((await admin.get(`/webhooks/${id}`)).json).toMatchObject({
      state: 'paused',
      reason: 'Paused by another admin',
    });
    expect((await admin.put(`/webhooks/${id}`, { state: 'active' })).json).toMatchObject({
      state: 'active',
      reason: null,
    });
    await admin.delete(`/webhooks/${id}`);
  });

  it('and of another organization, knows of none', async () => {
    const { id } = await webhook(admin, address);
    const stranger = (await kith.organization()).admin;
    for (const route of routes) {
      const [theirs, none] = [await send(stranger, id, route), await send(stranger, randomUUID(), route)];
      expect(theirs.json.code, route.join()).toBe('RECORD_NOT_FOUND');
      expect(none.json.code).toBe('RECORD_NOT_FOUND');
    }
    expect((await stranger.get('/webhooks')).json).toEqual({ data: [], total: 0 });
    expect((await admin.get(`/webhooks/${id}`)).json.state).toBe('active');
    await admin.delete(`/webhooks/${id}`);
  });
});
