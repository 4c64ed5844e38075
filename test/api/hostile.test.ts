/** Whatever comes in, in whatever place: a clear refusal or a faithful answer, never a failure of ours, and nothing half-written. */
import { connect } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { hostileNames, naughtyStrings } from '../support/hostile.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';

const deep = process.env['KITH_DEEP'] === '1';
const naughty = naughtyStrings();
const refusals = new Set([
  'UNAUTHORIZED',
  'PERMISSION_DENIED',
  'RECORD_NOT_FOUND',
  'MISSING_REQUIRED_FIELD',
  'VALIDATION_ERROR',
  'INVALID_OBJECT',
  'INVALID_FIELD',
  'INVALID_OPERATION',
  'NOT_SUPPORTED',
  'NOT_FOUND',
]);

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let contact: string;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  contact = (await admin.post('/records/contacts', { first_name: 'Anna', emails: ['anna@kith.test'] })).json.id;
});
afterAll(() => kith.stop());

let before: readonly (string | null)[];
beforeEach(async () => {
  before = await counts();
});

/** Everything that a refused request could have left. */
async function counts(): Promise<readonly (string | null)[]> {
  const table = (name: string) => identifier(organization.schema, name);
  const query = sql`select (select count(*) from ${table('contacts')}), (select count(*) from ${table('companies')}),
    (select count(*) from ${table('opportunities')}), (select count(*) from ${table('_history')}),
    (select count(*) from ${table('_lists')}), (select count(*) from ${table('_list_entries')}),
    (select sum(version) from ${table('_state')}), (select count(*) from pg_namespace)`;
  return (await kith.database.database.run('test', statement(query))).rows[0] ?? [];
}

function expectRefusal(reply: Reply, what: unknown): void {
  const told = JSON.stringify(what)?.slice(0, 200);
  expect([400, 401, 404, 405], `${told}: ${reply.text.slice(0, 300)}`).toContain(reply.status);
  expect([...refusals], told).toContain(reply.json?.code);
  const allowed = ['code', 'message', 'field_errors', 'available_values', ...(reply.status === 401 ? ['error'] : [])];
  expect(
    Object.keys(reply.json).filter((key) => !allowed.includes(key)),
    told,
  ).toEqual([]);
  expect(typeof reply.json.message).toBe('string');
  expect(reply.text.length, told).toBeLessThan(20_000);
}

/** Answered faithfully or refused clearly, but answered. */
function expectAnswer(reply: Reply, what: unknown): void {
  if (reply.status !== 200) expectRefusal(reply, what);
  else expect(reply.json).toBeTypeOf('object');
}

async function expectNothingWritten(): Promise<void> {
  expect(await counts()).toEqual(before);
  expect((await admin.get(`/records/contacts/${contact}`)).json.record.first_name).toBe('Anna');
}

async function all<T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += 8) await Promise.all(items.slice(at, at + 8).map(each));
}

/** All of the naughty ones take a minute in all places. */
const names = [...hostileNames, ...(naughty ?? []).filter((_, index) => deep || index % 4 === 0)];
const condition = (field: unknown, operator: unknown, value?: unknown) => ({
  type: 'AND',
  conditions: [{ field, operator, value }],
});
const pathOf = (name: string) => encodeURIComponent(name).replaceAll(/^\.+$/g, (dots) => dots.replaceAll('.', '%2E'));

