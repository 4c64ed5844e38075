/** `?pretty` on every answer that is JSON: what it changes, and what it leaves. */
import { describe, expect, it } from 'vitest';
import { errors } from '../../src/errors.ts';
import { Download, JsonText } from '../../src/operations/door/operation.ts';
import { fixture, goodToken } from './fixture.ts';

const headers = { authorization: goodToken };
const list = '/api/v1/records/contacts';

describe('pretty', () => {
  it.each([
    ['an answer', `${list}?limit=1&pretty`, headers, 200],
    ['pretty=true', `${list}?pretty=true&limit=1`, headers, 200],
    ['a token that is missing', `${list}?pretty`, {}, 401],
    ['a parameter that there is not', `${list}?pretty&limt=1`, headers, 400],
    ['a path that there is not', '/api/v1/nothing?pretty', headers, 404],
    ['an address that cannot be read', '/api/v1/records/%?pretty', headers, 400],
    ['the index', '/api/v1?pretty', {}, 200],
    ['its health', '/health/ready?pretty', {}, 200],
  ])('indents %s', async (_name, url, given, status) => {
    const response = await fixture().app.inject({ url, headers: given });
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.body).toBe(`${JSON.stringify(response.json(), null, 2)}\n`);
  });

  it('indents a method that there is not, a limit and a defect', async () => {
    const server = fixture({ policies: { 'api:global': { limit: 1, windowSeconds: 60 } } });
    server.act = () => Promise.reject(errors.internal(new Error('broken')));
    const wrong = await server.app.inject({ method: 'DELETE', url: `${list}?pretty`, headers });
    const defect = await server.app.inject({ url: `${list}?pretty`, headers });
    const denied = await server.app.inject({ url: `${list}?pretty`, headers });
    expect([wrong, defect, denied].map(({ statusCode }) => statusCode)).toEqual([405, 500, 429]);
    for (const { body } of [wrong, defect, denied]) expect(body).toBe(`${JSON.stringify(JSON.parse(body), null, 2)}\n`);
  });

  it.each(['', '?pretty=false', '?limit=1&prettyish=1', '?search=pretty'])('is off with %s', async (query) => {
    const { body } = await fixture().app.inject({ url: list + query, headers });
    expect(body).toBe(JSON.stringify(JSON.parse(body)));
  });

  it.each(['yes', '1', 'TRUE'])('refuses %s', async (value) => {
    const response = await fixture().app.inject({ url: `${list}?pretty=${value}`, headers });
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { code: 'VALIDATION_ERROR', message: 'pretty must be true or false', available_values: ['true', 'false'] },
    ]);
  });

  it('is no input of an operation', async () => {
    const server = fixture();
    await server.app.inject({ url: `${list}?limit=1&pretty`, headers });
    expect(server.seen[0]?.input).toEqual({ object: 'contacts', limit: 1 });
  });

  it('keeps digits, and works on a long answer piece by piece', async () => {
    const server = fixture();
    const text = `{"data":[${Array.from({ length: 20_000 }, (_, at) => `{"amount":${at}.10,"tags":["é"]}`).join(',')}]}`;
    server.act = () => new JsonText(text);
    const { body } = await server.app.inject({ url: `${list}?pretty`, headers });
    expect(body).toMatch(/^\{\n  "data": \[\n    \{\n      "amount": 0\.10,\n      "tags": \[\n        "é"\n/);
    expect(body.replaceAll(/\s/g, '')).toBe(text);
  });

  it('leaves what is not JSON', async () => {
    const server = fixture();
    server.act = () =>
      new Download(
        'text/csv; charset=utf-8',
        'a.csv',
        (async function* () {
          yield 'a,b\r\n';
        })(),
      );
    const { body } = await server.app.inject({ url: `${list}?pretty`, headers });
    expect(body).toBe('a,b\r\n');
  });

  it('goes on in the next page, and in the tag of what was sent', async () => {
    const server = fixture();
    const state = '0123456789abcdef0123456789abcdef';
    server.act = () =>
      new JsonText('{"data":[],"total":3}', `"${state}-abcdefghijklmnop"`, { total: 3, nextCursor: 'c' });
    const read = (query: string, more = {}) =>
      server.app.inject({ url: list + query, headers: { ...headers, ...more } });
    const pretty = await read('?pretty');
    expect(pretty.headers['link']).toBe(`<${list}?pretty=&cursor=c>; rel="next"`);
    const tags = [pretty.headers.etag, (await read('')).headers.etag];
    expect(tags).toEqual([`"${state}-abcdefghijklmnop-pretty"`, `"${state}-abcdefghijklmnop"`]);
    const codes = tags.map(async (tag) => (await read('?pretty', { 'if-none-match': tag })).statusCode);
    expect(await Promise.all(codes)).toEqual([304, 200]);
  });
});
