/** `/docs` over HTTP: what is sent, under which policy, and to whom. */
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { fixture } from './fixture.ts';

const { app, close } = fixture({ policies: { 'api:ip': { limit: 1, windowSeconds: 60 } } });
afterAll(() => close());

const assets = [
  ['/docs', 'text/html; charset=utf-8', '<title>Kith: reference</title>'],
  ['/docs/reference.css', 'text/css; charset=utf-8', 'openapi-explorer {'],
  ['/docs/reference.js', 'text/javascript; charset=utf-8', "fetch('/api/v1/openapi.json'"],
  ['/docs/explorer.js', 'text/javascript; charset=utf-8', 'openapi-explorer'],
];

describe.each(assets)('%s', (url = '', type = '', part = '') => {
  it('is there for everyone, and lets nothing in from elsewhere', async () => {
    const { statusCode, headers, body } = await app.inject({ url });
    expect([statusCode, headers['content-type']]).toEqual([200, type]);
    expect(body).toContain(part);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
    expect(policy).toContain("connect-src 'self'");
  });

  it('is compressed where that is taken, and not sent twice', async () => {
    const plain = await app.inject({ url });
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    const again = await app.inject({ url, headers: { 'if-none-match': String(plain.headers['etag']) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});

it('names no other host and holds no script of its own', async () => {
  for (const url of ['/docs', '/docs/reference.css', '/docs/reference.js']) {
    const { body } = await app.inject({ url });
    expect(body).not.toMatch(/https?:\/\/|<script>|\son\w+=|style="/);
  }
});

it('is found from the index page', async () => {
  expect((await app.inject({ url: '/' })).body).toContain('href="/docs"');
  expect((await app.inject({ url: '/api/v1' })).headers['link']).toContain('</docs>; rel="service-doc"');
});
