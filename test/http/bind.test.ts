import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Download, JsonText } from '../../src/operations/door/operation.ts';
import { fixture, goodToken } from './fixture.ts';

const headers = { authorization: goodToken };

async function get(url: string, more: Record<string, string> = {}) {
  const server = fixture();
  const response = await server.app.inject({ url: `/api/v1${url}`, headers: { ...headers, ...more } });
  return { response, seen: server.seen[0] };
}

describe('the input of an operation', () => {
  it.each([
    ['', {}],
    ['?limit=20', { limit: 20 }],
    ['?limit=-1', { limit: -1 }],
    ['?limit=2.5', { limit: 2.5 }],
    ['?limit=abc', { limit: 'abc' }],
    ['?limit=', { limit: '' }],
    ['?limit=123456789012345678901', { limit: '123456789012345678901' }],
    ['?share=0.5', { share: 0.5 }],
    ['?hidden=true', { hidden: true }],
    ['?hidden=yes', { hidden: 'yes' }],
    ['?search=20', { search: '20' }],
    ['?search=a+b%2Bc%26d', { search: 'a b+c&d' }],
    ['?search', { search: '' }],
    ['?search=x=y', { search: 'x=y' }],
    ['?&search=x&', { search: 'x' }],
  ])('takes path and query: %s', async (query, expected) => {
    const { seen } = await get(`/records/contacts${query}`);
    expect(seen?.input).toEqual({ object: 'contacts', ...expected });
  });

  it.each([
    ['?limt=9', /There is no query parameter "limt" \(did you mean "limit"\?\)/],
    ['?limit=1&limit=2', /"limit" is given more than once/],
    ['?object=companies', /There is no query parameter "object"/],
    ['?__proto__=1', /There is no query parameter "__proto__"/],
    ['?search=%', /broken percent-encoding/],
    ['?search=%ED%A0%80', /broken percent-encoding/],
    ['?search=a%00', /"search" contains a NUL character/],
  ])('refuses %s', async (query, message) => {
    const { response, seen } = await get(`/records/contacts${query}`);
    expect([response.statusCode, response.json().code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.json().message).toMatch(message);
    expect(seen).toBeUndefined();
  });

  it('names the parameters there are', async () => {
    const { response } = await get('/records/contacts?limt=9');
    expect(response.json().available_values).toEqual(['limit', 'share', 'hidden', 'search', 'pretty']);
  });

  it('decodes the path, which may be long', async () => {
    const name = 'ö'.repeat(500);
    const { seen } = await get(`/records/${encodeURIComponent(name)}`);
    expect(seen?.input).toEqual({ object: name });
  });

  it.each([
    ['the body under a key', '/records/contacts', { name: 'x' }, { object: 'contacts', values: { name: 'x' } }],
    ['the body merged', '/import/contacts', { records: [1] }, { object: 'contacts', records: [1] }],
    ['no body, merged', '/import/contacts', undefined, { object: 'contacts' }],
    ['no body where none belongs', '/records/contacts/7/restore', undefined, { object: 'contacts', id: '7' }],
  ])('takes %s', async (_what, url, body, expected) => {
    const server = fixture();
    const payload = body === undefined ? {} : { payload: body };
    const response = await server.app.inject({ method: 'POST', url: `/api/v1${url}`, headers, ...payload });
    expect(response.statusCode).toBe(200);
    expect(server.seen[0]?.input).toEqual(expected);
  });

  it.each([
    ['no body', '/records/contacts', undefined, /A JSON object is needed/],
    ['a list', '/records/contacts', '[]', /must be a JSON object/],
    ['null', '/records/contacts', 'null', /must be a JSON object/],
    ['a number that keeps its digits', '/records/contacts', '1.10', /must be a JSON object/],
    ['a key that the path gives', '/import/contacts', '{"object":"companies"}', /"object" is given by the path/],
    ['a query beside a body', '/records/contacts?limit=1', '{}', /There is no query parameter "limit"$/],
  ])('refuses %s', async (_what, url, payload, message) => {
    const server = fixture();
    const response = await server.app.inject({
      method: 'POST',
      url: `/api/v1${url}`,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(payload !== undefined && { payload }),
    });
    expect([response.statusCode, response.json().code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.json().message).toMatch(message);
    expect(server.seen).toEqual([]);
  });

  it('hands on the time zone of the request', async () => {
    const { seen } = await get('/records/contacts', { 'time-zone': 'Europe/Berlin' });
    expect(seen?.context.timeZone).toBe('Europe/Berlin');
    expect((await get('/records/contacts')).seen?.context.timeZone).toBeUndefined();
  });

  it.each(['Mars/Phobos', '+02:00', '', 'Europe/Berlin, UTC'])('refuses the time zone %j', async (zone) => {
    const { response } = await get('/records/contacts', { 'time-zone': zone });
    expect([response.statusCode, response.json().code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.json().message).toMatch(/Time-Zone/);
  });
});

describe('the answer of an operation', () => {
  it('sends JSON text as it is, with its length in bytes', async () => {
    const server = fixture();
    const text = '{"amount":1.10,"name":"Ö"}';
    server.act = () => new JsonText(text);
    const response = await server.app.inject({ url: '/api/v1/records/contacts', headers });
    expect(response.body).toBe(text);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
    });
  });

  it('answers HEAD like GET, without the body', async () => {
    const server = fixture();
    const url = '/api/v1/records/contacts';
    const [head, got] = [
      await server.app.inject({ method: 'HEAD', url, headers }),
      await server.app.inject({ url, headers }),
    ];
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
  });

  it('tells warnings in headers, in harmless characters and bounded', async () => {
    const server = fixture();
    server.act = ({ context }) => {
      context.warnings.push(
        'say "x" \\ y',
        'Größe\r\nEvil: 1',
        'z'.repeat(1_000),
        ...Array.from({ length: 20 }, String),
      );
      return {};
    };
    const response = await server.app.inject({ url: '/api/v1/records/contacts', headers });
    const warnings = response.headers.warning as unknown as string[];
    expect(warnings.slice(0, 2)).toEqual([String.raw`299 - "say \"x\" \\ y"`, '299 - "Gr%C3%B6%C3%9Fe%0D%0AEvil: 1"']);
    expect(warnings[2]).toHaveLength(400 + '299 - "..."'.length);
    expect(warnings).toHaveLength(10);
  });
});

describe('a download', () => {
  async function* pieces(): AsyncGenerator<string> {
    yield 'a,b\r\n';
    yield '1,Ö\r\n';
  }

  it('is sent in pieces with its name', async () => {
    const server = fixture();
    server.act = () => new Download('text/csv; charset=utf-8', 'contacts_export.csv', pieces());
    const response = await server.app.inject({ url: '/api/v1/records/contacts', headers });
    expect(response.body).toBe('a,b\r\n1,Ö\r\n');
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename=contacts_export.csv',
      'cache-control': 'no-store',
    });
  });

  it('cannot break out of its header', async () => {
    const server = fixture();
    server.act = () => new Download('text/csv; charset=utf-8', 'a"; b\r\nc.csv', pieces());
    const response = await server.app.inject({ url: '/api/v1/records/contacts', headers });
    expect(response.headers['content-disposition']).toBe('attachment; filename=a___b__c.csv');
  });

  it('that fails before its first piece is an error like any other', async () => {
    const server = fixture();
    const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('broken')) }) };
    server.act = () => new Download('text/csv', 'x.csv', failing);
    const response = await server.app.inject({ url: '/api/v1/records/contacts', headers });
    expect([response.statusCode, response.json().code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(response.headers['content-disposition']).toBeUndefined();
  });

  it('that fails later breaks the connection and is logged', async () => {
    const server = fixture();
    const broken = new Error('broken');
    server.act = () =>
      new Download(
        'text/csv',
        'x.csv',
        (async function* () {
          yield 'first';
          await pause(1);
          throw broken;
        })(),
      );
    const url = await server.listen('127.0.0.1', 0);
    const response = await fetch(`${url}/api/v1/records/contacts`, { headers });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(server.logged).toMatchObject([
      { level: 'error', fields: { error: broken }, message: 'A download broke off' },
    ]);
    await server.close();
  });

  it('is made no faster than the client takes it, and ends with the client', async () => {
    const server = fixture();
    let made = 0;
    const ended = Promise.withResolvers<void>();
    server.act = () =>
      new Download(
        'text/csv',
        'x.csv',
        (async function* () {
          try {
            for (; made < 10_000; made++) yield 'x'.repeat(64 * 1024);
          } finally {
            ended.resolve();
          }
        })(),
      );
    const url = await server.listen('127.0.0.1', 0);
    const response = await fetch(`${url}/api/v1/records/contacts`, { headers });
    await response.body?.cancel();
    await ended.promise;
    expect(made).toBeLessThan(1_000);
    await server.close();
  });
});
