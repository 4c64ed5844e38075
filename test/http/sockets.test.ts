import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fixture, goodToken } from './fixture.ts';
import type { Fixture } from './fixture.ts';

/** `localhost` has two addresses on most machines; these are there on every Linux. */
const local = ['127.0.0.1', '127.0.0.2'];
vi.mock(import('node:dns/promises'), async (actual) => ({
  ...(await actual()),
  lookup: (() => Promise.resolve(local.map((address) => ({ address, family: 4 })))) as never,
}));

const path = '/api/v1/records/contacts';
let server: Fixture;

async function started(): Promise<URL> {
  server = fixture();
  return new URL(await server.listen('127.0.0.1', 0));
}

afterEach(() => server.close());

async function socketTo(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Everything that comes until the server ends the connection. */
async function rest(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

describe('a connection', () => {
  it('that brings no HTTP gets the flat body', async () => {
    const socket = await socketTo(await started());
    socket.write('HELO kith\r\n\r\n');
    const text = await rest(socket);
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(text.split('\r\n\r\n')[1]!)).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'This is not an HTTP request',
    });
  });

  it('may bring long addresses, within a limit', async () => {
    const url = await started();
    const ask = (length: number) =>
      fetch(new URL(`${path}?search=${'x'.repeat(length)}`, url), { headers: { authorization: goodToken } });
    const short = await ask(60_000);
    expect([short.status, server.seen.length]).toEqual([200, 1]);
    const long = await ask(70_000);
    expect([long.status, await long.json()]).toEqual([
      431,
      { code: 'VALIDATION_ERROR', message: 'The address and headers are larger than 64 KiB' },
    ]);
  });

  it('whose body is too large still gets its answer', async () => {
    const url = await started();
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      headers: { authorization: goodToken, 'content-type': 'application/json' },
      body: Buffer.alloc(40 * 1024 * 1024, 0x20),
    });
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
  });
});

describe('closing', () => {
  it('finishes what is in flight, and cuts after two seconds what has not begun', async () => {
    const url = await started();
    const entered = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    server.act = async () => {
      entered.resolve();
      await release.promise;
      return { done: true };
    };
    const answer = fetch(new URL(path, url), { headers: { authorization: goodToken } });
    await entered.promise;
    const silent = await socketTo(url);
    const half = await socketTo(url);
    half.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n`);
    const idle = await socketTo(url);
    idle.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(idle, 'data');

    const since = performance.now();
    const closed = server.close();
    await Promise.all([silent, half, idle].map((socket) => socket.closed || once(socket, 'close')));
    expect(performance.now() - since).toBeGreaterThan(1_900);
    await expect(fetch(url)).rejects.toThrow();
    release.resolve();
    const response = await answer;
    expect([await response.json(), response.headers.get('connection')]).toEqual([{ done: true }, 'close']);
    await closed;
  });

  it.each(['127.0.0.1', 'localhost'])('answers on connections that are open, at %s', async (host) => {
    server = fixture();
    const { port } = new URL(await server.listen(host, 0));
    const addresses = host === 'localhost' ? local : [host];
    const reached = await Promise.all(addresses.map((address) => socketTo(new URL(`http://${address}:${port}`))));
    for (const socket of reached) {
      socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 200 .*keep-alive/s);
    }
    const closed = server.close();
    // Nobody listens any more; nothing else tells from outside that the end has begun.
    for (const address of addresses)
      await expect.poll(() => knock(new URL(`http://${address}:${port}`)), { timeout: 5_000 }).toMatch('ECONNREFUSED');
    const since = performance.now();
    for (const socket of reached) {
      const text = rest(socket);
      socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(await text).toMatch(/^HTTP\/1.1 200 .*connection: close/is);
    }
    await closed; // at once, since nobody is left
    expect(performance.now() - since).toBeLessThan(1_500);
  });
});

describe('connections that wait to be accepted when the server closes', () => {
  it.each([1, 3, 100])('are answered, %i of them', async (count) => {
    const { hostname, port } = await started();
    const waiting = Array.from({ length: count }, () => connect(Number(port), hostname));
    const answers = waiting.map((socket) => rest(socket));
    for (const socket of waiting) socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise<void>((resolve) => process.nextTick(resolve)); // in the same turn of the loop: nothing is accepted yet
    const closed = server.close();
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 200 /);
    await closed;
  });
});

/** What becomes of a new connection. */
async function knock(url: URL): Promise<string> {
  return socketTo(url).then((socket) => String(socket.destroy().destroyed), String);
}
