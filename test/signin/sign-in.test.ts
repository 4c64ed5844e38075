/** Coming in without a token: links by mail, used once and by a button alone; sessions of browsers; nothing tells whether an address is known. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql, statement } from '../../src/postgres/sql.ts';
import { createOrganization } from '../../src/provision/create-organization.ts';
import { createUser, updateUser } from '../../src/provision/users.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { startMailServer, type MailServer } from '../support/smtp.ts';
import { openBrowser, type Browser } from './browser.ts';

let kith: TestKith;
let mail: MailServer;
let acme: { readonly organizationId: string; readonly workspaceUserId: string; readonly token: string };

beforeAll(async () => {
  mail = await startMailServer();
  kith = await startKith({
    KITH_JOBS: 'on',
    KITH_SMTP_URL: mail.url,
    KITH_MAIL_FROM: 'Kith <kith@crm.test>',
    KITH_RATE_LIMITS: '{"auth:magic-link":{"limit":50},"auth:signup":{"limit":50}}',
  });
  acme = await organization('Acme', 'ada@acme.test');
});
afterAll(async () => {
  await kith.stop();
  await mail.stop();
});

// A mailbox gets so many links in a quarter of an hour.
beforeEach(() => rows(sql`delete from kith.sign_in_links`));

const organization = (name: string, adminEmail: string) =>
  createOrganization(kith.deps, { name, adminName: 'Ada Admin', adminEmail });

async function auth(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const reply = await fetch(`${kith.url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: reply.status, headers: reply.headers, json: parsed(await reply.text()) };
}

async function verify(query: Readonly<Record<string, string>>) {
  const reply = await fetch(`${kith.url}/api/auth/verify-token?${new URLSearchParams(query).toString()}`);
  return { status: reply.status, headers: reply.headers, json: parsed(await reply.text()) };
}

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it, the test says
const parsed = (text: string): any => JSON.parse(text);

const rows = async (query: ReturnType<typeof sql>) => (await kith.database.database.run('kith', statement(query))).rows;

async function linkFor(email: string): Promise<URL> {
  await auth('/magic-link', { email });
  return (await mail.next(email)).link;
}

const tokenOf = (link: URL) => link.searchParams.get('token') ?? '';

/** A browser in which the person has signed in. */
async function signedIn(email: string): Promise<Browser> {
  const browser = openBrowser(kith.url);
  await browser.submit('/signin/link', { token: tokenOf(await linkFor(email)) });
  return browser;
}

/** Presses the button, and says what the service answered. */
const send = (token: string, cookie = '') =>
  fetch(`${kith.url}/signin/link`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: kith.url, cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: `token=${token}`,
  });

