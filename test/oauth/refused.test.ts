/** What an app must not get: with what is wrong, old, used, taken back, or somebody else's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEntries } from '../../src/oauth/entries.ts';
import { updateUser, createUser } from '../../src/provision/users.ts';
import { sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { sendRaw } from '../mcp/agent.ts';
import { openBrowser } from '../signin/browser.ts';
import { newApp, post, redirectUri, register, type App, type Answer } from './app.ts';
import { startStage, type Stage } from './stage.ts';

let stage: Stage;
let app: App;
let other: App;

beforeAll(async () => {
  stage = await startStage({
    KITH_RATE_LIMITS: '{"oauth:register":{"limit":5},"oauth:token":{"limit":500}}',
  });
  app = await newApp(stage.kith.url);
  other = await newApp(stage.kith.url, 'Another one');
}, 60_000);
afterAll(() => stage.stop());

const me = async (token: string) => stage.kith.client(token).get('/me');
const rows = async (query: Sql) => (await stage.kith.database.database.run('kith', statement(query))).rows;
const problem = ({ status, json }: Answer) => [status, json.error];
const invalidGrant = [400, 'invalid_grant'];

/** What the app has after a consent. */
async function connected(of = app) {
  const code = await of.code(stage.mia);
  const { json } = await of.exchange(code);
  return { code, access: json.access_token as string, refresh: json.refresh_token as string };
}

