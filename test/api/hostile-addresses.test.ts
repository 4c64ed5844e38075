/** [decisions: Reading, Writing] Hostile addresses and bytes: a clear refusal or a faithful answer, never a failure of ours, and nothing half-written. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/hostile.ts';
import { expectNothingWritten, useHostileStage } from './hostile-stage.ts';
import { admin, kith } from './stage.ts';

useHostileStage();

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
    `/api/v1/records/contacts?filters={"type":"AND","conditions":[${Array.from({ length: 501 }, () => '{"field":"first_name","operator":"is_empty"}').join(',')}]}`,
    '/api/v1/nowhere',
    '/api/v1//records',
    '/api/v1/records/contacts/x/y/z',
    '/api/v2/records/contacts',
  ];
  it.each(broken)('%.60s', async (path) => {
    expectRefusal(await admin.send(path.replaceAll('"', '%22').replaceAll('\\', '%5C')), path);
  });

  it.each([
    ['GET', '/records/contacts', 'the path is PATH; if its id belongs behind it, perhaps a variable is not set'],
    ['POST', '/records/contacts', 'its id is empty; perhaps a variable is not set'],
    ['PUT', '/records/contacts', 'its id is empty; perhaps a variable is not set'],
    ['GET', '/schema', 'the path is PATH; if its object belongs behind it, perhaps a variable is not set'],
    ['GET', '/records/contacts/0198c0de-7a11-7000-8000-00000000002a', 'the path is PATH'],
  ])('%s with a slash too many at the end of %s', async (method, path, hint) => {
    const reply = await admin.send(`/api/v1${path}/`, { method });
    expect([reply.status, reply.json]).toEqual([
      404,
      {
        code: 'NOT_FOUND',
        message: `There is nothing at ${method} /api/v1${path}/: ${hint.replace('PATH', `/api/v1${path}`)}`,
      },
    ]);
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