describe('a magic link', () => {
  it('AUTH-18: is asked for by address, and the answer is the same for whoever that is', async () => {
    const known = await auth('/magic-link', { email: 'ada@acme.test' });
    const unknown = await auth('/magic-link', { email: 'eve@acme.test' });
    expect([known.status, known.json]).toEqual([202, { ok: true }]);
    expect([unknown.status, unknown.json]).toEqual([202, { ok: true }]);
    expect(known.headers.get('x-ratelimit-policy')).toBe('auth:magic-link');
    const names = (headers: Headers) => [...headers.keys()].toSorted();
    expect(names(unknown.headers)).toEqual(names(known.headers));
    const { link, subject, text } = await mail.next('ada@acme.test');
    expect([link.origin, link.pathname, subject]).toEqual([kith.url, '/signin/link', 'Sign in to Kith']);
    expect(text).toContain('15 minutes');
    // Mails go out in their order: what would have gone to the other one would be here by now.
    await linkFor('ada@acme.test');
    expect(mail.mails.filter(({ to }) => to === 'eve@acme.test')).toEqual([]);
    expect(await rows(sql`select email from kith.sign_in_links where email = 'eve@acme.test'`)).toEqual([]);
  });

  it('is kept as its hash alone', async () => {
    const token = tokenOf(await linkFor('ada@acme.test'));
    expect(token).toMatch(/^[\w-]{43}$/);
    const kept = await rows(sql`select l::text from kith.sign_in_links l`);
    expect(kept.flat().join()).not.toContain(token);
  });

  it('says by GET verify-token for whom it is good, and is not used up by that', async () => {
    const token = tokenOf(await linkFor('ada@acme.test'));
    for (const _again of [1, 2]) {
      const { status, json, headers } = await verify({ token, email: 'Ada@acme.test' });
      expect(json).toEqual({ valid: true, purpose: 'sign-in', email: 'ada@acme.test', expires_at: expect.any(String) });
      expect([status, headers.get('x-ratelimit-policy')]).toEqual([200, 'auth:verify-token']);
    }
    const wrong = { status: 401, json: { error: 'Unauthorized', code: 'UNAUTHORIZED', message: expect.any(String) } };
    expect(await verify({ token, email: 'eve@acme.test' })).toMatchObject(wrong);
    expect(await verify({ token: 'x'.repeat(43), email: 'ada@acme.test' })).toMatchObject(wrong);
    expect((await verify({ token })).json).toMatchObject({ code: 'MISSING_REQUIRED_FIELD' });
  });

  it('is shown by GET and HEAD, with its address, and used up by the button alone', async () => {
    const link = await linkFor('ada@acme.test');
    const browser = openBrowser(kith.url);
    await fetch(link, { method: 'HEAD' });
    const page = await browser.open(link.pathname + link.search);
    expect(page.status).toBe(200);
    expect(page.html).toContain('ada@acme.test');
    expect([browser.cookie, page.headers.get('set-cookie')]).toEqual([undefined, null]);
    const home = await browser.submit('/signin/link', { token: tokenOf(link) });
    expect(browser.cookie).toMatch(/^kith=[\w-]{43}$/);
    expect(home.url).toBe('/');
    const again = await openBrowser(kith.url).submit('/signin/link', { token: tokenOf(link) });
    expect([again.status, again.html]).toEqual([401, expect.stringContaining('does not work any more')]);
  });

  it('works once, however many use it at once', async () => {
    const token = tokenOf(await linkFor('ada@acme.test'));
    const browsers = Array.from({ length: 6 }, () => openBrowser(kith.url));
    await Promise.all(browsers.map((browser) => browser.submit('/signin/link', { token })));
    expect(browsers.filter(({ cookie }) => cookie !== undefined)).toHaveLength(1);
  });

  it('ends with the next one that is used, and with its time', async () => {
    const [first, second, third] = [
      await linkFor('ada@acme.test'),
      await linkFor('ada@acme.test'),
      await linkFor('ada@acme.test'),
    ];
    await openBrowser(kith.url).submit('/signin/link', { token: tokenOf(first) });
    const late = openBrowser(kith.url);
    expect((await late.submit('/signin/link', { token: tokenOf(second) })).status).toBe(401);
    await rows(sql`update kith.sign_in_links set used_at = null, expires_at = now() - interval '1 second'`);
    expect((await late.submit('/signin/link', { token: tokenOf(third) })).status).toBe(401);
    expect(late.cookie).toBeUndefined();
  });

  it('is sent to nobody who is no active user anywhere', async () => {
    const { organizationId } = acme;
    await createUser(kith.deps, organizationId, { name: 'Gone', email: 'gone@acme.test', role: 'Member' });
    await updateUser(kith.deps, organizationId, 'gone@acme.test', { active: false });
    await auth('/magic-link', { email: 'gone@acme.test' });
    await linkFor('ada@acme.test');
    expect(mail.mails.filter(({ to }) => to === 'gone@acme.test')).toEqual([]);
  });

  it('RL: is counted by address and sender, also where nobody knows the address', async () => {
    const statuses: number[] = [];
    for (let count = 0; count <= 50; count++)
      statuses.push((await auth('/magic-link', { email: 'often@acme.test' })).status);
    expect(statuses).toEqual([...Array(50).fill(202), 429]);
  });

  it('is refused what is no address, no JSON, or not said to be', async () => {
    expect(await auth('/magic-link', { email: 'nobody' })).toMatchObject({
      status: 400,
      json: { code: 'VALIDATION_ERROR', field_errors: [{ field: 'email' }] },
    });
    expect((await auth('/magic-link', {})).json).toMatchObject({ code: 'MISSING_REQUIRED_FIELD' });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const { status, json } = await auth('/magic-link', { email: 'ada@acme.test' }, { 'content-type': type });
      expect([type, status, json.code]).toEqual([type, 400, 'VALIDATION_ERROR']);
    }
    expect((await auth('/magic-link', { email: 'ada@acme.test', next: '//evil.test' })).json.code).toBe(
      'VALIDATION_ERROR',
    );
  });
});

