/** [spec: Identity and workspace; Authentication] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken, revokeToken } from '../../src/provision/tokens.ts';
import { updateUser } from '../../src/provision/users.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { expectError } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization({ adminName: 'Ada Lovelace' });
});
afterAll(() => kith.stop());

describe('GET /me', () => {
  it('AUTH-07: a token that was made without scopes has mcp alone', async () => {
    const { email } = (await organization.admin.get('/me')).json.profile;
    const { token } = await createToken(kith.deps, organization.id, { email, name: 'No scopes' });
    expect((await kith.client(token).get('/me')).json.scopes).toEqual(['mcp']);
  });

  it('AUTH-11: a token grants no more than its user may now, whatever its scopes say', async () => {
    const user = await organization.user('Admin');
    const { email } = (await user.get('/me')).json.profile;
    const wide = { email, name: 'Wide', scopes: ['mcp', 'admin'] };
    const client = kith.client((await createToken(kith.deps, organization.id, wide)).token);
    const found = () => client.post('/duplicates', { object_name: 'contacts' });
    expect((await found()).status).toBe(200);
    await updateUser(kith.deps, organization.id, email, { role: 'Member' });
    const me = (await client.get('/me')).json;
    expect([me.isAdmin, me.scopes]).toEqual([false, wide.scopes]);
    expectError(await found(), 'PERMISSION_DENIED');
  });

  it('IW-01: tells who the token acts as', async () => {
    const { admin, id, schema } = organization;
    const reply = await admin.get('/me');
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({
      organizationId: id,
      workspaceUserId: admin.workspaceUserId,
      schemaName: schema,
      isAdmin: true,
      scopes: ['mcp'],
    });
    expect(reply.json.profile).toEqual({
      name: 'Ada Lovelace',
      email: expect.stringContaining('@kith.test'),
      role_id: expect.any(String),
    });
    expect(Object.keys(reply.json)).toEqual([
      'userId',
      'organizationId',
      'workspaceUserId',
      'schemaName',
      'isAdmin',
      'scopes',
      'profile',
    ]);
  });

  it('says of a member that it is no admin', async () => {
    const member = await organization.user('Member');
    expect((await member.get('/me')).json.isAdmin).toBe(false);
  });
});

describe('tokens', () => {
  it.each([
    ['no header', '', 'has no Authorization header'],
    ['another scheme', 'Basic svc_abc', 'not with Basic'],
    ['no svc_ prefix', 'Bearer abc', 'begin with svc_'],
    ['half a token', 'bearer svc_abc', 'is not whole'],
    ['a forged token', 'Bearer svc_abc.def.ghi', 'is not valid'],
  ])('%s is 401 with the three keys', async (_name, authorization, message) => {
    const reply = await organization.admin.send('/api/v1/me', { headers: { authorization } });
    expect(reply.status).toBe(401);
    const said = expect.stringContaining(message);
    expect(reply.json).toEqual({ error: 'Unauthorized', code: 'UNAUTHORIZED', message: said });
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it('a revoked token is 401 on the next request, whatever it asks for', async () => {
    const { email } = (await organization.admin.get('/me')).json.profile;
    const { tokenId, token } = await createToken(kith.deps, organization.id, { email, name: 'second' });
    const client = kith.client(token);
    expect((await client.get('/me')).status).toBe(200);
    await revokeToken(kith.deps, tokenId);
    for (const path of [
      '/me',
      '/users',
      '/schema',
      '/records/contacts',
      '/records/nothing',
      '/records/contacts?limt=9',
    ]) {
      expect((await client.get(path)).status, path).toBe(401);
    }
    expect((await client.post('/records/contacts', { first_name: 'late' })).status).toBe(401);
    expect((await organization.admin.get('/records/contacts')).json.total).toBe(0);
  });

  it('an expired token is 401', async () => {
    const { email } = (await organization.admin.get('/me')).json.profile;
    const { token } = await createToken(
      { ...kith.deps, clock: { now: () => Date.now() - 3 * 86_400_000 } },
      organization.id,
      { email, name: 'old', expiresIn: '1d' },
    );
    expect((await kith.client(token).get('/me')).status).toBe(401);
  });

  it('one that is unknown, revoked, expired or forged, or of nobody active, is told apart by nothing', async () => {
    const member = await organization.user('Member');
    const { email } = (await member.get('/me')).json.profile;
    const tokenOf = (name: string, more: object = {}) =>
      createToken(kith.deps, organization.id, { email, name, ...more });
    const revoked = await tokenOf('revoked');
    await revokeToken(kith.deps, revoked.tokenId);
    const yesterday = { ...kith.deps, clock: { now: () => Date.now() - 3 * 86_400_000 } };
    const expired = await createToken(yesterday, organization.id, { email, name: 'expired', expiresIn: '1d' });
    await updateUser(kith.deps, organization.id, email, { active: false });
    const [head = '', body = ''] = member.token.split('.');
    const tokens = [
      revoked.token,
      expired.token,
      member.token,
      `${head}.${body}.AAAA`,
      `${head}.AAAA.AAAA`,
      'svc_a.b.c',
    ];
    const replies = await Promise.all(tokens.map((token) => kith.client(token).get('/me')));
    expect(replies.map(({ json }) => json.message)).toEqual(
      tokens.map(() => 'The API token is not valid: it is unknown, revoked or expired, or its user is inactive'),
    );
  });

  it("an inactive user's tokens are 401 at once", async () => {
    const member = await organization.user('Member');
    const { email } = (await member.get('/me')).json.profile;
    await updateUser(kith.deps, organization.id, email, { active: false });
    expect((await member.get('/records/contacts')).status).toBe(401);
    await updateUser(kith.deps, organization.id, email, { active: true });
    expect((await member.get('/records/contacts')).status).toBe(200);
  });

  it('a changed role counts from the next request on', async () => {
    const user = await organization.user('Viewer');
    const { email } = (await user.get('/me')).json.profile;
    expect((await user.post('/records/companies', { name: 'x' })).json.code).toBe('PERMISSION_DENIED');
    await updateUser(kith.deps, organization.id, email, { role: 'Member' });
    expect((await user.post('/records/companies', { name: 'x' })).status).toBe(200);
  });

  it('is only good for its own organization', async () => {
    const other = await kith.organization();
    const { id } = (await other.admin.post('/records/companies', { name: 'Secret' })).json;
    const reply = await organization.admin.get(`/records/companies/${id}`);
    expect(reply.json.code).toBe('RECORD_NOT_FOUND');
  });
});

describe('GET /users', () => {
  it('lists by creation, pages and counts', async () => {
    const { admin, user } = await kith.organization({ adminName: 'First' });
    for (let i = 0; i < 4; i++) await user('Member');
    const all = (await admin.get('/users')).json;
    expect(all.total).toBe(5);
    expect(all.data[0].name).toBe('First');
    expect(Object.keys(all.data[0])).toEqual(['id', 'name', 'email', 'role_id', 'is_active']);
    expect(all).not.toHaveProperty('nextCursor');
    const walked = [];
    for (let cursor: string | undefined, pages = 0; pages < 5; pages++) {
      const page = (await admin.get('/users', { limit: 2, cursor })).json;
      walked.push(...page.data);
      expect(page.total).toBe(5);
      cursor = page.nextCursor;
      if (!cursor) break;
    }
    expect(walked).toEqual(all.data);
  });

  it('PSL-06: gives 100 by default, 500 at most, 1 at least', async () => {
    const { admin, id, schema } = await kith.organization();
    await kith.database.database.run(id, {
      text: `insert into "${schema}"._users (id, user_id, name, email, role_id, is_active, search_text, created_at, updated_at)
        select gen_random_uuid(), gen_random_uuid(), 'User ' || n, n || '@many.test', role_id, true, '', now(), now()
        from "${schema}"._users, generate_series(1, 520) n`,
      values: [],
    });
    for (const [limit, count] of [
      [undefined, 100],
      [500, 500],
      [5000, 500],
      [0, 1],
      [-1, 1],
      [3, 3],
    ]) {
      const { data, total } = (await admin.get('/users', { limit })).json;
      expect([data.length, total], `limit=${limit}`).toEqual([count, 521]);
    }
  });

  it('searches names and addresses without case, and filters by is_active', async () => {
    const { admin, id } = await kith.organization({ adminName: 'Zoë Quill' });
    const email = (await admin.get('/me')).json.profile.email as string;
    for (const search of ['ZOË', 'quill', email.slice(2, 9).toUpperCase()]) {
      expect((await admin.get('/users', { search })).json.total, search).toBe(1);
    }
    expect((await admin.get('/users', { search: 'nobody' })).json).toEqual({ data: [], total: 0 });
    expect((await admin.get('/users', { is_active: false })).json.total).toBe(0);
    expect(id).toBeTruthy();
  });
});

it('integration status tells the accounts of the caller alone, oldest first; without any it has no total', async () => {
  const { admin, schema, user } = await kith.organization();
  const member = await user('Member');
  await kith.database.database.run('test', {
    text: `insert into "${schema}"._integrations (id, workspace_user_id, provider, account_email, status, last_sync_at, created_at)
      values ('01890a5d-ac96-774b-bcce-b302099a8057', $1, 'imap', 'late@x.test', 'expired', null, '2026-02-01T00:00:00.25Z'),
        ('01890a5d-ac96-774b-bcce-b302099a8058', $1, 'google', 'early@x.test', 'active', '2026-03-01T10:00:00Z', '2026-01-01T00:00:00Z')`,
    values: [member.workspaceUserId],
  });
  expect((await admin.get('/integrations/status')).json).toEqual({ integrations: [] });
  expect((await member.get('/integrations/status')).json).toEqual({
    integrations: [
      {
        id: '01890a5d-ac96-774b-bcce-b302099a8058',
        provider: 'google',
        account_email: 'early@x.test',
        status: 'active',
        last_sync_at: '2026-03-01T10:00:00.000Z',
        created_at: '2026-01-01T00:00:00.000Z',
      },
      {
        id: '01890a5d-ac96-774b-bcce-b302099a8057',
        provider: 'imap',
        account_email: 'late@x.test',
        status: 'expired',
        last_sync_at: null,
        created_at: '2026-02-01T00:00:00.250Z',
      },
    ],
    total: 2,
  });
});
