import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { errors, KithError, type ErrorCode } from '../../src/errors.ts';
import { fixture, goodToken } from './fixture.ts';

const headers = { authorization: goodToken };
const internal = 'Something went wrong on our side; the request id finds it in the log';

const statuses: Readonly<Record<Exclude<ErrorCode, 'RATE_LIMITED'>, number>> = {
  UNAUTHORIZED: 401,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
  NOT_FOUND: 404,
  STALE: 412,
  PERMISSION_DENIED: 400,
  RECORD_NOT_FOUND: 400,
  MISSING_REQUIRED_FIELD: 400,
  MISSING_REQUIRED_FIELDS: 400,
  VALIDATION_ERROR: 400,
  DUPLICATE_RECORD: 400,
  INVALID_OBJECT: 400,
  INVALID_FIELD: 400,
  INVALID_OPERATION: 400,
  INVALID_ARGUMENT: 400,
  INVALID_CHANNEL: 400,
  CONFIRM_REQUIRED: 400,
  CONFIRM_INVALID: 400,
  CONFIRM_MISMATCH: 400,
  AMBIGUOUS_SENDER: 400,
  NO_ACCOUNT: 400,
  SEND_NOT_ENABLED: 400,
  SEND_FAILED: 400,
  SEND_UNKNOWN: 400,
  NOT_SUPPORTED: 400,
  WRITE_FAILED: 400,
  MERGE_FAILED: 400,
  CONFLICT: 400,
  DESTRUCTIVE_CHANGE: 400,
};

it('ERRO-02: is 400 whatever the code, but for those of the table', async () => {
  const server = fixture();
  for (const [code, status] of Object.entries(statuses) as [ErrorCode, number][]) {
    server.act = () => Promise.reject(new KithError(code, 'No'));
    const response = await server.app.inject({ url: '/api/v1/records/contacts', headers });
    expect([code, response.statusCode]).toEqual([code, status]);
  }
});

describe('what an operation throws', () => {
  const cause = new Error('secret detail');
  const field = { field: 'name', message: 'is required' };
  it.each([
    [
      errors.validation('Bad', [field], ['a']),
      400,
      { code: 'VALIDATION_ERROR', message: 'Bad', field_errors: [field], available_values: ['a'] },
    ],
    [errors.permissionDenied('No'), 400, { code: 'PERMISSION_DENIED', message: 'No' }],
    [errors.recordNotFound('contacts', 'x'), 400, { code: 'RECORD_NOT_FOUND', message: 'No record "x" in contacts' }],
    [
      errors.invalidObject('x', [], ''),
      400,
      { code: 'INVALID_OBJECT', message: 'There is no object "x"', available_values: [] },
    ],
    [errors.conflict('Clash'), 400, { code: 'CONFLICT', message: 'Clash' }],
    [errors.writeFailed(cause), 400, { code: 'WRITE_FAILED', message: 'The record could not be written' }],
    [errors.notFound('Nothing'), 404, { code: 'NOT_FOUND', message: 'Nothing' }],
    [errors.unauthorized('Who?'), 401, { error: 'Unauthorized', code: 'UNAUTHORIZED', message: 'Who?' }],
    [errors.internal(cause), 500, { error: 'Internal server error', code: 'INTERNAL_ERROR', message: internal }],
    [cause, 500, { error: 'Internal server error', code: 'INTERNAL_ERROR', message: internal }],
    [
      errors.unavailable(cause),
      503,
      {
        error: 'Internal server error',
        code: 'INTERNAL_ERROR',
        message: 'The database cannot be reached at the moment; try again shortly',
      },
    ],
  ])('%s', async (error, status, body) => {
    const server = fixture();
    server.act = () => Promise.reject(error);
    const response = await server.app.inject({ url: '/api/v1/records/contacts', headers });
    expect([response.statusCode, response.json()]).toEqual([status, body]);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
    expect(response.headers['retry-after']).toBe(status === 503 ? '1' : undefined);
  });

  it('is not found where one object of the schema is asked for', async () => {
    const server = fixture();
    server.act = () => Promise.reject(errors.invalidObject('x', [], ''));
    const response = await server.app.inject({ url: '/api/v1/schema/x', headers });
    expect([response.statusCode, response.json().code]).toEqual([404, 'INVALID_OBJECT']);
  });

  it('is logged once when nobody expected it, with the id that the answer has', async () => {
    const server = fixture();
    const defect = new TypeError('x is not a function');
    server.act = () => Promise.reject(defect);
    const response = await server.app.inject({ url: '/api/v1/records/contacts', headers });
    expect(response.body).not.toContain('function');
    expect(server.logged).toEqual([
      {
        level: 'error',
        fields: {
          requestId: response.headers['x-request-id'],
          method: 'GET',
          route: '/api/v1/records/:object',
          error: defect,
        },
        message: `INTERNAL_ERROR: ${internal}`,
      },
    ]);
  });

  it('is logged without a stack when the database is away', async () => {
    const server = fixture();
    server.act = () => Promise.reject(errors.unavailable(new Error('connect ECONNREFUSED')));
    await server.app.inject({ url: '/api/v1/records/contacts', headers });
    expect(server.logged).toMatchObject([{ level: 'warn', fields: { reason: 'connect ECONNREFUSED' } }]);
    expect(server.logged[0]?.fields).not.toHaveProperty('error');
  });

  it('is one line where the same befalls each request, and every ten seconds one with how many were left out', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const server = fixture();
    let requests = 0;
    const fail = async (message: string, times: number) => {
      server.act = () => Promise.reject(new KithError('UNAVAILABLE', message, { cause: new Error(`#${++requests}`) }));
      for (let n = 0; n < times; n++) await server.app.inject({ url: '/api/v1/records/contacts', headers });
    };
    const told = () =>
      server.logged.splice(0).map(({ fields, message }) => {
        const { reason, leftOut = 0 } = fields as Record<string, unknown>;
        return [message, reason, leftOut];
      });
    await fail('The disk is full', 4);
    await fail('It is away', 1);
    expect(told()).toEqual([
      ['The disk is full', '#1', 0],
      ['It is away', '#5', 0],
    ]);
    vi.advanceTimersByTime(10_000);
    expect(told()).toEqual([['The disk is full', '#4', 3]]);
    await fail('The disk is full', 2);
    vi.advanceTimersByTime(9_999);
    expect(told()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told()).toEqual([['The disk is full', '#7', 2]]);
    vi.advanceTimersByTime(60_000);
    expect(told()).toEqual([]);
    await fail('The disk is full', 2);
    expect(told()).toEqual([['The disk is full', '#8', 0]]);
  });

  it('is not logged when it is the caller’s', async () => {
    const server = fixture();
    server.act = () => Promise.reject(errors.validation('Bad'));
    await server.app.inject({ url: '/api/v1/records/contacts', headers });
    expect(server.logged).toEqual([]);
  });
});