describe('names from outside', () => {
  it('come from the list of naughty strings, too', ({ skip }) => {
    if (naughty === undefined) skip('there is no shared/data/strings/blns.json');
    expect(naughty?.length).toBeGreaterThan(500);
  });

  const places: Record<string, (name: string) => Promise<Reply>> = {
    'object of a list': (name) => admin.get(`/records/${pathOf(name)}`),
    'object of a create': (name) => admin.post(`/records/${pathOf(name)}`, { name: 'x' }),
    'object of an import': (name) => admin.post(`/import/${pathOf(name)}`, { records: [{ name: 'x' }] }),
    'object of an export': (name) => admin.get(`/export/${pathOf(name)}`),
    'object of the schema': (name) => admin.get(`/schema/${pathOf(name)}`),
    'id of a get': (name) => admin.get(`/records/contacts/${pathOf(name)}`),
    'id of an update': (name) => admin.put(`/records/contacts/${pathOf(name)}`, { first_name: 'x' }),
    'id of a delete': (name) => admin.delete(`/records/contacts/${pathOf(name)}`),
    'id of a restore': (name) => admin.post(`/records/contacts/${pathOf(name)}/restore`),
    'key of a create': (name) =>
      admin.send('/api/v1/records/contacts', json('POST', `{"first_name":"x",${JSON.stringify(name)}:"y"}`)),
    'key of an update': (name) =>
      admin.send(`/api/v1/records/contacts/${contact}`, json('PUT', `{"first_name":"x",${JSON.stringify(name)}:"y"}`)),
    'field of a filter': (name) => admin.get('/records/contacts', { filters: condition(name, 'equals', 'x') }),
    'operator of a filter': (name) => admin.get('/records/contacts', { filters: condition('first_name', name, 'x') }),
    'field of a simple filter': (name) =>
      admin.get('/records/contacts', { filter_field: name, filter_operator: 'equals', filter_value: 'x' }),
    cursor: (name) => admin.get('/records/contacts', { cursor: name }),
    'field to trim to': (name) => admin.get('/records/contacts', { fields: `first_name,${name}x` }),
    'field of an export': (name) => admin.get('/export/contacts', { fields: `first_name,${name}x` }),
    'sort_by of an export': (name) => admin.get('/export/contacts', { sort_by: name }),
    'relation of a create': (name) => admin.post('/records/contacts', { company_id: `${name}x` }),
    'option of a create': (name) => admin.post('/records/companies', { name: 'x', industry: `${name}x` }),
    'step of a create': (name) => admin.post('/records/opportunities', { name: 'x', pipeline_step_id: `${name}x` }),
    'link of a create': (name) => admin.post('/records/opportunities', { name: 'x', contacts: [`${name}x`] }),
    'time zone': (name) => admin.get('/records/contacts', {}, { 'time-zone': header(name) }),
    token: (name) => admin.get('/me', {}, { authorization: `Bearer svc_${header(name)}` }),
  };
  it.each(Object.entries(places))('as the %s are refused', { timeout: 60_000 }, async (place, ask) => {
    const legal = /^(?:first_name|company_id|name|search|id|UTC)$/;
    await all(
      names.filter((name) => name !== '' && !legal.test(name)),
      async (name) => {
        const reply = await ask(name);
        if (mayBeRight(place, name)) expectAnswer(reply, { place, name });
        else expectRefusal(reply, { place, name });
      },
    );
    await expectNothingWritten();
  });

  const tolerant: Record<string, (name: string) => Promise<Reply>> = {
    sort: (name) => admin.get('/records/contacts', { sort: [{ field: name, direction: 'asc' }] }),
    'sort as text': (name) => admin.get('/records/contacts', { sort: name }),
    sort_by: (name) => admin.get('/records/contacts', { sort_by: name }),
    sort_dir: (name) => admin.get('/records/contacts', { sort_by: 'first_name', sort_dir: name }),
    search: (name) => admin.get('/records/contacts', { search: name }),
    'search of users': (name) => admin.get('/users', { search: name }),
    limit: (name) => admin.get('/records/contacts', { limit: name }),
    'filters of an export': (name) => admin.get('/export/contacts', { filters: name }),
    'list to add to': (name) => admin.get('/records/contacts', { filters: JSON.stringify(name) }),
    'request id': (name) => admin.get('/me', {}, { 'x-request-id': header(name) }),
    'content type of a get': (name) => admin.get('/me', {}, { 'content-type': header(name) }),
  };
  it.each(Object.entries(tolerant))('as the %s are answered', { timeout: 60_000 }, async (place, ask) => {
    await all(names, async (name) => expectAnswer(await ask(name), { place, name }));
    await expectNothingWritten();
  });

  const operators = [
    'equals',
    'not_equals',
    'contains',
    'not_contains',
    'ilike',
    'starts_with',
    'ends_with',
    'in',
    'not_in',
    'between',
    'greater_than',
    'date_before',
    'is_empty',
  ];
  const fields = [
    'first_name',
    'full_name',
    'emails',
    'phones',
    'address',
    'tags',
    'birthday',
    'do_not_contact',
    'company_id',
    'company_id.annual_revenue',
    'company_id.employees',
    'owner',
    'created_at',
    'id',
  ];
  it.each(operators)(
    'as the value of %s are answered, on every kind of field',
    { timeout: 60_000 },
    async (operator) => {
      const values = [
        ...hostileNames,
        '1e999',
        '9'.repeat(400),
        '-0',
        '0x10',
        '1_000',
        'infinity',
        'today',
        '99999-01-01',
        '0000-00-00',
        '2026-02-30',
        '1,2',
        '"a',
        '',
      ];
      await all(
        fields.flatMap((field) => values.map((value) => ({ field, value }))),
        async ({ field, value }) => {
          expectAnswer(await admin.get('/records/contacts', { filters: condition(field, operator, value), limit: 1 }), {
            field,
            operator,
            value,
          });
        },
      );
    },
  );
});