it('a mail server that is away delays mails and loses none', async () => {
  mail.refuse(1);
  const link = await linkFor('ada@acme.test');
  expect(await rows(sql`select id from kith.sign_in_links`), 'for all tries').toHaveLength(1);
  expect((await verify({ token: tokenOf(link), email: 'ada@acme.test' })).status).toBe(200);
  await expect.poll(() => rows(sql`select id from kith.mails`)).toEqual([]);
}, 20_000);

describe('signup', () => {
  it('makes the organization when the link is used, and signs its admin in', async () => {
    const email = 'grace@new.test';
    const asked = await auth('/signup', { name: 'Grace', email, organization_name: 'Click here http://evil.test' });
    expect([asked.status, asked.json]).toEqual([202, { ok: true }]);
    expect(asked.headers.get('x-ratelimit-policy')).toBe('auth:signup');
    const { link, text, subject } = await mail.next(email);
    // What a stranger types is sent to nobody.
    expect(text + subject).not.toMatch(/evil|Grace/);
    const browser = openBrowser(kith.url);
    const page = await browser.open(link.pathname + link.search);
    expect(page.html).toContain(email);
    expect(await kith.deps.directory.personOf(email)).toBeUndefined();
    await browser.submit('/signin/link', { token: tokenOf(link) });
    const me = await browser.api('GET', '/me');
    expect(me.json).toMatchObject({ isAdmin: true, scopes: [], profile: { name: 'Grace', email } });
    const tokens = await rows(sql`select id from kith.tokens where organization_id = ${me.json.organizationId}::uuid`);
    expect(tokens).toEqual([]);
  });

  it('tells nothing of an address that is known, but to its mailbox', async () => {
    const asked = await auth('/signup', { name: 'Eve', email: 'ada@acme.test', organization_name: 'Eves' });
    expect([asked.status, asked.json]).toEqual([202, { ok: true }]);
    const { subject, link } = await mail.next('ada@acme.test');
    expect([subject, link.pathname]).toEqual(['You have an account in Kith already', '/signin']);
  });

  it('makes one organization of two links, also when both are used at once', async () => {
    const email = 'twice@new.test';
    const links: URL[] = [];
    for (const organization_name of ['One', 'Two']) {
      await auth('/signup', { name: 'Twice', email, organization_name });
      links.push((await mail.next(email)).link);
    }
    const press = async (link: URL) => (await send(tokenOf(link))).status;
    expect(new Set(await Promise.all(links.map(press)))).toEqual(new Set([303, 401]));
    const person = await kith.deps.directory.personOf(email);
    expect(await kith.deps.directory.organizationsOf(person?.id ?? '', 10)).toHaveLength(1);
  });

  it('is refused names that are none', async () => {
    const { status, json } = await auth('/signup', { name: ' ', email: 'x', organization_name: '' });
    const fields = json.field_errors?.map(({ field }: { field: string }) => field);
    expect([status, json.code, fields]).toEqual([400, 'VALIDATION_ERROR', ['name', 'email', 'organization_name']]);
  });
});

