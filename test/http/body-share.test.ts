/** Large bodies that come in together: more than a process can hold are refused, and nobody takes what is others' share. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../../src/operations/door/operation.ts';
import { fixture, tokenOf, type Fixture } from './fixture.ts';

const mebibyte = 1024 * 1024;
const patient = { timeout: 10_000 };
const path = '/api/v1/records/contacts';
let server: Fixture;
let url: URL;
let answerAtOnce: Fixture['act'];
const sockets: Socket[] = [];
/** The server's ends. */
const taken: Socket[] = [];

beforeAll(async () => {
  server = fixture();
  answerAtOnce = server.act;
  server.app.server.on('connection', (socket) => taken.push(socket));
  url = new URL(await server.listen('127.0.0.1', 0));
});
afterEach(() => {
  taken.length = 0;
  server.seen.length = 0;
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => server.close());

const [ann, bob, other, third] = [tokenOf('a', 'ann'), tokenOf('a', 'bob'), tokenOf('b', 'olga'), tokenOf('c', 'tim')];
const tooMany = [503, 'Too many large bodies come in at once; try again shortly'];
const tooManyOfYours = [503, 'Too many large bodies of yours come in at once; try again shortly'];

/** Begins a request with a body of `length` bytes, of which none is sent. */
async function begin(token: string, length: number, headers = ''): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\nContent-Length: ${length}\r\n`);
  socket.write(`Content-Type: application/json\r\n${headers}\r\n`);
  return socket;
}

/** Has a body of 31 MiB held that lacks its last byte. */
async function hold(token: string, isZipped: boolean): Promise<void> {
  const plain = Buffer.alloc(31 * mebibyte, ' ');
  // Not made smaller, it is inflated as soon as it is read.
  const body = isZipped ? gzipSync(plain, { level: 0 }) : plain;
  const socket = await begin(token, body.length, isZipped ? 'Content-Encoding: gzip\r\n' : '');
  socket.write(body.subarray(0, -1));
  const far = () => taken.find(({ remotePort }) => remotePort === socket.localPort);
  await expect.poll(() => far()?.bytesRead, patient).toBeGreaterThan(body.length);
  expect(await post(token, 2)).toEqual(tooManyOfYours);
}

function bodyOf(mebibytes: number): Buffer {
  const texts = Array.from({ length: 4 * mebibytes }, () => 'x'.repeat(mebibyte / 4 - 3));
  return Buffer.from(JSON.stringify({ texts }));
}

async function post(token: string, mebibytes: number, isZipped = false): Promise<[number, string]> {
  const body = bodyOf(mebibytes);
  const headers = { authorization: token, 'content-type': 'application/json' };
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { ...headers, ...(isZipped && { 'content-encoding': 'gzip' }) },
    body: isZipped ? gzipSync(body) : body,
  });
  const { message = '' } = (await response.json()) as { message?: string };
  return [response.status, message];
}

it.each([true, false])(
  'a user who sends and never ends keeps nobody else from sending (zipped: %s)',
  async (isZipped) => {
    await hold(ann, isZipped);
    expect(await post(ann, 2, true)).toEqual(tooManyOfYours);
    expect(await post(ann, 0.5)).toEqual([200, '']);
    expect(await post(bob, 31)).toEqual([200, '']);
    expect(await post(other, 31, true)).toEqual([200, '']);
  },
);

it('whoever comes later gets half of what is left, and what is small always passes', async () => {
  await hold(ann, true);
  await hold(bob, true);
  await hold(other, true);
  expect(await post(third, 20)).toEqual(tooMany);
  expect(await post(third, 20, true)).toEqual(tooMany);
  expect(await post(third, 16)).toEqual([200, '']);
  expect(await post(tokenOf('a', 'carl'), 2)).toEqual(tooMany);
  expect(await post(tokenOf('a', 'carl'), 0.5)).toEqual([200, '']);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => post(third, 20), patient).toEqual([200, '']);
  await expect.poll(() => post(ann, 31, true), patient).toEqual([200, '']);
});

it('small bodies of one user have a bound, too', async () => {
  // Thirty-two of them would fit.
  const many = await Promise.all(Array.from({ length: 40 }, () => begin(ann, mebibyte)));
  for (const socket of many) socket.write(Buffer.alloc(mebibyte - 1, ' '));
  await expect.poll(() => many.some(({ bytesRead }) => bytesRead > 0), patient).toBe(true);
  expect(await post(bob, 0.5)).toEqual([200, '']);
});

it.each([true, false])('who leaves holds a share as long as there is work on it (zipped: %s)', async (isZipped) => {
  const body = isZipped ? gzipSync(bodyOf(31)) : bodyOf(31);
  const begun = Promise.withResolvers<AbortSignal | undefined>();
  const end = Promise.withResolvers<Answer>();
  server.act = ({ context }) => {
    begun.resolve(context.signal);
    return end.promise;
  };
  const socket = await begin(ann, body.length, isZipped ? 'Content-Encoding: gzip\r\n' : '');
  socket.write(body);
  const signal = await begun.promise;
  socket.destroy();
  await once(signal!, 'abort');
  server.act = answerAtOnce;
  expect(await post(ann, 2)).toEqual(tooManyOfYours);
  end.resolve({});
  await expect.poll(() => post(ann, 2), patient).toEqual([200, '']);
});

it('a body is not read to its end for whoever has left', async () => {
  const body = gzipSync(JSON.stringify({ texts: Array.from({ length: 900_000 }, (_, at) => [at]) }));
  const socket = await begin(ann, body.length, 'Content-Encoding: gzip\r\n');
  const [far] = taken;
  // The last byte begins the work: what follows it is told in the midst of it.
  socket.write(body.subarray(0, -1));
  await expect.poll(() => far?.bytesRead, patient).toBeGreaterThan(body.length);
  socket.end(body.subarray(-1));
  socket.destroy();
  await once(far!, 'close');
  await expect.poll(() => post(ann, 31, true), patient).toEqual([200, '']);
  expect(server.seen).toHaveLength(1);
});

it('the time of a request begins when its body has come in', async () => {
  const before = performance.now();
  await post(ann, 1);
  const since = server.seen[0]?.context.since ?? 0;
  expect(since).toBeGreaterThan(before);
  expect(since).toBeLessThan(performance.now());
});

it('what comes in behind a refusal is nobody’s share', async () => {
  for (let at = 0; at < 4; at++) {
    const socket = await begin(ann, 33 * mebibyte);
    const [refusal] = (await once(socket, 'data')) as [Buffer];
    expect(refusal.toString()).toContain('The body is larger than 32 MiB');
    socket.resume().write(Buffer.alloc(33 * mebibyte, ' '));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${ann}\r\nConnection: close\r\n\r\n`);
    await once(socket, 'close');
  }
  expect(await post(ann, 31)).toEqual([200, '']);
  expect(await post(other, 31)).toEqual([200, '']);
});
