/** [spec: Rate limits] Budgets over HTTP: headers, the 429, two budgets at once, and whose they are. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { routes } from '../../src/http/routes.ts';
import { createToken } from '../../src/provision/tokens.ts';
import { startKith, type Reply, type TestKith } from '../support/kith.ts';
import { emailOf, ingest } from './conversations.ts';
import { account, email } from './sending.ts';

let kith: TestKith;
afterEach(() => kith.stop());

const start = async (limits: object, env: Readonly<Record<string, string>> = {}) =>
  (kith = await startKith({ KITH_RATE_LIMITS: JSON.stringify(limits), ...env }));

const told = ({ headers }: Reply) => ({
  policy: headers.get('x-ratelimit-policy'),
  limit: headers.get('x-ratelimit-limit'),
  remaining: headers.get('x-ratelimit-remaining'),
});

function expectDenied(reply: Reply, policy: string, windowSeconds: number): void {
  expect(reply.status).toBe(429);
  expect(Object.keys(reply.json)).toEqual(['error', 'policy', 'retryAfterSeconds', 'code', 'message']);
  expect(reply.json).toMatchObject({ error: 'Too many requests', policy, code: 'RATE_LIMITED' });
  expect(reply.json.message).toContain(policy);
  expect(reply.json.retryAfterSeconds).toBeGreaterThanOrEqual(1);
  expect(reply.json.retryAfterSeconds).toBeLessThanOrEqual(windowSeconds);
  expect(Number.isInteger(reply.json.retryAfterSeconds)).toBe(true);
  expect(reply.headers.get('retry-after')).toBe(String(reply.json.retryAfterSeconds));
  expect(told(reply)).toMatchObject({ policy, remaining: '0' });
}

describe('api:global', () => {
  it('RL-03, RL-04, RL-19, ERRO-19: counts down on every answer, allowed or refused, then denies that user alone', async () => {
    await start({ 'api:global': { limit: 4, windowSeconds: 60 } });
    const { admin, user } = await kith.organization();
    const replies = [
      await admin.get('/me'),
      await admin.get('/records/nothing'),
      await admin.get('/records/contacts', { limt: 1 }),
      await admin.post('/records/contacts', {}),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([200, 400, 400, 200]);
    expect(replies.map(told)).toEqual(
      ['3', '2', '1', '0'].map((remaining) => ({ policy: 'api:global', limit: '4', remaining })),
    );
    for (const { headers } of replies) {
      const ahead = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000;
      expect(ahead).toBeGreaterThan(-1);
      expect(ahead).toBeLessThanOrEqual(61);
    }
    expectDenied(await admin.get('/me'), 'api:global', 60);
    expectDenied(await admin.post('/records/contacts', {}), 'api:global', 60);
    const member = await user('Member');
    expect(told(await member.get('/me'))).toEqual({ policy: 'api:global', limit: '4', remaining: '3' });
    expect((await member.get('/records/contacts')).json.total).toBe(1);
  });

  it('RL-01: counts by workspace user, whichever token', async () => {
    await start({ 'api:global': { limit: 2, windowSeconds: 60 } });
    const { admin, id } = await kith.organization();
    const { email } = (await admin.get('/me')).json.profile;
    const second = kith.client((await createToken(kith.deps, id, { email, name: 'second' })).token);
    expect(told(await second.get('/me')).remaining).toBe('0');
    expectDenied(await admin.get('/me'), 'api:global', 60);
  });
});

describe('api:bulk', () => {
  it('RL-21, RL-23: import and export use it beside api:global, by organization; the tighter one is told', async () => {
    await start({ 'api:bulk': { limit: 2, windowSeconds: 600 }, 'api:global': { limit: 4, windowSeconds: 60 } });
    const { admin, user } = await kith.organization();
    const first = await admin.post('/import/contacts', { records: [{}] });
    expect(told(first)).toEqual({ policy: 'api:bulk', limit: '2', remaining: '1' });
    expect(told(await admin.get('/export/contacts'))).toEqual({ policy: 'api:bulk', limit: '2', remaining: '0' });
    const other = await user('Admin');
    const denied = await other.get('/export/contacts');
    expectDenied(denied, 'api:bulk', 600);
    // What one budget denies counts in neither.
    expect(told(await other.get('/me'))).toEqual({ policy: 'api:global', limit: '4', remaining: '3' });
    expect(told(await admin.get('/me'))).toEqual({ policy: 'api:global', limit: '4', remaining: '1' });
    const elsewhere = await kith.organization();
    expect(told(await elsewhere.admin.get('/export/contacts'))).toEqual({
      policy: 'api:bulk',
      limit: '2',
      remaining: '1',
    });
  });

  it('a denied import writes nothing', async () => {
    await start({ 'api:bulk': { limit: 1, windowSeconds: 600 } });
    const { admin } = await kith.organization();
    await admin.get('/export/contacts');
    expectDenied(await admin.post('/import/contacts', { records: [{}] }), 'api:bulk', 600);
    expect((await admin.get('/records/contacts')).json.total).toBe(0);
  });
});

describe('api:expensive', () => {
  it('RL-20, RL-21: searches over everything and aggregates use it beside api:global, by user; searches of a list do not', async () => {
    await start({ 'api:expensive': { limit: 3, windowSeconds: 60 } });
    const { admin, user } = await kith.organization();
    const counted = (remaining: string) => ({ policy: 'api:expensive', limit: '3', remaining });
    expect(told(await admin.get('/search', { query: 'x' }))).toEqual(counted('2'));
    expect(told(await admin.get('/aggregate/contacts'))).toEqual(counted('1'));
    expect(told(await admin.get('/records/contacts', { search: 'x' })).policy).toBe('api:global');
    expect(told(await admin.get('/search', { query: '' })).remaining, 'what is refused counts, too').toBe('0');
    expectDenied(await admin.get('/search', { query: 'x' }), 'api:expensive', 60);
    expect(told(await (await user('Member')).get('/search', { query: 'x' }))).toEqual(counted('2'));
  });
});

describe('api:ip', () => {
  it('RL-02, RL-18: counts before authentication, with and without a token, and leaves health alone', async () => {
    await start({ 'api:ip': { limit: 3, windowSeconds: 60 } });
    const { admin } = await kith.organization();
    const anonymous = await admin.send('/api/v1/me', { headers: { authorization: 'none' } });
    expect(anonymous.status).toBe(401);
    expect(told(anonymous)).toEqual({ policy: 'api:ip', limit: '3', remaining: '2' });
    expect((await admin.send('/api/v1/no/such/path')).status).toBe(404);
    expect(told(await admin.get('/me'))).toEqual({ policy: 'api:ip', limit: '3', remaining: '0' });
    expectDenied(await admin.get('/me'), 'api:ip', 60);
    expectDenied(await admin.send('/api/v1/me', { headers: { authorization: 'none' } }), 'api:ip', 60);
    const health = await admin.send('/health/live');
    expect(health.status).toBe(200);
    expect(health.headers.get('x-ratelimit-limit')).toBe(null);
  });

  it('ENDP-01: counts a request to any route, and refuses it without a token', async () => {
    await start({ 'api:ip': { limit: 1_000, windowSeconds: 60 } });
    const { admin } = await kith.organization();
    const headers = { authorization: 'none' };
    let remaining = 1_000;
    for (const { method, path } of routes) {
      const place = path.replace(':object', 'contacts').replaceAll(/:\w+/g, randomUUID());
      const reply = await admin.send(`/api/v1${place}`, { method, headers });
      expect([method, path, reply.status, reply.json.code]).toEqual([method, path, 401, 'UNAUTHORIZED']);
      expect(told(reply)).toEqual({ policy: 'api:ip', limit: '1000', remaining: String(--remaining) });
    }
    expect(remaining).toBeLessThan(900);
  });

  it('counts all addresses of an IPv6 network as one client, and an IPv4 address however it is written', async () => {
    const limits = { 'api:ip': { limit: 100, windowSeconds: 60 }, 'api:global': { limit: 10_000, windowSeconds: 60 } };
    await start(limits, { KITH_TRUSTED_PROXIES: 'loopback' });
    const { admin } = await kith.organization();
    const remaining = async (client: string) =>
      100 - Number((await admin.get('/me', {}, { 'x-forwarded-for': client })).headers.get('x-ratelimit-remaining'));
    const network = ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::', '2001:db8:1:2:3:4:5:6', '[2001:db8:1:2::9]:443'];
    for (const [at, client] of network.entries()) expect(await remaining(client), client).toBe(at + 1);
    const others = ['2001:db8:1:3::1', '2001:db8::1', '::1:2:3:4', '1:2:3:4:5:6:7:8'];
    for (const client of others) expect(await remaining(client), client).toBe(1);
    const same = ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:cb00:7107', '203.0.113.7:5000', '203.0.113.7:5001'];
    for (const [at, client] of same.entries()) expect(await remaining(client), client).toBe(at + 1);
    expect(await remaining('203.0.113.8')).toBe(1);
    const unknown = ['unknown', '_hidden', '1.2.3.4.5'];
    for (const [at, client] of unknown.entries()) expect(await remaining(client), client).toBe(at + 1);
  });
});

describe('GET /limits', () => {
  it('tells what is left of every budget of the caller, and counts in api:global alone', async () => {
    await start({ 'api:global': { limit: 50 }, 'api:bulk': { limit: 7 } });
    const { admin, user } = await kith.organization();
    await admin.get('/search', { query: 'x' });
    await admin.get('/export/contacts');
    const limitsOf = async (client: typeof admin) => {
      const { status, json, headers } = await client.get('/limits');
      expect(status).toBe(200);
      return {
        reset: json.limits.map(({ reset }: { reset: number }) => Math.sign(reset - Date.now() / 1000 + 2)),
        headers: headers.get('x-ratelimit-remaining'),
        left: json.limits.map((one: Record<string, unknown>) => [
          one['policy'],
          one['counted_per'],
          one['limit'],
          one['window_seconds'],
          one['remaining'],
        ]),
      };
    };
    const left = (global: number, expensive: number) => [
      ['api:ip', 'IP', 1000, 60, expect.any(Number)],
      ['api:global', 'workspace user', 50, 60, global],
      ['api:expensive', 'workspace user', 90, 60, expensive],
      ['api:bulk', 'organization', 7, 600, 6],
      ['api:messaging-send', 'workspace user', 30, 3600, 30],
    ];
    const reset = [1, 1, 1, 1, 1];
    expect(await limitsOf(admin)).toEqual({ reset, headers: '47', left: left(47, 89) });
    expect(await limitsOf(admin)).toEqual({ reset, headers: '46', left: left(46, 89) });
    expect(await limitsOf(await user('Viewer'))).toEqual({ reset, headers: '49', left: left(49, 90) });
    expect((await admin.get('/limits', { policy: 'x' })).json.code).toBe('VALIDATION_ERROR');
  });

  it('is empty where limits are off', async () => {
    kith = await startKith();
    const { admin } = await kith.organization();
    expect((await admin.get('/limits')).json).toEqual({ limits: [] });
  });
});

it('the defaults are those of the specification', async () => {
  kith = await startKith({ KITH_RATE_LIMITS: 'on' });
  const { admin } = await kith.organization();
  expect(told(await admin.send('/api/v1/me', { headers: { authorization: 'none' } }))).toEqual({
    policy: 'api:ip',
    limit: '1000',
    remaining: '999',
  });
  expect(told(await admin.get('/me'))).toEqual({ policy: 'api:ip', limit: '1000', remaining: '998' });
  expect(told(await admin.get('/export/contacts'))).toEqual({ policy: 'api:bulk', limit: '20', remaining: '19' });
});

it('off tells nothing and denies nothing', async () => {
  kith = await startKith({ KITH_RATE_LIMITS: 'off' });
  const { admin } = await kith.organization();
  for (let i = 0; i < 25; i++) expect((await admin.get('/export/contacts')).status).toBe(200);
  expect(told(await admin.get('/me'))).toEqual({ policy: null, limit: null, remaining: null });
});

describe('api:messaging-send', () => {
  it('RL-22: counts messages that really go out, and nothing else', async () => {
    await start({ 'api:messaging-send': { limit: 2, windowSeconds: 3600 } });
    const organization = await kith.organization();
    const { admin } = organization;
    await ingest(kith, organization, [account(await emailOf(admin), ['email'])]);
    const replies: Reply[] = [];
    for (const message of [email(), email(), email()]) {
      const { confirm_token } = (await admin.post('/messages/preview', message)).json;
      const send = (more: object = {}) => admin.post('/messages/send', { ...message, ...more, confirm_token });
      expect((await send({ body: 'x' })).json.code).toBe('CONFIRM_MISMATCH');
      const reply = await send();
      replies.push(reply);
      if (reply.status === 200) expect((await send()).json.mode).toBe('duplicate_suppressed');
    }
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(replies.map((reply) => told(reply).policy)).toEqual(Array.from({ length: 3 }, () => 'api:messaging-send'));
    expectDenied(replies[2]!, 'api:messaging-send', 3600);
  });
});
