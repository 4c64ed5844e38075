/** `/docs` over HTTP: what is sent, under which policy, and to whom. */
import { readdirSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { fixture } from './fixture.ts';

const { app, close } = fixture({ policies: { 'api:ip': { limit: 1, windowSeconds: 60 } } });
afterAll(() => close());

const javascript = 'text/javascript; charset=utf-8';
const modules = readdirSync(new URL('../../src/http/pages/reference', import.meta.url));
const assets = [
  ['/docs', 'text/html; charset=utf-8', '<title>Reference · Kith</title>'],
  ['/docs/theme.css', 'text/css; charset=utf-8', 'color-scheme: light dark'],
  ['/docs/base.css', 'text/css; charset=utf-8', '.wordmark'],
  ['/docs/theme.js', javascript, 'localStorage'],
  ['/docs/copy.js', javascript, 'clipboard'],
  ['/docs/reference.css', 'text/css; charset=utf-8', 'grid-template-columns'],
  ['/docs/mark.svg', 'image/svg+xml', '<svg'],
  ['/docs/reference.js', javascript, "'/api/v1/openapi.json'"],
  ...modules.map((name) => [`/docs/reference/${name}`, javascript, 'export function']),
  ['/docs/reference/client-methods.js', javascript, 'export const operations'],
  ['/docs/reference/tool-calls.js', javascript, 'export const toolCalls'],
];

/** The page itself, at the address of an operation. */
const ofOperation = ['/docs/contacts/listContacts', 'text/html; charset=utf-8', '<title>Reference · Kith</title>'];

describe.each([...assets, ofOperation])('%s', (url = '', type = '', part = '') => {
  it('is there for everyone, and lets nothing in from elsewhere', async () => {
    const { statusCode, headers, body } = await app.inject({ url });
    expect([statusCode, headers['content-type']]).toEqual([200, type]);
    expect(body).toContain(part);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    expect(policy).not.toMatch(/https?:|\*|data:|unsafe/);
  });

  it('is compressed where that is taken, and not sent twice', async () => {
    const plain = await app.inject({ url });
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    const again = await app.inject({ url, headers: { 'if-none-match': String(plain.headers['etag']) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('names no other host, and holds neither script nor style within', async () => {
    const { body } = await app.inject({ url });
    expect(body.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
      /https?:\/\/|<script>|\son\w+="|style="|innerHTML/,
    );
  });
});

it('is small', async () => {
  const sizes = await Promise.all(
    assets.map(
      async ([url]) => (await app.inject({ url: url ?? '', headers: { 'accept-encoding': 'gzip' } })).rawPayload.length,
    ),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(40_000);
});

it('lies at addresses of operations alone', async () => {
  for (const url of [
    '/docs/rest/nothing',
    '/docs/reference/nothing.js',
    '/docs/contacts',
    '/docs/contacts/list-contacts',
  ])
    expect((await app.inject({ url })).statusCode, url).toBe(404);
  expect((await app.inject({ url: '/docs/rest/filters' })).body).not.toContain('<title>Reference');
});

it('is found from the surface', async () => {
  expect((await app.inject({ url: '/api/v1' })).headers['link']).toContain('</docs>; rel="service-doc"');
});
