import { describe, expect, it } from 'vitest';
import { limitCounts } from '../../src/limits/counts.ts';
import { RateLimited } from '../../src/limits/limiter.ts';
import type { LimitDecision } from '../../src/limits/limiter.ts';
import { fixture, goodToken } from './fixture.ts';

const headers = { authorization: goodToken };
const url = '/api/v1/records/contacts';

describe('every answer', () => {
  it.each(['/', '/health/live', '/metrics', '/nothing', '/api/v1', url, '/api/v1/records/%'])('%s', async (path) => {
    const response = await fixture().app.inject({ url: path });
    expect(response.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers['cache-control']).toBe(path.startsWith('/api') ? 'no-store' : undefined);
  });

  it.each([
    ['trace/42:a.b=c@d+e', true],
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    ['with space', false],
    ['"quoted"', false],
    ['', false],
  ])('has the request’s id %j when it is harmless: %s', async (id, echoed) => {
    const response = await fixture().app.inject({ url: '/nothing', headers: { 'x-request-id': id } });
    expect(response.headers['x-request-id'] === id).toBe(echoed);
  });

  it('asks browsers to stay with TLS where a trusted proxy says it was used', async () => {
    const forwarded = { 'x-forwarded-proto': 'https' };
    const behind = await fixture({ proxies: ['loopback'] }).app.inject({ url: '/', headers: forwarded });
    expect(behind.headers['strict-transport-security']).toBe('max-age=31536000');
    const direct = await fixture().app.inject({ url: '/', headers: forwarded });
    expect(direct.headers['strict-transport-security']).toBeUndefined();
  });
});

describe('rate limits', () => {
  const window = { windowSeconds: 60 };

  it('tell the budget with the smaller share left', async () => {
    const server = fixture({ policies: { 'api:ip': { limit: 10, ...window }, 'api:global': { limit: 5, ...window } } });
    const { headers: told } = await server.app.inject({ url, headers });
    expect(told).toMatchObject({
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '4',
      'x-ratelimit-policy': 'api:global',
      ratelimit: '"api:global";r=4;t=60',
      'ratelimit-policy': '"api:global";q=5;w=60',
    });
    const reset = Number(told['x-ratelimit-reset']) - Date.now() / 1000;
    expect(reset).toBeGreaterThan(55);
    expect(reset).toBeLessThanOrEqual(61);
  });

  it('deny a caller’s request above the limit', async () => {
    const server = fixture({ policies: { 'api:global': { limit: 2, ...window } } });
    // One number for the process, in which others may have been denied before.
    const before = limitCounts().denied.get('api:global') ?? 0;
    for (let i = 0; i < 2; i++) expect((await server.app.inject({ url, headers })).statusCode).toBe(200);
    const response = await server.app.inject({ url, headers });
    expect([response.statusCode, response.json()]).toEqual([
      429,
      {
        error: 'Too many requests',
        policy: 'api:global',
        retryAfterSeconds: 60,
        code: 'RATE_LIMITED',
        message: 'Too many requests: api:global allows 2 in its window',
      },
    ]);
    expect(response.headers).toMatchObject({
      'retry-after': '60',
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-policy': 'api:global',
    });
    expect(server.seen).toHaveLength(2);
    const { body: metrics } = await server.app.inject({ url: '/metrics' });
    expect(metrics).toContain(`kith_rate_limit_denied_total{policy="api:global"} ${before + 1}\n`);
  });

  it.each([
    ['401', url, {}, 401],
    ['404', '/api/v1/nothing', headers, 404],
    ['405', '/api/v1/import/contacts', headers, 405],
    ['400', `${url}?limt=1`, headers, 400],
    ['the index', '/api/v1', {}, 200],
    ['a path spelt otherwise', '/%61pi/v1/records/contacts', headers, 200],
  ])('are told with %s and count the address', async (_what, path, more, status) => {
    const server = fixture({ policies: { 'api:ip': { limit: 1, ...window } } });
    const response = await server.app.inject({ url: path, headers: more });
    expect([response.statusCode, response.headers['x-ratelimit-policy']]).toEqual([status, 'api:ip']);
    const denied = await server.app.inject({ url: path, headers: more });
    expect([denied.statusCode, denied.headers['x-ratelimit-policy']]).toEqual([429, 'api:ip']);
  });

  it('are told with 500', async () => {
    const server = fixture({ policies: {} });
    server.act = () => Promise.reject(new Error('defect'));
    const response = await server.app.inject({ url, headers });
    expect([response.statusCode, response.headers['x-ratelimit-policy']]).toEqual([500, 'api:global']);
  });

  it('of an operation’s own budget are told when they are the tightest, or when they denied', async () => {
    const decision: LimitDecision = {
      policy: 'api:bulk',
      allowed: true,
      limit: 20,
      windowSeconds: 600,
      remaining: 19,
      reset: 1_800_000_000,
      resetAfterSeconds: 600,
      resetAfterMillis: 600_000,
      retryAfterSeconds: 0,
    };
    const server = fixture({ policies: {} });
    server.act = ({ context }) => {
      context.limitDecisions.push(decision);
      return {};
    };
    expect((await server.app.inject({ url, headers })).headers['x-ratelimit-policy']).toBe('api:bulk');
    server.act = () =>
      Promise.reject(new RateLimited({ ...decision, allowed: false, remaining: 0, retryAfterSeconds: 7 }));
    const response = await server.app.inject({ url, headers });
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '7']);
    expect(response.headers['x-ratelimit-policy']).toBe('api:bulk');
  });

  it('are neither counted nor told when they are off, and never outside the REST surface', async () => {
    const off = await fixture().app.inject({ url, headers });
    expect(Object.keys(off.headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
    const server = fixture({ policies: { 'api:ip': { limit: 1, ...window } } });
    for (const path of ['/health/live', '/health/ready', '/', '/metrics', '/api/nothing']) {
      const response = await server.app.inject({ url: path });
      expect(response.headers['x-ratelimit-policy']).toBeUndefined();
    }
    expect((await server.app.inject({ url, headers })).statusCode).toBe(200);
  });

  it('count the client that a trusted proxy names, and no other’s claim', async () => {
    const policies = { 'api:ip': { limit: 1, ...window } };
    const from = (address: string) => ({ ...headers, 'x-forwarded-for': address });
    const direct = fixture({ policies });
    expect((await direct.app.inject({ url, headers: from('192.0.2.1') })).statusCode).toBe(200);
    expect((await direct.app.inject({ url, headers: from('192.0.2.2') })).statusCode).toBe(429);
    const behind = fixture({ policies, proxies: ['loopback'] });
    expect((await behind.app.inject({ url, headers: from('192.0.2.1') })).statusCode).toBe(200);
    expect((await behind.app.inject({ url, headers: from('192.0.2.2') })).statusCode).toBe(200);
    expect((await behind.app.inject({ url, headers: from('::ffff:192.0.2.2') })).statusCode).toBe(429);
  });
});
