/** Large bodies that come in together: more than a process can hold are refused, and small ones never. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixture, goodToken, type Fixture } from './fixture.ts';

const mebibyte = 1024 * 1024;
const patient = { timeout: 10_000 };
const path = '/api/v1/records/contacts';
let server: Fixture;
let url: URL;
const sockets: Socket[] = [];
/** The server's ends. */
const taken: Socket[] = [];

beforeAll(async () => {
  server = fixture();
  server.app.server.on('connection', (socket) => taken.push(socket));
  url = new URL(await server.listen('127.0.0.1', 0));
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

/** A body of 32 MiB that lacks its last byte. */
async function hold(): Promise<void> {
  const socket = connect(Number(url.port), url.hostname);
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${goodToken}\r\nContent-Type: application/json\r\n`;
  socket.write(`${head}Content-Length: ${32 * mebibyte}\r\n\r\n`);
  socket.write(Buffer.alloc(32 * mebibyte - 1, ' '));
}

async function post(size: number, isZipped = false): Promise<[number, string]> {
  const body = Buffer.from(JSON.stringify({ first_name: 'x'.repeat(size) }));
  const headers = { authorization: goodToken, 'content-type': 'application/json' };
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { ...headers, ...(isZipped && { 'content-encoding': 'gzip' }) },
    body: isZipped ? gzipSync(body) : body,
  });
  const { message = '' } = (await response.json()) as { message?: string };
  return [response.status, message];
}

it('four of the largest leave room for small ones alone, until they are gone', async () => {
  const refused = [503, 'Too many large bodies come in at once; try again shortly'];
  await Promise.all(Array.from({ length: 4 }, hold));
  const whole = () => taken.filter(({ bytesRead }) => bytesRead >= 32 * mebibyte);
  await expect.poll(whole, patient).toHaveLength(4);
  expect(await post(2 * mebibyte)).toEqual(refused);
  expect(await post(2 * mebibyte, true)).toEqual(refused);
  expect(await post(1_000)).toEqual([200, '']);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => post(2 * mebibyte), patient).toEqual([200, '']);
  expect(await post(2 * mebibyte, true)).toEqual([200, '']);
});
