/** What is sent, and what is taken of an answer, however hostile it is. */
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync, brotliCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { rawServer, wayOut, webServer, type Listener } from './listeners.ts';

const open: Listener[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  for (const server of open.splice(0)) await server.close();
});

async function web(answer: RequestListener): Promise<string> {
  const server = await webServer(answer);
  open.push(server);
  return `http://127.0.0.1:${server.port}`;
}

async function raw(onSocket: (socket: Socket) => void): Promise<string> {
  const server = await rawServer(onSocket);
  open.push(server);
  return `http://127.0.0.1:${server.port}`;
}

const { outgoing, logged } = wayOut(['127.0.0.0/8']);

describe('a request', () => {
  it('has its method, headers and body, and a connection of its own', async () => {
    const seen: { message: IncomingMessage; body: string }[] = [];
    const url = await web((message, response) => {
      response.setHeader('set-cookie', 'a=b').setHeader('x-answer', 'yes');
      void text(message).then((body) => {
        seen.push({ message, body });
        response.end('done');
      });
    });
    const headers = { 'Content-Type': 'application/json', 'x-signature': 'abc' };
    const answer = await outgoing.request({ url: `${url}/hook?a=%20b#part`, method: 'POST', headers, body: '{"ä":1}' });
    await outgoing.request({ url });
    expect(answer).toMatchObject({ status: 200, headers: { 'x-answer': 'yes' }, body: Buffer.from('done') });
    expect(seen.map(({ message }) => `${message.method} ${message.url}`)).toEqual(['POST /hook?a=%20b', 'GET /']);
    expect(seen[0]?.body).toBe('{"ä":1}');
    expect(seen[0]?.message.headers).toEqual({
      ...{ 'content-type': 'application/json', 'x-signature': 'abc', 'content-length': '8' },
      ...{ host: url.slice(7), connection: 'close', 'user-agent': 'Kith', 'accept-encoding': 'gzip' },
    });
    expect(seen[1]?.message.headers['cookie']).toBeUndefined();
    expect(open[0]?.count()).toBe(2);
  });

  it.each(['PUT', 'DELETE', 'PROPFIND', 'GET'] as const)('of %s has a body with a length', async (method) => {
    const url = await web((message, response) => void message.pipe(response));
    expect((await outgoing.request({ url, method, body: 'text' })).body.toString()).toBe('text');
  });

  it.each([
    [{ host: 'other.test' }],
    [{ 'Content-Length': '3' }],
    [{ 'transfer-encoding': 'chunked' }],
    [{ Connection: 'upgrade' }],
    [{ 'Proxy-Authorization': 'x' }],
    [{ 'x-a': 'b\r\nx-c: d' }],
    [{ 'x-a': 'b\0' }],
    [{ 'x a': 'b' }],
  ])('is not sent with the headers %j', async (headers) => {
    const url = await web((_, response) => response.end());
    await expect(outgoing.request({ url, headers })).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('takes no proxy from the environment', async () => {
    const proxy = await web((_, response) => response.end('from the proxy'));
    for (const name of ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY']) vi.stubEnv(name, proxy);
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    vi.stubEnv('no_proxy', '');
    const url = await web((_, response) => response.end('from the server'));
    expect((await outgoing.request({ url })).body.toString()).toBe('from the server');
  });

  it('ends when its caller ends it, with the reason of that', async () => {
    const ending = new AbortController();
    const url = await web(() => ending.abort(new Error('the job is over')));
    const limits = { signal: ending.signal };
    await expect(outgoing.request({ url }, limits)).rejects.toThrow('the job is over');
    await expect(outgoing.request({ url }, limits)).rejects.toThrow('the job is over');
    expect(open[0]?.count()).toBe(1);
  });

  it('has bounds that no caller goes beyond', async () => {
    const url = 'http://127.0.0.1/';
    await expect(outgoing.request({ url }, { timeoutMs: 120_001 })).rejects.toThrow(RangeError);
    for (const maxBytes of [16_777_217, Number.NaN])
      await expect(outgoing.request({ url }, { maxBytes })).rejects.toThrow(RangeError);
  });
});

describe('an answer', () => {
  it.each([301, 302, 303, 307, 308])('%i is an answer; where it leads is not followed', async (status) => {
    const inside = await web((_, response) => response.end('secret'));
    const url = await web((_, response) => response.writeHead(status, { location: inside }).end('moved'));
    expect(await outgoing.request({ url })).toMatchObject({
      status,
      headers: { location: inside },
      body: Buffer.from('moved'),
    });
    expect(open[0]?.count()).toBe(0);
  });

  it.each<[string, RequestListener]>([
    ['never begins', () => {}],
    ['never ends its headers', (_, { socket }) => void socket?.write('HTTP/1.1 200 OK\r\nx-a: ')],
    ['announces itself slowly', (_, { socket }) => sayAgain(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 200)],
    ['never ends its body', (_, response) => void response.write('a')],
    ['sends a byte at a time', (_, response) => sayAgain(response, 'a')],
    ['unpacks to nothing', (_, response) => sayAgain(packed(response), gzipSync(''))],
  ])('that %s is given up', async (_, answer) => {
    const url = await web(answer);
    const request = outgoing.request({ url }, { timeoutMs: 300 });
    await expect(request).rejects.toMatchObject({ reason: 'timeout' });
  });

  it.each<[string, RequestListener]>([
    ['is endless', (_, response) => pour(response, Buffer.alloc(10_000))],
    ['has one byte too much', (_, response) => void response.end(Buffer.alloc(65_537))],
    ['is a bomb', (_, response) => void packed(response).end(gzipSync(Buffer.alloc(10_000_000)))],
    ['is packed endless nothing', (_, response) => pour(packed(response), gzipSync(''))],
    [
      'has endless headers',
      (_, { socket }) => {
        socket?.write('HTTP/1.1 200 OK\r\n');
        pour(socket, 'x-a: b\r\n'.repeat(100));
      },
    ],
    [
      'has a long header',
      (_, { socket }) => void socket?.write(`HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(17_000)}\r\n\r\n`),
    ],
  ])('that %s is too large', async (_, answer) => {
    const url = await web(answer);
    await expect(outgoing.request({ url })).rejects.toMatchObject({ reason: 'too-large' });
  });

  it('may be larger where the caller says so, packed and not', async () => {
    const body = Buffer.alloc(200_000, 'ab');
    const url = await web((message, response) =>
      message.url === '/packed' ? packed(response).end(gzipSync(body)) : response.end(body),
    );
    for (const path of ['/', '/packed'])
      expect((await outgoing.request({ url: url + path }, { maxBytes: 200_000 })).body.equals(body)).toBe(true);
    for (const path of ['/', '/packed'])
      await expect(outgoing.request({ url: url + path }, { maxBytes: 199_999 })).rejects.toMatchObject({
        reason: 'too-large',
      });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['is no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    ['is empty', (socket) => socket.end()],
    ['is a reset', (socket) => socket.resetAndDestroy()],
    [
      'is an upgrade',
      (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
    ['announces itself without end', (socket) => pour(socket, 'HTTP/1.1 102 Processing\r\n\r\n')],
    ['breaks off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc')],
    ['is no gzip', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nabcdefghijklmnopq')],
    ['is cut', (socket) => socket.end(Buffer.concat([Buffer.from(head), gzipSync('abc').subarray(0, 15)]))],
    ['has two lengths', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nabc')],
  ])('that %s is a failure of the connection', async (_, answer) => {
    const url = await raw(
      (socket) =>
        void once(socket, 'data').then(
          () => answer(socket),
          () => {},
        ),
    );
    await expect(outgoing.request({ url })).rejects.toMatchObject({ reason: 'connection' });
  });

  it('in a coding that was not asked for is not taken', async () => {
    const url = await web((_, response) =>
      response.setHeader('content-encoding', 'br').end(brotliCompressSync(Buffer.alloc(1_000_000))),
    );
    await expect(outgoing.request({ url })).rejects.toMatchObject({ reason: 'connection' });
  });

  it('without a body is taken, packed or not', async () => {
    const url = await web((_, response) => packed(response).writeHead(204).end());
    expect(await outgoing.request({ url })).toMatchObject({ status: 204, body: Buffer.alloc(0) });
  });
});

it('a streamed answer waits so long for the server, and for as long as it takes for who reads it', async () => {
  let sink: ServerResponse | undefined;
  const url = await web((_, response) => {
    sink = response;
    response.write('first');
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const bounds = { idleMs: 1_000, maxBytes: 100, signal: new AbortController().signal };
  const pieces = (await outgoing.stream({ url }, bounds)).body[Symbol.asyncIterator]();
  expect(String((await pieces.next()).value)).toBe('first');
  vi.advanceTimersByTime(5_000);
  sink?.write('second');
  expect(String((await pieces.next()).value)).toBe('second');
  const third = pieces.next();
  vi.advanceTimersByTime(1_000);
  await expect(third).rejects.toMatchObject({ reason: 'timeout' });
});

it('a closed port is told without its address, which the log has', async () => {
  const server = await rawServer(() => {});
  await server.close();
  logged.length = 0;
  const request = outgoing.request({ url: `http://127.0.0.1:${server.port}/` });
  await expect(request).rejects.toMatchObject({
    reason: 'connection',
    message: `"127.0.0.1" takes no connection on port ${server.port}`,
  });
  const addresses = ['127.0.0.1'];
  expect(logged).toEqual([
    { reason: 'connection', host: '127.0.0.1', port: server.port, addresses, cause: 'ECONNREFUSED' },
  ]);
});

const head = 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n';

function packed<T extends { setHeader(name: string, value: string): unknown }>(response: T): T {
  response.setHeader('content-encoding', 'gzip');
  return response;
}

type Sink = Socket | ServerResponse | null;

/** As much as is taken. */
function pour(sink: Sink, piece: string | Buffer): void {
  while (sink && !sink.destroyed && sink.write(piece));
  sink?.once('drain', () => pour(sink, piece));
}

/** A piece every few milliseconds: what is slow needs a clock. */
function sayAgain(sink: Sink, piece: string | Buffer, everyMillis = 20): void {
  const saying = setInterval(() => void (sink?.destroyed ? clearInterval(saying) : sink?.write(piece)), everyMillis);
  sink?.once('close', () => clearInterval(saying));
}