describe('who is calling', () => {
  it.each([undefined, '', 'Bearer', 'Bearer svc_other', 'svc_good'])('is refused with %j', async (authorization) => {
    const server = fixture();
    const response = await server.app.inject({
      url: '/api/v1/records/contacts',
      headers: authorization === undefined ? {} : { authorization },
    });
    expect([response.statusCode, response.json().error]).toEqual([401, 'Unauthorized']);
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(server.seen).toEqual([]);
  });

  it('is asked before the body is read', async () => {
    const response = await fixture().app.inject({
      method: 'POST',
      url: '/api/v1/records/contacts',
      headers: { 'content-type': 'application/json' },
      payload: '{ no JSON',
    });
    expect(response.statusCode).toBe(401);
  });
});

describe('a body', () => {
  async function post(payload: string | Buffer, more: Record<string, string> = {}, url = '/import/contacts') {
    const server = fixture();
    const response = await server.app.inject({
      method: 'POST',
      url: `/api/v1${url}`,
      headers: { ...headers, 'content-type': 'application/json', ...more },
      payload,
    });
    return { response, input: server.seen[0]?.input };
  }
  const nested = (depth: number) => `{"records":${'['.repeat(depth)}${']'.repeat(depth)}}`;

  it.each<[string, string | Buffer, RegExp]>([
    ['that is no JSON', '{"a":', /not valid JSON/],
    ['with a trailing comma', '{"a":1,}', /not valid JSON/],
    ['in broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /not valid UTF-8/],
    ['with half a surrogate pair, raw', Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1'), /not valid UTF-8/],
    ['with half a surrogate pair, escaped', String.raw`{"a":"\ud800"}`, /half of a surrogate pair/],
    ['with half a surrogate pair in a key', String.raw`{"a\udc00":1}`, /half of a surrogate pair/],
    ['with a NUL', String.raw`{"a":["\u0000"]}`, /contains a NUL character/],
    ['that is nested too deep', nested(70), /nested deeper than 64 levels/],
    ['that is nested beyond the stack', nested(200_000), /nested deeper than 64 levels/],
  ])('%s is refused', async (_what, payload, message) => {
    const { response, input } = await post(payload);
    expect([response.statusCode, response.json().code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.json().message).toMatch(message);
    expect(input).toBeUndefined();
  });

  it.each([
    ['application/json; charset=utf-8'],
    ['application/json;charset=UTF-8'],
    ['application/merge-patch+json'],
    ['APPLICATION/JSON'],
  ])('is read as %s', async (type) => {
    expect((await post('{"records":[]}', { 'content-type': type })).input).toEqual({ object: 'contacts', records: [] });
  });

  it('may begin with a byte order mark', async () => {
    expect((await post('\ufeff{"records":[]}')).input).toEqual({ object: 'contacts', records: [] });
  });

  it('keeps every digit', async () => {
    const { response } = await post('{"records":[12345678901234567890.10,1e999]}');
    expect(response.body).toContain('[12345678901234567890.10,1e999]');
  });

  it('cannot reach the prototype', async () => {
    const { input } = await post('{"__proto__":{"polluted":true},"records":[]}');
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(Object.hasOwn(input as object, '__proto__')).toBe(true);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-seq',
    'text/plain; application/json',
    'nonsense',
    'a/b;=',
    '',
  ])('of another type is refused: %j', async (type) => {
    const { response, input } = await post('{"records":[]}', { 'content-type': type });
    expect([response.statusCode, response.json().code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.json().message).toContain('Content-Type: application/json');
    expect(input).toBeUndefined();
  });

  it.each(['/import/contacts', '/records/contacts', '/records/contacts/1/restore'])(
    'of no type is refused: POST %s',
    async (url) => {
      const server = fixture();
      const payload = Buffer.from('{"records":[]}');
      const response = await server.app.inject({ method: 'POST', url: `/api/v1${url}`, headers, payload });
      expect([response.statusCode, response.json().code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(response.json().message).toContain('Content-Type: application/json');
      expect(server.seen).toEqual([]);
    },
  );

  it.each([undefined, 'application/json', 'application/x-www-form-urlencoded'])(
    'of no bytes is none, whatever its type: %s',
    async (type) => {
      const server = fixture();
      const response = await server.app.inject({
        method: 'POST',
        url: '/api/v1/records/contacts/1/restore',
        headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
        payload: '',
      });
      expect([response.statusCode, server.seen[0]?.input]).toEqual([200, { object: 'contacts', id: '1' }]);
    },
  );

  it('is refused above 32 MiB', async () => {
    const { response } = await post(Buffer.alloc(32 * 1024 * 1024 + 1, 0x20));
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { code: 'VALIDATION_ERROR', message: 'The body is larger than 32 MiB' },
    ]);
  });

  it('may be compressed', async () => {
    const { input } = await post(gzipSync('{"records":[1]}'), { 'content-encoding': 'gzip' });
    expect(input).toEqual({ object: 'contacts', records: [1] });
  });

  it.each<[string, Buffer, string, RegExp]>([
    ['is refused above 32 MiB inflated', gzipSync(Buffer.alloc(40 * 1024 * 1024, 0x20)), 'gzip', /larger than 32 MiB/],
    ['that is not compressed is refused', Buffer.from('{"records":[1]}'), 'gzip', /Content-Encoding/],
    ['cut short is refused', gzipSync('{"records":[1]}').subarray(0, 20), 'gzip', /Content-Encoding/],
    ['in another encoding is refused', Buffer.from('x'), 'br', /Content-Encoding/],
  ])('%s', async (_what, payload, encoding, message) => {
    const { response } = await post(payload, { 'content-encoding': encoding });
    expect([response.statusCode, response.json().code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.json().message).toMatch(message);
  });
});

describe('an address', () => {
  it.each([
    ['/api/v1/nothing', 'GET'],
    ['/api/nothing', 'GET'],
    ['/records/contacts', 'GET'],
    ['/api/records/contacts', 'GET'],
    ['/api/v2/records/contacts', 'GET'],
    ['/api/v10/records/contacts', 'GET'],
    ['/api/v1', 'PROPFIND'],
    ['/nothing', 'POST'],
    ['/api/v1/records', 'GET'],
    ['/api/v1/records/contacts/', 'PUT'],
  ])('VERS-01: without anything at it: %s', async (url, method) => {
    const payload = method === 'POST' ? '{' : '';
    const response = await fixture().app.inject({ method: method as 'GET', url, payload });
    expect([response.statusCode, response.json().code]).toEqual([404, 'NOT_FOUND']);
    expect(response.json().message).toContain(`${method} ${url}`);
  });

  it.each([
    ['DELETE', '/api/v1/records/contacts', 'GET, HEAD, POST'],
    ['OPTIONS', '/api/v1/records/contacts', 'GET, HEAD, POST'],
    ['GET', '/api/v1/import/contacts', 'POST'],
    ['HEAD', '/api/v1/import/contacts', 'POST'],
    ['POST', '/health/live', 'GET, HEAD'],
    ['PUT', '/api/v1', 'GET, HEAD'],
  ])('without the method: %s %s', async (method, url, allow) => {
    const server = fixture();
    const response = await server.app.inject({ method: method as 'GET', url, headers });
    expect([response.statusCode, response.headers.allow]).toEqual([405, allow]);
    if (method !== 'HEAD') expect(response.json().code).toBe('NOT_SUPPORTED');
    expect(server.seen).toEqual([]);
  });

  it('with broken percent-encoding', async () => {
    const response = await fixture({ policies: {} }).app.inject({ url: '/api/v1/records/%', headers });
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { code: 'VALIDATION_ERROR', message: 'The address has broken percent-encoding' },
    ]);
    expect(response.headers['x-ratelimit-policy']).toBe('api:ip');
  });
});