/** What a header can carry of a name. */
function header(name: string): string {
  return encodeURIComponent(name).slice(0, 2000);
}

/** Places where a hostile name may happen to be right. */
function mayBeRight(place: string, name: string): boolean {
  const isList = place.startsWith('field to trim') || place === 'field of an export';
  return place === 'time zone' || (isList && name.trim().endsWith(','));
}

function json(
  method: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): RequestInit {
  return { method, body, headers: { 'content-type': 'application/json', ...headers } };
}

describe('bodies', () => {
  const deep = '['.repeat(100_000);
  const bodies: Record<string, string | Uint8Array<ArrayBuffer>> = {
    nothing: '',
    'cut off': '{"first_name":"x"',
    'a NUL': '{"first_name":"a\\u0000b"}',
    'a NUL in a key': '{"first_name\\u0000":"b"}',
    'half a surrogate pair': '{"first_name":"\\ud83d"}',
    'half a surrogate pair in a key': '{"\\udc00":"x"}',
    'invalid UTF-8': Uint8Array.from([...Buffer.from('{"first_name":"'), 0xc3, 0x28, ...Buffer.from('"}')]),
    'UTF-16': Uint8Array.from(Buffer.from('{"first_name":"x"}', 'utf16le')),
    'deep arrays': `{"first_name":${deep}${']'.repeat(100_000)}}`,
    'deep objects': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    'deep and cut off': `{"first_name":${deep}`,
    'an array': '[]',
    'a string': '"first_name"',
    'a number': '1',
    null: 'null',
    true: 'true',
    'a number as a name': '{"first_name":1}',
    'an object as a name': '{"first_name":{"toString":"x"}}',
    'an array as a name': '{"first_name":["x"]}',
    'an infinite number': '{"first_name":1e999}',
    'a name of a megabyte and a key of a megabyte': `{"${'k'.repeat(1_000_000)}":"${'v'.repeat(1_000_000)}"}`,
    'a polluted prototype': '{"first_name":"x","__proto__":{"isAdmin":true}}',
    'an id': `{"id":"${crypto.randomUUID()}"}`,
    'a time of creation': '{"created_at":"2020-01-01T00:00:00Z"}',
    'search text': '{"search_text":"x"}',
    'trailing text': '{"first_name":"x"} x',
    'a comment': '{"first_name":"x"/**/}',
    'single quotes': "{'first_name':'x'}",
    'form data': 'first_name=x',
    XML: '<contact/>',
  };
  it.each(Object.entries(bodies))('that are %s are refused', async (what, body) => {
    expectRefusal(await admin.send('/api/v1/records/contacts', json('POST', body)), what);
    expectRefusal(await admin.send(`/api/v1/records/contacts/${contact}`, json('PUT', body)), what);
    expectRefusal(await admin.send('/api/v1/records/contacts/batch/create', json('POST', body)), what);
    expectRefusal(await admin.send('/api/v1/import/contacts', json('POST', body)), what);
    await expectNothingWritten();
  });

  const values: readonly [object: string, field: string, values: readonly string[]][] = [
    [
      'companies',
      'employees',
      [
        '1e999',
        '-1e999',
        '9'.repeat(400),
        '1.5',
        '"x"',
        '"NaN"',
        '"Infinity"',
        '"1e30"',
        'true',
        '[]',
        '{}',
        '9223372036854775808',
        '1e19',
      ],
    ],
    [
      'companies',
      'annual_revenue',
      [
        '1e999',
        '"NaN"',
        '"Infinity"',
        '{"amount":1e999,"currency":"EUR"}',
        '{"amount":1,"currency":"€€€"}',
        '{"amount":{}}',
        '[1]',
        'true',
        '1e200000',
      ],
    ],
    ['opportunities', 'probability', ['1e999', '"NaN"', '"x"', '[]', '{}', 'true', '"1e200000"']],
    [
      'opportunities',
      'close_date',
      [
        '"infinity"',
        '"today"',
        '"2026-02-30"',
        '"300000-01-01"',
        '"0000-01-01"',
        '20260101',
        '"epoch"',
        '{}',
        '[]',
        'true',
        '"10000-01-01"',
      ],
    ],
    [
      'opportunities',
      'contacts',
      ['{}', '"x"', '[1]', '[{}]', '[{"id":1}]', '[null]', '[[]]', '{"id":"x"}', '[{"id":"__proto__"}]'],
    ],
    ['opportunities', 'pipeline_step_id', ['1', '{}', '[]', 'true', '"Nowhere"']],
    ['opportunities', 'pipeline_id', ['1', '{}', '[]', 'true', '"Nowhere"']],
    [
      'contacts',
      'emails',
      [
        '1',
        '{}',
        'true',
        '[1]',
        '[{}]',
        '[{"email":1}]',
        '["not an address"]',
        '[null]',
        '[["a@b.test"]]',
        '[{"email":"a@b.test","is_primary":"x"}]',
      ],
    ],
    ['contacts', 'phones', ['{}', 'true', '[{}]', '[{"phone":{}}]', '[null]']],
    ['contacts', 'address', ['1', '[]', 'true', '{"city":1}', '{"__proto__":"x"}', '{"nowhere":"x"}', '{"city":{}}']],
    ['contacts', 'tags', ['1', '{}', 'true', '[1]', '["nothing like it"]', '[["vip"]]', '[null]']],
    ['contacts', 'birthday', ['"1999-13-01"', '1', '"01/02/1999x"']],
    ['contacts', 'do_not_contact', ['"perhaps"', '2', '[]', '{}']],
    ['contacts', 'company_id', ['1', '{}', '[]', 'true', '"x"', `"${crypto.randomUUID()}"`]],
    ['contacts', 'owner', ['1', '{}', '[]', 'true', '"x"', `"${crypto.randomUUID()}"`]],
    ['contacts', 'full_name', ['"x"', '1', 'null']],
    ['contacts', 'add_to_list_ids', ['1', '{}', '"x"', '[1]', 'true']],
    ['contacts', 'create_list_name', ['1', '{}', '[]', '""', '" "', `"${'x'.repeat(201)}"`]],
  ];
  it.each(values)('with a wrong value of %s.%s are refused', async (object, field, wrong) => {
    for (const value of wrong) {
      const body = `{"name":"x",${JSON.stringify(field)}:${value}}`.replace(
        '"name":"x",',
        object === 'contacts' ? '' : '"name":"x",',
      );
      expectRefusal(await admin.send(`/api/v1/records/${object}`, json('POST', body)), { object, field, value });
    }
    await expectNothingWritten();
  });

  it('of a wrong shape fail row by row in an import, and as one otherwise', async () => {
    const rows = [
      'null',
      '1',
      '"x"',
      '[]',
      '{"__proto__":"x"}',
      '{"nowhere":1}',
      '{"company_id":"Nobody"}',
      '{"birthday":"1999-13-01"}',
    ];
    for (const path of ['/import/contacts', '/records/contacts/batch/create']) {
      const reply = await admin.send(`/api/v1${path}`, json('POST', `{"records":[${rows.join(',')}]}`));
      expect([reply.status, reply.json.created, reply.json.failed], reply.text).toEqual([200, 0, rows.length]);
      expect(reply.json.errors.map(({ index }: { index: number }) => index)).toEqual(rows.map((_, index) => index));
      for (const records of ['{}', '1', 'null', '"x"', '[]']) {
        expectRefusal(await admin.send(`/api/v1${path}`, json('POST', `{"records":${records}}`)), { path, records });
      }
    }
    await expectNothingWritten();
  });

  it('with more keys, rows or text than anything has are refused in time', { timeout: 60_000 }, async () => {
    const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;
    expectRefusal(await admin.send('/api/v1/records/contacts', json('POST', keys(500_000))), 'many keys');
    expectRefusal(
      await admin.send('/api/v1/records/contacts', json('POST', `{"first_name":"${'x'.repeat(20_000_000)}"}`)),
      'a long text',
    );
    const rows = Array.from({ length: 10_001 }, () => '{}').join(',');
    expectRefusal(await admin.send('/api/v1/import/contacts', json('POST', `{"records":[${rows}]}`)), 'many rows');
    expectRefusal(
      await admin.send('/api/v1/records/contacts/batch/create', json('POST', `{"records":[${rows}]}`)),
      'many rows',
    );
    const wide = await admin.send(
      '/api/v1/import/contacts',
      json('POST', `{"records":[${Array.from({ length: 20 }, () => keys(20_000)).join(',')}]}`),
    );
    expect([wide.status, wide.json.created, wide.json.failed]).toEqual([200, 0, 20]);
    expect(wide.text.length).toBeLessThan(200_000);
    await expectNothingWritten();
  });

  it('with a key twice take the last one', async () => {
    const made = await admin.send(
      '/api/v1/records/contacts',
      json('POST', '{"first_name":"first","first_name":"second"}'),
    );
    expect([made.status, made.json.record.first_name]).toEqual([200, 'second']);
  });

  it('of another type, encoding or size are refused', { timeout: 60_000 }, async () => {
    const path = '/api/v1/records/contacts';
    const small = '{"first_name":"x"}';
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'x',
      '/',
    ]) {
      expectRefusal(await admin.send(path, json('POST', small, { 'content-type': type })), type);
    }
    for (const encoding of ['br', 'deflate', 'gzip, gzip', 'x']) {
      expectRefusal(await admin.send(path, json('POST', small, { 'content-encoding': encoding })), encoding);
    }
    expectRefusal(await admin.send(path, json('POST', small, { 'content-encoding': 'gzip' })), 'not gzip');
    const cut = Uint8Array.from(gzipSync(small).subarray(0, 15));
    expectRefusal(await admin.send(path, json('POST', cut, { 'content-encoding': 'gzip' })), 'half a gzip');
    const bomb = Uint8Array.from(gzipSync(Buffer.alloc(200 * 1024 * 1024, 32)));
    expectRefusal(await admin.send(path, json('POST', bomb, { 'content-encoding': 'gzip' })), 'a gzip bomb');
    expectRefusal(
      await admin.send(path, json('POST', `{"first_name":"${'x'.repeat(33 * 1024 * 1024)}"}`)),
      'a huge body',
    );
    await expectNothingWritten();
    const zipped = await admin.send(
      path,
      json('POST', Uint8Array.from(gzipSync(small)), { 'content-encoding': 'gzip' }),
    );
    expect([zipped.status, zipped.json.record.first_name]).toEqual([200, 'x']);
  });
});

