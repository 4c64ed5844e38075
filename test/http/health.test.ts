import { describe, expect, it } from 'vitest';
import { fixture, goodToken } from './fixture.ts';

describe('health', () => {
  it.each([
    ['answers', () => Promise.resolve(), 200, { status: 'ok' }],
    ['fails', () => Promise.reject(new Error('gone')), 503, { status: 'unavailable' }],
    ['hangs', () => new Promise<void>(() => undefined), 503, { status: 'unavailable' }],
  ])('is told by whether the database %s', async (_what, ready, status, body) => {
    const { app } = fixture({ ready });
    const response = await app.inject('/health/ready');
    expect([response.statusCode, response.json()]).toEqual([status, body]);
    const live = await app.inject('/health/live');
    expect([live.statusCode, live.json()]).toEqual([200, { status: 'ok' }]);
  });
});

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
});

describe('the index', () => {
  it('is a page at / and JSON at /api/v1', async () => {
    const { app } = fixture();
    const page = await app.inject('/');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('href="/api/v1"');
    const index = (await app.inject('/api/v1')).json();
    expect(index).toMatchObject({ name: 'Kith', version: '1.2.3' });
    expect(index.endpoints).toContainEqual({
      method: 'GET',
      path: '/api/v1/records/{object}',
      summary: 'List records',
    });
  });
});
