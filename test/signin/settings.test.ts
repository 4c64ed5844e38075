/** What signed-in people do that no token may: tokens, invitations, people; by the interface and by its pages. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql, statement } from '../../src/postgres/sql.ts';
import { createOrganization } from '../../src/provision/create-organization.ts';
import { createUser } from '../../src/provision/users.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { startMailServer, type MailServer } from '../support/smtp.ts';
import { openBrowser, type Browser } from './browser.ts';

let kith: TestKith;
let mail: MailServer;
let organizationId: string;
let adminToken: string;
let admin: Browser;
let member: Browser;

beforeAll(async () => {
  mail = await startMailServer();
  kith = await startKith({
    KITH_JOBS: 'on',
    KITH_SMTP_URL: mail.url,
    KITH_MAIL_FROM: 'kith@crm.test',
    KITH_RATE_LIMITS: '{"auth:magic-link":{"limit":100},"auth:invite-send":{"limit":8}}',
  });
  const made = await createOrganization(kith.deps, {
    name: 'Acme & Co',
    adminName: 'Ada',
    adminEmail: 'ada@acme.test',
  });
  ({ organizationId, token: adminToken } = made);
  await createUser(kith.deps, organizationId, { name: 'Mia', email: 'mia@acme.test', role: 'Member' });
  admin = await signedIn('ada@acme.test');
  member = await signedIn('mia@acme.test');
});
afterAll(async () => {
  await kith.stop();
  await mail.stop();
});
beforeEach(() =>
  kith.database.database.run('kith', statement(sql`delete from kith.sign_in_links where purpose <> 'invitation'`)),
);

async function signedIn(email: string): Promise<Browser> {
  const browser = openBrowser(kith.url);
  await browser.submit('/signin', { email });
  const { link } = await mail.next(email);
  await browser.submit('/signin/link', { token: link.searchParams.get('token') ?? '' });
  return browser;
}

const userIdOf = async (email: string) => {
  const { json } = await admin.api('GET', `/users?search=${email}`);
  return json.data[0].id as string;
};

describe('tokens', () => {
  it('AUTH-02: are made by signed-in people, shown once, listed with their last use, and revoked', async () => {
    const made = await member.api('POST', '/tokens', { name: 'Nightly', scopes: ['mcp', 'read'], expires_in: '90d' });
    expect([made.status, made.json]).toMatchObject([
      201,
      { name: 'Nightly', scopes: ['mcp', 'read'], token: expect.stringMatching(/^svc_/) },
    ]);
    const client = kith.client(made.json.token);
    expect((await client.get('/me')).json).toMatchObject({ scopes: ['mcp', 'read'], isAdmin: false });
    const listed = await member.api('GET', '/tokens');
    expect(JSON.stringify(listed.json)).not.toContain(made.json.token);
    const mine = listed.json.data.find(({ id }: { id: string }) => id === made.json.id);
    expect(mine).toMatchObject({
      name: 'Nightly',
      expires_at: made.json.expires_at,
      last_used_at: expect.any(String),
      revoked_at: null,
    });
    expect((await member.api('DELETE', `/tokens/${made.json.id}`)).json).toEqual({ id: made.json.id, revoked: true });
    expect((await client.get('/me')).status).toBe(401);
  });

  it('AUTH-03, AUTH-22: have the scope mcp unless told, and no end', async () => {
    const { json } = await member.api('POST', '/tokens', { name: 'Plain' });
    expect(json).toMatchObject({ scopes: ['mcp'], expires_at: null });
  });

  it('are everybody’s own; admins see and revoke all', async () => {
    const { json: of } = await admin.api('POST', '/tokens', { name: 'Of Ada' });
    const names = async (browser: Browser) =>
      (await browser.api('GET', '/tokens')).json.data.map(({ name }: { name: string }) => name);
    expect(await names(member)).not.toContain('Of Ada');
    expect(await names(admin)).toEqual(expect.arrayContaining(['Of Ada', 'Plain']));
    const unknown = await member.api('DELETE', '/tokens/0190a0a0-0000-7000-8000-000000000000');
    const foreign = await member.api('DELETE', `/tokens/${of.id}`);
    expect([foreign.json.code, foreign.status]).toEqual([unknown.json.code, 400]);
    expect((await kith.client(of.token).get('/me')).status).toBe(200);
    const { json: minted } = await member.api('POST', '/tokens', { name: 'Short' });
    expect((await admin.api('DELETE', `/tokens/${minted.id}`)).status).toBe(200);
    expect((await kith.client(minted.token).get('/me')).status).toBe(401);
  });

  it('are not made, seen or revoked with a token', async () => {
    const client = kith.client(adminToken);
    const refused = {
      status: 400,
      json: { code: 'PERMISSION_DENIED', message: expect.stringContaining('tokens are not allowed') },
    };
    expect(await client.post('/tokens', { name: 'More' })).toMatchObject(refused);
    expect(await client.get('/tokens')).toMatchObject(refused);
    expect(await client.delete('/tokens/x')).toMatchObject(refused);
    expect(await client.post('/invitations', { email: 'x@x.test', role: 'Member' })).toMatchObject(refused);
    expect(await client.put(`/users/${await userIdOf('mia')}`, { role: 'Admin' })).toMatchObject(refused);
  });

  it('of a trial lead nowhere', async () => {
    const { json } = await member.api('POST', '/tokens?dry_run=true', { name: 'Trial' });
    expect((await kith.client(json.token).get('/me')).status).toBe(401);
  });

  it.each([{ name: '' }, { name: 'x', scopes: ['A B'] }, { name: 'x', expires_in: 'soon' }])(
    'are refused %j',
    async (body) => {
      expect((await member.api('POST', '/tokens', body)).json.code).toBe('VALIDATION_ERROR');
    },
  );
});

describe('invitations', () => {
  it('AUTH-18: bring somebody in who proves the address, with the role they say', async () => {
    const invited = await admin.api('POST', '/invitations', { email: 'Noor@acme.test', role: 'viewer' });
    expect([invited.status, invited.json]).toMatchObject([201, { email: 'noor@acme.test', role: 'Viewer' }]);
    expect(Date.parse(invited.json.expires_at) - Date.parse(invited.json.created_at)).toBe(7 * 86_400_000);
    const { link, subject, text } = await mail.next('Noor@acme.test');
    expect([subject, text]).toEqual(['Ada invites you to Acme & Co', expect.stringContaining('as Viewer')]);
    const token = link.searchParams.get('token') ?? '';
    expect(JSON.stringify(invited.json)).not.toContain(token);
    const verify = (given: string) =>
      fetch(`${kith.url}/api/auth/invite/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: given }),
      });
    const reply = await verify(token);
    expect(await reply.json()).toEqual({ organization: 'Acme & Co', email: 'noor@acme.test', role: 'Viewer' });
    expect(reply.headers.get('x-ratelimit-policy')).toBe('auth:invite-verify');
    const wrong = await verify('nonsense');
    expect([wrong.status, await wrong.json()]).toMatchObject([401, { error: 'Unauthorized', code: 'UNAUTHORIZED' }]);
    const noor = openBrowser(kith.url);
    const page = await noor.open(link.pathname + link.search);
    expect(page.html).toMatch(/Acme &amp; Co[^]*Ada[^]*noor@acme\.test[^]*Viewer/);
    expect(noor.cookie).toBeUndefined();
    await noor.submit('/invite', { token, name: 'Noor' });
    expect((await noor.api('GET', '/me')).json).toMatchObject({
      organizationId,
      isAdmin: false,
      profile: { name: 'Noor' },
    });
    expect((await openBrowser(kith.url).submit('/invite', { token, name: 'Noor' })).status).toBe(401);
    expect((await admin.api('GET', '/invitations')).json).toEqual({ data: [], total: 0 });
  });

  it('are the admins’ alone, and not for who is a user already', async () => {
    expect((await member.api('POST', '/invitations', { email: 'x@x.test', role: 'Admin' })).json.code).toBe(
      'PERMISSION_DENIED',
    );
    expect((await member.api('GET', '/invitations')).json.code).toBe('PERMISSION_DENIED');
    expect((await admin.api('POST', '/invitations', { email: 'MIA@acme.test', role: 'Admin' })).json.code).toBe(
      'DUPLICATE_RECORD',
    );
    expect((await admin.api('POST', '/invitations', { email: 'y@y.test', role: 'King' })).json).toMatchObject({
      code: 'VALIDATION_ERROR',
      available_values: expect.arrayContaining(['Admin', 'Member', 'Viewer']),
    });
  });

  it('are taken back, and a later one takes the place of an earlier', async () => {
    const links: string[] = [];
    for (const role of ['Member', 'Viewer']) {
      await admin.api('POST', '/invitations', { email: 'zoe@acme.test', role });
      links.push((await mail.next('zoe@acme.test')).link.search);
    }
    const { json } = await admin.api('GET', '/invitations');
    expect(json.data).toMatchObject([{ email: 'zoe@acme.test', role: 'Viewer' }]);
    const status = async (search = '') => (await openBrowser(kith.url).open(`/invite${search}`)).status;
    expect([await status(links[0]), await status(links[1])]).toEqual([401, 200]);
    await admin.api('DELETE', `/invitations/${json.data[0].id}`);
    expect(await status(links[1])).toBe(401);
    const { data } = (await admin.api('GET', '/audit?action=invitation.withdrawn')).json;
    expect(data).toMatchObject([{ actor: { display: 'Ada' }, subject: { role_id: expect.any(String) } }]);
    expect((await admin.api('DELETE', `/invitations/${json.data[0].id}`)).json.code).toBe('RECORD_NOT_FOUND');
  });

  it('are good for as long as whoever sent them may invite', async () => {
    await createUser(kith.deps, organizationId, { name: 'Otto', email: 'otto@acme.test', role: 'Admin' });
    const otto = await signedIn('otto@acme.test');
    await otto.api('POST', '/invitations', { email: 'back@door.test', role: 'Admin' });
    const { link } = await mail.next('back@door.test');
    const open = async () => (await openBrowser(kith.url).open(link.pathname + link.search)).status;
    const id = await userIdOf('otto@acme.test');
    expect(await open()).toBe(200);
    await admin.api('PUT', `/users/${id}`, { role: 'Member' });
    expect(await open()).toBe(401);
    const token = link.searchParams.get('token') ?? '';
    expect((await openBrowser(kith.url).submit('/invite', { token, name: 'Otto again' })).status).toBe(401);
    await admin.api('PUT', `/users/${id}`, { role: 'Admin' });
    await admin.api('PUT', `/users/${id}`, { is_active: false });
    expect(await open()).toBe(401);
  });

  it('RL: beyond the budget of the organization they are refused in band', async () => {
    let last;
    for (let count = 0; count <= 8; count++) {
      last = await admin.api('POST', '/invitations', { email: `many${count}@acme.test`, role: 'Viewer' });
    }
    expect([last?.status, last?.json.code]).toEqual([400, 'RATE_LIMITED']);
    expect(last?.headers.get('retry-after')).toBeNull();
  });
});

describe('people', () => {
  it('are changed and deactivated by admins, whose sessions and tokens end at once', async () => {
    await createUser(kith.deps, organizationId, { name: 'Leo', email: 'leo@acme.test', role: 'Member' });
    const leo = await signedIn('leo@acme.test');
    const id = await userIdOf('leo@acme.test');
    expect((await admin.api('PUT', `/users/${id}`, { role: 'Admin' })).json).toMatchObject({ id, is_active: true });
    expect((await leo.api('GET', '/me')).json.isAdmin).toBe(true);
    expect((await member.api('PUT', `/users/${id}`, { role: 'Viewer' })).json.code).toBe('PERMISSION_DENIED');
    await admin.api('PUT', `/users/${id}`, { is_active: false, name: 'Leo L.' });
    expect((await leo.api('GET', '/me')).status).toBe(401);
    await admin.api('PUT', `/users/${id}`, { is_active: true, role: 'Member' });
    expect((await leo.api('GET', '/me')).json.profile.name).toBe('Leo L.');
  });

  it('get a role that there is, and a request that says what changes', async () => {
    const id = await userIdOf('ada@acme.test');
    expect((await admin.api('PUT', `/users/${id}`, { role: 'Membr' })).json).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'There is no role "Membr" (did you mean "Member"?); there is: Admin, Member, Viewer',
    });
    expect((await admin.api('PUT', `/users/${id}`)).json).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'A JSON object is needed as the body',
    });
    expect((await admin.api('PUT', `/users/${id}`, {})).json).toMatchObject({ id, is_active: true });
  });

  it('include an active admin, always', async () => {
    const id = await userIdOf('ada@acme.test');
    for (const change of [{ is_active: false }, { role: 'Viewer' }])
      expect((await admin.api('PUT', `/users/${id}`, change)).json).toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('admin'),
      });
    expect((await admin.api('GET', '/me')).json.isAdmin).toBe(true);
    expect((await admin.api('PUT', '/users/nobody', { role: 'Viewer' })).json.code).toBe('RECORD_NOT_FOUND');
  });
});

describe('the pages of settings', () => {
  it('have whoever is not in sign in first', async () => {
    const { url, html } = await openBrowser(kith.url).open('/settings/people');
    expect([url, html]).toEqual([
      '/signin?next=%2Fsettings%2Fpeople',
      expect.stringContaining('value="/settings/people"'),
    ]);
    expect((await member.open('/settings/people')).url).toBe('/settings/people');
  });

  it('change nothing in the name of pages of others, and tell the audit what admins changed', async () => {
    const id = await userIdOf('mia@acme.test');
    expect((await admin.api('PUT', `/users/${id}`, { role: 'Viewer' })).status).toBe(200);
    const [entry] = (await admin.api('GET', '/audit?action=user.changed&limit=1')).json.data;
    expect(entry).toMatchObject({ means: 'api', token: null, address: '127.0.0.1' });
    const refused = await member.api('PUT', `/users/${id}`, { is_active: false });
    expect([refused.json.code, refused.json.message]).toEqual([
      'PERMISSION_DENIED',
      expect.stringContaining('needs an admin'),
    ]);
    const forged = await admin.api('PUT', `/users/${id}`, { is_active: false }, { origin: 'https://evil.test' });
    expect(forged.json.code).toBe('PERMISSION_DENIED');
    expect((await member.api('GET', '/me')).status).toBe(200);
  });

  it('have the audit for admins alone', async () => {
    expect((await member.api('GET', '/audit')).json.code).toBe('PERMISSION_DENIED');
    expect((await admin.api('GET', '/audit')).json.data).not.toHaveLength(0);
  });

  it('do nothing in an organization that was chosen after they were opened', async () => {
    const other = await createOrganization(kith.deps, {
      name: 'Globex',
      adminName: 'Ada',
      adminEmail: 'ada@acme.test',
    });
    const madeFor = { 'made-for': (await admin.api('GET', '/me')).json.workspaceUserId };
    await admin.submit('/signin/organization', { organization: other.organizationId });
    const late = await admin.api('POST', '/tokens', { name: 'Late' }, madeFor);
    expect([late.json.code, JSON.stringify(late.json)]).toEqual(['CONFLICT', expect.not.stringContaining('svc_')]);
    const names = async () => (await admin.api('GET', '/tokens')).json.data.map(({ name }: { name: string }) => name);
    expect(await names()).not.toContain('Late');
    await admin.submit('/signin/organization', { organization: organizationId });
    expect(await names()).not.toContain('Late');
    expect((await admin.api('GET', '/me', undefined, madeFor)).status).toBe(200);
  });

  it('ask whoever works in several organizations for one of them first', async () => {
    const undecided = await signedIn('ada@acme.test');
    const asked = await undecided.open('/settings/tokens?of=mine');
    expect([asked.url, asked.html]).toEqual([
      '/signin/organization?next=%2Fsettings%2Ftokens%3Fof%3Dmine',
      expect.stringContaining('Globex'),
    ]);
    const chosen = await undecided.submit('/signin/organization', {
      organization: organizationId,
      next: '/settings/tokens?of=mine',
    });
    expect(chosen.url).toBe('/settings/tokens?of=mine');
  });
});

it('the first page shows what the reader may see, and how to ask for it', async () => {
  const { id } = (await admin.api('POST', '/records/companies', { name: 'Newest & Co' })).json;
  expect(id).toEqual(expect.any(String));
  const { html } = await admin.open('/');
  expect(html).toMatch(/Companies[^]*\/api\/v1\/records\/companies[^]*Newest &amp; Co/);
  for (const way of ['curl -G', 'kithcrm/client', `mcp add --transport http kith ${kith.url}/mcp`])
    expect(html).toContain(way);
  // Who hides a field hides what is called by it.
  const permissions = { companies: { view: 'all', fields: { name: 'none' } } };
  await admin.api('POST', '/manifest', { roles: [{ name: 'Nameless', permissions }] });
  await createUser(kith.deps, organizationId, { name: 'Nell', email: 'nell@acme.test', role: 'Nameless' });
  const seen = (await (await signedIn('nell@acme.test')).open('/')).html;
  expect(seen).toMatch(/Without a name/);
  expect(seen).not.toMatch(/Newest &amp;|records\/contacts<\/code>/);
  const door = await openBrowser(kith.url).open('/');
  expect([door.status, door.html]).toEqual([
    200,
    expect.stringMatching(/Sign in to Kith[^]*\/api\/v1[^]*\/llms\.txt[^]*"\/docs\/index"[^]*"\/docs"/),
  ]);
  expect((await openBrowser(kith.url).submit('/demo', { person: 'x' })).status).toBe(400);
});