describe('addresses', () => {
  const broken = [
    '/api/v1/records/%',
    '/api/v1/records/%zz',
    '/api/v1/records/%C3%28',
    '/api/v1/records/contacts/%FF',
    '/api/v1/records/contacts?search=%',
    '/api/v1/records/contacts?search=%C3%28',
    '/api/v1/records/contacts?%=x',
    '/api/v1/records/contacts?search=a%00b',
    '/api/v1/records/a%00b',
    '/api/v1/records/contacts/a%00b',
    '/api/v1/schema/%00',
    '/api/v1/records/contacts?limit=1&limit=2',
    '/api/v1/records/contacts?__proto__=x',
    '/api/v1/records/contacts?constructor=x',
    '/api/v1/records/contacts?filters={"type":"AND"}',
    '/api/v1/records/contacts?filters=[]',
    '/api/v1/records/contacts?filters=null',
    '/api/v1/records/contacts?filters={"type":"XOR","conditions":[]}',
    '/api/v1/records/contacts?filters={"type":"AND","conditions":[1]}',
    '/api/v1/records/contacts?filters={"type":"AND","conditions":[{"field":{},"operator":[],"value":null}]}',
    '/api/v1/records/contacts?filters={"type":"AND","conditions":[{"field":"first_name","operator":"equals","value":"\\u0000"}]}',
    '/api/v1/records/contacts?filters={"type":"AND","conditions":[{"field":"first_name","operator":"equals","value":"\\ud800"}]}',
    `/api/v1/records/contacts?filters=${'{"type":"AND","conditions":['.repeat(500)}${']}'.repeat(500)}`,
    `/api/v1/records/contacts?filters={"type":"AND","conditions":[${Array.from({ length: 501 }, () => '{"field":"first_name","operator":"is_empty"}')}]}`,
    '/api/v1/nowhere',
    '/api/v1//records',
    '/api/v1/records/contacts/x/y/z',
    '/api/v2/records/contacts',
  ];
  it.each(broken)('%.60s', async (path) => {
    expectRefusal(await admin.send(path.replaceAll('"', '%22').replaceAll('\\', '%5C')), path);
  });

  it.each(['TRACE', 'CONNECT', 'PURGE', 'OPTIONS', 'PATCH'])('with the method %s', async (method) => {
    const answer = await raw(
      `${method} /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin.token}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer === '' || /^HTTP\/1\.1 4\d\d /.test(answer), answer.slice(0, 200)).toBe(true);
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a header with a NUL', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'],
    [
      'two lengths',
      'POST /api/v1/records/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    ],
    [
      'a length and chunks',
      'POST /api/v1/records/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative length', 'POST /api/v1/records/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['headers of 70 KiB', `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(70 * 1024)}\r\n\r\n`],
    [
      'a broken chunk',
      `POST /api/v1/records/contacts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz\r\n`,
    ],
  ])('with %s are refused', async (_what, request) => {
    const answer = await raw(request);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
    });
    await expectNothingWritten();
  });
});

/** Sends bytes as they are, and answers what came back until the server closed. */
async function raw(request: string): Promise<string> {
  const { hostname, port } = new URL(kith.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write(request);
  return text(socket).catch(() => '');
}

describe('text that is legal', () => {
  const legal = [...new Set([...hostileNames, ...(naughty ?? [])])].filter(
    (value) => value.trim() !== '' && value.isWellFormed() && !value.includes('\0'),
  );

  it('comes back byte for byte, and a filter for it finds exactly it', { timeout: 60_000 }, async () => {
    const { admin: own } = await kith.organization();
    const ids = new Map<string, string>();
    await all(legal, async (value) => {
      const made = await own.post('/records/contacts', { first_name: value });
      expect([made.status, made.json.record?.first_name], JSON.stringify(value)).toEqual([200, value]);
      ids.set(value, made.json.id);
    });
    await all(
      legal.filter((value) => value.length < 2000),
      async (value) => {
        const found = await own.get('/records/contacts', {
          filters: condition('first_name', 'equals', value),
          fields: 'id,first_name',
        });
        expect(found.json.data, JSON.stringify(value)).toEqual([{ id: ids.get(value), first_name: value }]);
        const both = [condition('first_name', 'contains', value), condition('id', 'equals', ids.get(value))];
        const contains = await own.get('/records/contacts', {
          filters: { type: 'AND', conditions: both },
          fields: 'id',
        });
        expect(contains.json.data, JSON.stringify(value)).toEqual([{ id: ids.get(value) }]);
      },
    );
    const walked: string[] = [];
    for (let cursor: string | undefined; ;) {
      const { json: page } = await own.get('/records/contacts', {
        sort_by: 'first_name',
        sort_dir: 'asc',
        limit: 50,
        cursor,
      });
      walked.push(...page.data.map((record: { id: string }) => record.id));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(walked.toSorted()).toEqual([...ids.values()].toSorted());
  });

  it('goes out and in again through an export', { timeout: 60_000 }, async () => {
    const [from, to] = [await kith.organization(), await kith.organization()];
    const made = await from.admin.post('/import/contacts', { records: legal.map((value) => ({ last_name: value })) });
    expect([made.json.created, made.json.failed]).toEqual([legal.length, 0]);
    const { records } = (await from.admin.get('/export/contacts', { fields: 'last_name' })).json;
    const again = await to.admin.post('/import/contacts', { records });
    expect([again.json.created, again.json.failed], JSON.stringify(again.json.errors)).toEqual([legal.length, 0]);
    const back = (await to.admin.get('/export/contacts', { fields: 'last_name' })).json.records;
    const values = (rows: { last_name: string }[]) => rows.map((row) => row.last_name).toSorted();
    // An import takes the white space around a text off.
    expect(values(back)).toEqual(values(legal.map((value) => ({ last_name: value.trim() }))));
  });
});
