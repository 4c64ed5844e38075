/** What /metrics tells, to whom, and at what price. */
import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { fixture, goodToken, type Fixture } from './fixture.ts';

const textOf = async ({ app }: Fixture) => (await app.inject('/metrics')).body;

describe('metrics', () => {
  it('measure requests by route, and hold no ids', async () => {
    const { app } = fixture();
    await app.inject({ url: '/api/v1/records/some-object?search=x', headers: { authorization: goodToken } });
    await app.inject('/no/such/path');
    const { body, headers } = await app.inject('/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(body).toContain(
      'kith_http_request_duration_seconds_count{method="GET",route="/api/v1/records/:object",status="200"} 1',
    );
    expect(body).toContain('kith_http_request_duration_seconds_count{method="GET",route="none",status="404"} 1');
    expect(body).toMatch(/^kith_http_requests_in_flight 1$/m);
    expect(body).toContain('process_cpu_seconds_total');
    expect(body).not.toMatch(/some-object|such/);
  });

  it('have no label that a client chooses, whatever methods and paths it sends', async () => {
    const server = fixture();
    const url = new URL(await server.listen('127.0.0.1', 0));
    const paths = ['/', '/nothing', '/api/v1', '/api/v1/records/contacts', '/api/v1/schema/contacts', '/%', '/docs'];
    for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
      for (const path of paths) {
        const socket = connect(Number(url.port), url.hostname);
        socket.end(`${method} ${path}${Math.random()} HTTP/1.1\r\nHost: kith\r\nConnection: close\r\n\r\n`);
        socket.resume();
        await once(socket, 'close');
      }
    }
    const text = await textOf(server);
    await server.close();
    const told = (label: string) => {
      const values = [...text.matchAll(new RegExp(`[{,]${label}="([^"]*)"`, 'g'))].map(([, value = '']) => value);
      return [...new Set(values)].toSorted((x, y) => (x < y ? -1 : 1));
    };
    expect(told('method')).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT', 'other']);
    expect(told('route')).toEqual(['/api/v1/records/:object', '/api/v1/schema/:object', 'none']);
  });

  it('are gathered once, however many ask', async () => {
    let gathered = 0;
    const { promise, resolve } = Promise.withResolvers<string>();
    const gather = () => {
      gathered++;
      return promise;
    };
    const { app } = fixture({ sharedMetrics: { offer: () => undefined, gather } });
    const flood = Array.from({ length: 1_000 }, () => app.inject('/metrics'));
    await expect.poll(() => gathered).toBe(1);
    resolve('numbers');
    expect(new Set((await Promise.all(flood)).map(({ body }) => body))).toEqual(new Set(['numbers']));
    expect(gathered).toBe(1);
  });

  it('tell each cache with its bound, and none beyond it', async () => {
    const server = fixture({ policies: {} });
    await server.app.inject({ url: '/api/v1/records/contacts', headers: { authorization: goodToken } });
    const text = await textOf(server);
    const of = (name: string) =>
      new Map(
        [...text.matchAll(new RegExp(`^${name}\\{cache="(\\w+)"\\} (\\d+)$`, 'gm'))].map(([, cache, value]) => [
          cache,
          Number(value),
        ]),
      );
    const bounds = of('kith_cache_max_bytes');
    expect([...bounds.keys()]).toContain('rate_limits');
    expect([...of('kith_cache_entries').keys()]).toEqual([...bounds.keys()]);
    for (const [cache, bytes] of of('kith_cache_bytes'))
      expect(bytes, cache).toBeLessThanOrEqual(bounds.get(cache) ?? 0);
  });
});

describe('metrics are told', () => {
  const token = 'a-token-for-prometheus';
  const far = '203.0.113.7';
  const forwarded = (client: string) => ({ 'x-forwarded-for': client });

  it.each<[string, Parameters<typeof fixture>[0], string, Record<string, string>, number]>([
    ['this machine', {}, '127.0.0.1', {}, 200],
    ['this machine, over IPv6', {}, '::1', {}, 200],
    ['this machine, where the service listens on both', {}, '::ffff:127.0.0.1', {}, 200],
    ['this machine, beside a token', { metricsToken: token }, '127.0.0.1', {}, 200],
    ['nobody else', {}, far, {}, 401],
    ['nobody else over IPv6', {}, '2001:db8::1', {}, 401],
    ['nobody behind an unknown proxy of this machine', {}, '127.0.0.1', forwarded('127.0.0.1'), 401],
    ['nobody behind one that says it in another way', {}, '127.0.0.1', { forwarded: 'for=127.0.0.1' }, 401],
    ['nobody else behind a trusted proxy', { proxies: ['loopback'] }, '127.0.0.1', forwarded(far), 401],
    ['nobody who says so', { proxies: ['loopback'] }, '127.0.0.1', forwarded(`127.0.0.1, ${far}`), 401],
    ['this machine behind a trusted proxy', { proxies: ['loopback'] }, '127.0.0.1', forwarded('127.0.0.1'), 200],
    ['nobody on the machine of a proxy elsewhere', { proxies: [far] }, far, forwarded('127.0.0.1'), 401],
    ['whoever has the token', { metricsToken: token }, far, { authorization: `Bearer ${token}` }, 200],
    [
      'whoever has it, behind a proxy',
      { metricsToken: token, proxies: ['loopback'] },
      '127.0.0.1',
      { authorization: `Bearer ${token}`, ...forwarded(far) },
      200,
    ],
    ['nobody with another token', { metricsToken: token }, far, { authorization: `Bearer ${token}s` }, 401],
    ['nobody with a token where none is set', {}, far, { authorization: 'Bearer undefined' }, 401],
    ['nobody without a token', { metricsToken: token }, far, {}, 401],
  ])('to %s', async (_who, options, remoteAddress, headers, status) => {
    const { app } = fixture(options);
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await app.inject({ method, url: '/metrics', remoteAddress, headers });
      expect(answer.statusCode).toBe(status);
      if (status === 401) {
        expect(answer.headers['www-authenticate']).toBe('Bearer');
        expect(answer.body).not.toContain('kith_http');
      }
    }
  });
});
