/** `kith record` with a KITH_URL that is not what it should be. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { kithJson } from './in-process.ts';

async function asked(listener: RequestListener, token = 'svc_secret') {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, json } = await kithJson(['record', 'list', 'contacts'], { KITH_URL: url, KITH_TOKEN: token });
  server.close();
  return { exit: code, ...json, message: String(json['message']).replace(url, 'URL') };
}

describe('a service that is none', () => {
  it.each<[name: string, listener: RequestListener, answer: object]>([
    [
      'a page',
      (_, response) => response.end('<!doctype html>'),
      { exit: 69, code: 'UNAVAILABLE', message: 'KITH_URL, "URL", does not answer: it is no Kith (status 200)' },
    ],
    [
      'a way to somewhere else, which is not followed with the token',
      (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      { exit: 69, code: 'UNAVAILABLE', message: 'KITH_URL, "URL", does not answer: it is no Kith (status 307)' },
    ],
    [
      'an answer that breaks off',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"data":', () => response.destroy());
      },
      { exit: 69, code: 'UNAVAILABLE', message: expect.stringMatching(/^KITH_URL, "URL", does not answer: ./) },
    ],
    [
      'a code that this program does not know',
      (_, response) => response.writeHead(400).end('{"code":"NEW_CODE","message":"Something new"}'),
      { exit: 1, code: 'INTERNAL_ERROR', message: 'Something new' },
    ],
    [
      'too many requests',
      (_, response) => response.writeHead(429).end('{"error":"Too many requests","policy":"api:ip"}'),
      { exit: 1, code: 'RATE_LIMITED', message: 'Too many requests' },
    ],
  ])('%s', async (_name, listener, answer) => {
    expect(await asked(listener)).toEqual(answer);
  });

  it('repeats no token that cannot be sent', async () => {
    const answer = await asked((_, response) => response.end('{}'), 'svc_secret\nsecond: line');
    expect(answer).toEqual({
      exit: 4,
      code: 'UNAUTHORIZED',
      message: 'KITH_TOKEN has characters that no token has',
    });
  });
});

it('notes what the service warns of', async () => {
  const server = createServer((_, response) =>
    response
      .writeHead(200, { warning: '199 - "limit goes from 1 to 100", 199 - "a \\"quoted\\" word"' })
      .end('{"data":[],"total":0}'),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`;
  const { code, json, stderr } = await kithJson(['record', 'list', 'contacts'], { KITH_URL: url, KITH_TOKEN: 'svc_x' });
  server.close();
  expect({ code, json, stderr }).toEqual({
    code: 0,
    json: { data: [], total: 0 },
    stderr: 'limit goes from 1 to 100\na "quoted" word\n',
  });
});