describe('a request for consent', () => {
  it.each([
    ['plain PKCE', { code_challenge_method: 'plain', code_challenge: 'x'.repeat(43) }, 'invalid_request'],
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a foreign resource', { resource: 'https://evil.test/mcp' }, 'invalid_target'],
    ['a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['an answer without a page', { prompt: 'none' }, 'login_required'],
    ['a form as the answer', { response_mode: 'form_post' }, 'unsupported_response_mode'],
  ])('with %s is refused, and the app is told', async (_, over, error) => {
    const { status, url } = await app.ask(stage.mia, over);
    expect([status, url.startsWith(redirectUri)]).toEqual([303, true]);
    const { search, hash } = new URL(url);
    const told = Object.fromEntries(new URLSearchParams(search || hash.slice(1)));
    expect(told).toMatchObject({ error, state: 'of the app', iss: stage.kith.url });
  });

  it('that is wrong leads nobody to a host that was not named before', async () => {
    const { json } = await register(stage.kith.url, { redirect_uris: ['https://evil.test/'] });
    const over = { client_id: json.client_id, redirect_uri: 'https://evil.test/', resource: 'https://evil.test/' };
    const { status, html } = await app.ask(stage.mia, over);
    expect([status, html]).toEqual([
      400,
      expect.stringMatching(/invalid_target[^]*href="https:\/\/evil\.test\/\?error=/),
    ]);
  });

  it.each([
    ['an unknown app', { client_id: 'nobody' }],
    ['no app', { client_id: undefined }],
    ['an address that is not registered', { redirect_uri: 'https://evil.test/' }],
    ['an address that begins like one', { redirect_uri: `${redirectUri}.evil.test` }],
    ['a document on this machine', { client_id: 'https://127.0.0.1/app.json' }],
    ['text that cannot be kept', { state: 'a\0b' }],
    ['more text than waits for an answer', { state: 'a'.repeat(5_000) }],
  ])('with %s leads nowhere', async (_, over) => {
    const { status, url, html } = await app.ask(stage.mia, over);
    expect([status, url.startsWith('/oauth/authorize'), html.includes('<h1>')]).toEqual([400, true, true]);
  });
});

describe('a code', () => {
  it('AUTH-19: is good once: used again, all that came of it ends', async () => {
    const { code, access, refresh } = await connected();
    expect((await me(access)).status).toBe(200);
    expect(problem(await app.exchange(code))).toEqual(invalidGrant);
    expect((await me(access)).json).toMatchObject({ error: 'Unauthorized', code: 'UNAUTHORIZED' });
    expect(problem(await app.refresh(refresh))).toEqual(invalidGrant);
    const { json } = await stage.ada.api('GET', '/audit?limit=1');
    expect(json.data[0]).toMatchObject({
      action: 'app.disconnected',
      subject: { why: expect.stringContaining('twice') },
    });
  });

  it('AUTH-19: used a day later by somebody else, does so, too', async () => {
    const { code, access } = await connected();
    await rows(sql`update kith.oauth_entries set expires_at = expires_at - interval '1 hour', consumed_at = consumed_at - interval '1 hour'
      where kind = 'AuthorizationCode' and consumed_at is not null`);
    expect(problem(await app.exchange(code))).toEqual(invalidGrant);
    expect((await me(access)).status).toBe(401);
  });

  it('AUTH-19: lasts 60 seconds', async () => {
    const code = await app.code(stage.mia);
    const [row] = await rows(sql`select extract(epoch from expires_at - now()) from kith.oauth_entries
      where kind = 'AuthorizationCode' and consumed_at is null`);
    expect(Number(row?.[0])).toBeGreaterThan(30);
    expect(Number(row?.[0])).toBeLessThanOrEqual(61);
    await rows(sql`update kith.oauth_entries set expires_at = now() where kind = 'AuthorizationCode'`);
    expect(problem(await app.exchange(code))).toEqual(invalidGrant);
  });

  it('of all that use it at once is at most that of one', async () => {
    const code = await app.code(stage.mia);
    const answers = await Promise.all(Array.from({ length: 6 }, () => app.exchange(code)));
    // A second use ends what the first one brings, also while that is being made.
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    const others = answers.filter(({ status }) => status !== 200);
    expect(new Set(others.map((one) => problem(one).join(' ')))).toEqual(new Set(['400 invalid_grant']));
  });

  it.each([
    ['another verifier', { code_verifier: 'v'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_grant'],
    ['another address', { redirect_uri: 'https://evil.test/' }, 'invalid_grant'],
    ['a foreign resource', { resource: 'https://evil.test/' }, 'invalid_target'],
    ['another kind of grant', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no app', { client_id: '' }, 'invalid_request'],
  ])('with %s brings nothing', async (_, over, error) => {
    const answer = await app.exchange(await app.code(stage.mia), over);
    expect([answer.status, answer.json.error]).toEqual([400, error]);
    expect(answer.json).not.toHaveProperty('access_token');
  });

  it('is for the app that asked', async () => {
    const code = await app.code(stage.mia);
    expect(problem(await other.exchange(code))).toEqual(invalidGrant);
  });
});

describe('a refresh token', () => {
  it('is good once, and brings the next one: used again, all ends', async () => {
    const { refresh } = await connected();
    const { json: next } = await app.refresh(refresh);
    expect((await me(next.access_token)).status).toBe(200);
    expect(problem(await app.refresh(refresh))).toEqual(invalidGrant);
    expect((await me(next.access_token)).status).toBe(401);
    expect(problem(await app.refresh(next.refresh_token))).toEqual(invalidGrant);
  });

  it('of all that use it at once is at most that of one', async () => {
    const { refresh } = await connected();
    const answers = await Promise.all(Array.from({ length: 4 }, () => app.refresh(refresh)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ status }) => status !== 200).map(problem)).toContainEqual(invalidGrant);
  });

  it('is for its app, and for what was asked', async () => {
    const { refresh } = await connected();
    expect(problem(await other.refresh(refresh))).toEqual(invalidGrant);
    expect(problem(await app.refresh(refresh, { resource: 'https://evil.test/' }))).toEqual([400, 'invalid_target']);
  });
});

describe('an access token', () => {
  it('says for what it is, and is refused as every other token when it was changed', async () => {
    const { access } = await connected();
    const [head = '', claims = '', signature = ''] = access.slice(4).split('.');
    const said = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const iss = `urn:uuid:${await stage.kith.deps.directory.installationId()}`;
    expect(said).toMatchObject({ iss, aud: [iss, `${stage.kith.url}/mcp`], exp: said.iat + 3_600 });
    const forged = Buffer.from(JSON.stringify({ ...said, exp: said.exp + 9_000 })).toString('base64url');
    for (const token of [`svc_${head}.${forged}.${signature}`, `${access}x`, `svc_${said.jti}`]) {
      expect((await sendRaw(stage.kith.url, token, {})).status).toBe(401);
      expect((await me(token)).json).toMatchObject({ error: 'Unauthorized', code: 'UNAUTHORIZED' });
    }
  });

  it.each(['access', 'refresh'] as const)(
    'ends with its refresh token when the app gives its %s token back',
    async (which) => {
      const has = await connected();
      for (const token of ['none', 'connection~x', has.access.slice(0, -2), ''].filter(Boolean))
        expect((await app.revoke(token)).status).toBe(200);
      await other.revoke(has[which]);
      expect((await me(has.access)).status).toBe(200);
      expect((await app.revoke(has[which])).status).toBe(200);
      expect((await me(has.access)).status).toBe(401);
      expect(problem(await app.refresh(has.refresh))).toEqual(invalidGrant);
    },
  );

  it('ends with its user', async () => {
    await createUser(stage.kith.deps, stage.acme, { name: 'Tom', email: 'tom@acme.test', role: 'Member' });
    const tom = openBrowser(stage.kith.url);
    await stage.follow(tom, await stage.link(tom, 'tom@acme.test'));
    const { json: tokens } = await app.exchange(await app.code(tom));
    expect((await me(tokens.access_token)).status).toBe(200);
    await updateUser(stage.kith.deps, stage.acme, 'tom@acme.test', { active: false });
    expect((await me(tokens.access_token)).status).toBe(401);
    expect(problem(await app.refresh(tokens.refresh_token))).toEqual(invalidGrant);
  });
});

describe('what is kept', () => {
  it('has no secret in it', async () => {
    const { refresh } = await connected();
    const code = await app.code(stage.mia);
    await app.ask(stage.mia);
    const kept = JSON.stringify(await rows(sql`select kind, hash, content::text from kith.oauth_entries`));
    for (const secret of [refresh, code, ...stage.mia.others()]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(kept).not.toContain(secret);
    }
  });
});

it('what is kept is removed when it is over', async () => {
  await app.code(stage.mia);
  const before = await kinds();
  await createEntries(stage.kith.database.database, { now: () => Date.now() + 2 * 24 * 3_600_000 }).forget();
  expect(before).toEqual(expect.arrayContaining(['AuthorizationCode', 'Interaction']));
  expect(await kinds()).toEqual(['Client', 'Grant', 'RefreshToken']);
});

async function kinds() {
  const found = await rows(sql`select distinct kind from kith.oauth_entries order by kind`);
  return found.map(([kind]) => kind);
}

describe('limits', () => {
  it('RL-12: tell what is left of oauth:token', async () => {
    const { headers } = await app.refresh('none');
    expect(headers.get('x-ratelimit-policy')).toBe('oauth:token');
    expect(headers.get('x-ratelimit-limit')).toBe('500');
  });

  it('RL-11: end registrations beyond oauth:register', async () => {
    const metadata = { redirect_uris: [redirectUri] };
    const answers = [];
    for (let sent = 0; sent < 4; sent++) answers.push(await register(stage.kith.url, metadata));
    const last = answers.at(-1);
    expect([last?.status, last?.json]).toMatchObject([429, { error: 'Too many requests', policy: 'oauth:register' }]);
    expect(last?.headers.get('retry-after')).toMatch(/^\d+$/);
    // Documents of apps count there, also where a token is taken back.
    const document = { client_id: 'https://127.0.0.1/other.json', token: 'none' };
    const revoked = await post(`${stage.kith.url}/api/oauth/revoke`, document);
    expect([revoked.status, revoked.json.policy]).toEqual([429, 'oauth:register']);
  });

  it('take forms, and tell so in the terms of the protocol', async () => {
    const reply = await fetch(`${stage.kith.url}/api/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"grant_type":"authorization_code"}',
    });
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    const empty = await post(`${stage.kith.url}/api/oauth/token`, {});
    expect([empty.status, empty.json.error]).toEqual([400, 'invalid_request']);
  });
});