describe('a browser’s session', () => {
  it('is a cookie that scripts and other sites do not get, new at each sign-in', async () => {
    const link = await linkFor('ada@acme.test');
    const reply = await send(tokenOf(link), `kith=${'a'.repeat(43)}`);
    const [cookie = ''] = reply.headers.getSetCookie();
    expect(cookie).toMatch(/^kith=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain('aaaaaaaa');
    const [kept] = await rows(sql`select string_agg(s::text, '') from kith.sessions s`);
    expect(kept?.[0]).not.toContain(/kith=([\w-]+)/.exec(cookie)?.[1]);
    const old = openBrowser(kith.url);
    old.cookie = cookie.split(';')[0];
    expect((await old.api('GET', '/me')).status).toBe(200);
    await send(tokenOf(await linkFor('ada@acme.test')), old.cookie);
    expect((await old.api('GET', '/me')).status).toBe(401);
  });

  it('counts on /api/v1 in place of a token, with the role of its user', async () => {
    const browser = await signedIn('ada@acme.test');
    const me = await browser.api('GET', '/me');
    expect(me.json).toMatchObject({ workspaceUserId: acme.workspaceUserId, scopes: [], isAdmin: true });
    const made = await browser.api('POST', '/records/contacts', { first_name: 'Anna' });
    expect([made.status, made.json.action]).toEqual([200, 'created']);
    const { json } = await browser.api('GET', `/records/contacts/${made.json.id}/history`);
    expect(json.data[0].actor ?? json.data[0]).toBeDefined();
  });

  it('writes only where a page of this service asks', async () => {
    const browser = await signedIn('ada@acme.test');
    const create = (headers: Record<string, string>) =>
      browser.api('POST', '/records/contacts', { first_name: 'X' }, headers);
    const none = { origin: 'null' };
    for (const headers of [
      { origin: 'https://evil.test' },
      none,
      { ...none, 'sec-fetch-site': 'cross-site' },
      { ...none, 'sec-fetch-site': 'same-site' },
    ])
      expect([headers, (await create(headers)).json.code]).toEqual([headers, 'PERMISSION_DENIED']);
    expect((await create({ ...none, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    const typeless = await create({ 'content-type': 'text/plain' });
    expect([typeless.status, typeless.json.code]).toEqual([400, 'VALIDATION_ERROR']);
    const form = await create({ 'content-type': 'application/x-www-form-urlencoded' });
    expect([form.status, form.json.code]).toEqual([400, 'VALIDATION_ERROR']);
    const mine = { authorization: `Bearer ${acme.token}`, origin: 'https://evil.test' };
    expect((await create(mine)).status).toBe(200);
  });

  it('yields to a token that is sent, good or not', async () => {
    const browser = await signedIn('ada@acme.test');
    const wrong = await browser.api('GET', '/me', undefined, { authorization: 'Bearer svc_x' });
    expect(wrong.status).toBe(401);
    const right = await browser.api('GET', '/me', undefined, { authorization: `Bearer ${acme.token}` });
    expect(right.json.scopes).toEqual(['mcp']);
  });

  it('gives no access to the MCP endpoint', async () => {
    const { cookie = '' } = await signedIn('ada@acme.test');
    const headers = { cookie, origin: kith.url, 'content-type': 'application/json' };
    expect((await fetch(`${kith.url}/mcp`, { method: 'POST', headers, body: '{}' })).status).toBe(401);
  });

  it('keeps what is remembered apart from that of tokens', async () => {
    const browser = await signedIn('ada@acme.test');
    const tag = async (headers: Record<string, string>) =>
      (await browser.api('POST', '/records/contacts', { first_name: 'Once' }, headers)).json;
    const key = { 'idempotency-key': 'mixed-1' };
    const first = await tag(key);
    expect((await tag(key)).id).toBe(first.id);
    expect(await tag({ ...key, authorization: `Bearer ${acme.token}` })).toMatchObject({ code: 'CONFLICT' });
  });

  it('ends at once when its user is deactivated, and where it is signed out', async () => {
    const email = 'leaver@acme.test';
    await createUser(kith.deps, acme.organizationId, { name: 'Leaver', email, role: 'Member' });
    const [here, there, other] = [await signedIn(email), await signedIn(email), await signedIn('ada@acme.test')];
    const status = async (browser: Browser) => (await browser.api('GET', '/me')).status;
    expect([await status(here), await status(there)]).toEqual([200, 200]);
    const { cookie } = here;
    await here.submit('/signout', {});
    expect(here.cookie).toBeUndefined();
    here.cookie = cookie;
    expect([await status(here), await status(there)]).toEqual([401, 200]);
    const third = await signedIn(email);
    await third.submit('/signout', { everywhere: 'yes' });
    expect([await status(there), await status(other)]).toEqual([401, 200]);
    const last = await signedIn(email);
    await updateUser(kith.deps, acme.organizationId, email, { active: false });
    expect(await status(last)).toBe(401);
  });

  it('works in one organization of several, which the person chooses', async () => {
    const email = 'both@acme.test';
    const second = await organization('Second <b>', email);
    await createUser(kith.deps, acme.organizationId, { name: 'Both', email, role: 'Member' });
    const browser = openBrowser(kith.url);
    const page = await browser.submit('/signin/link', { token: tokenOf(await linkFor(email)) });
    expect(page.html).toContain('Second &lt;b&gt;');
    expect((await browser.api('GET', '/me')).json).toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringContaining('choose'),
    });
    await browser.submit('/signin/organization', { organization: second.organizationId });
    expect((await browser.api('GET', '/me')).json).toMatchObject({
      organizationId: second.organizationId,
      isAdmin: true,
    });
    await browser.submit('/signin/organization', { organization: acme.organizationId });
    expect((await browser.api('GET', '/me')).json).toMatchObject({
      organizationId: acme.organizationId,
      isAdmin: false,
    });
    // One of others is as if there were none.
    const foreign = await organization('Foreign', 'f@foreign.test');
    await browser.submit('/signin/organization', { organization: foreign.organizationId });
    expect((await browser.api('GET', '/me')).json.organizationId).toBe(acme.organizationId);
  });
});

describe('pages', () => {
  it.each(['/', '/signin', '/signup', '/signin/sent'])('%s is plain, in no frame, and kept by nobody', async (path) => {
    const { html, headers, status } = await openBrowser(kith.url).open(path);
    expect([status, headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      200,
      'no-store',
      'same-origin',
    ]);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(html).toMatch(/<html lang="en">[^]*<h1>/);
    // The one script is that of the button for the colours.
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script src="/docs/theme.js">']);
  });

  it('take forms of their own alone, whoever is signed in', async () => {
    const browser = openBrowser(kith.url);
    const link = await linkFor('ada@acme.test');
    const sent = await browser.submit('/signin/link', { token: tokenOf(link) }, { origin: 'https://evil.test' });
    expect([sent.status, browser.cookie]).toEqual([400, undefined]);
    expect((await browser.submit('/signin/link', { token: tokenOf(link) })).status).not.toBe(401);
  });

  it('go on where somebody wanted to, within this service', async () => {
    const ask = async (next: string) => {
      await openBrowser(kith.url).submit('/signin', { email: 'ada@acme.test', next });
      const { link } = await mail.next('ada@acme.test');
      const reply = await send(tokenOf(link));
      return reply.headers.get('location');
    };
    expect(await ask('/settings/people')).toBe('/settings/people');
    for (const next of ['https://evil.test', '//evil.test', '/\\evil.test']) expect(await ask(next)).toBe('/');
  });

  it('escape what was typed, and say in words what is wrong with it', async () => {
    const { status, html } = await openBrowser(kith.url).submit('/signup', {
      name: '"><script>',
      email: 'x',
      organization_name: 'O',
    });
    expect(status).toBe(400);
    expect(html).toContain('email must be an e-mail address');
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;"');
  });
});
