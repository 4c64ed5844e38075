/** Clients that send a byte a second: they are cut at the limits, and nobody else notices them. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { fixture, goodToken, type Fixture } from './fixture.ts';

const path = '/api/v1/records/contacts';
let server: Fixture | undefined;
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server?.close();
});

interface Cut {
  readonly seconds: number;
  readonly status: string;
}

/** Sends `begin` at once and then a byte a second of `rest`, until the server has enough. */
async function drip(url: URL, begin: string, rest: string): Promise<Cut> {
  const socket = connect(Number(url.port), url.hostname);
  sockets.add(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const start = performance.now();
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.write(begin);
  let at = 0;
  const timer = setInterval(() => socket.writable && socket.write(rest.charAt(at++ % rest.length)), 1_000);
  await once(socket, 'close');
  clearInterval(timer);
  return { seconds: (performance.now() - start) / 1_000, status: text.split('\r\n')[0] ?? '' };
}

it(
  'are cut at ten seconds for a head and thirty for a body, while others are answered',
  { timeout: 90_000 },
  async () => {
    server = fixture();
    const url = new URL(await server.listen('127.0.0.1', 0));
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n`;
    const heads = Array.from({ length: 200 }, () => drip(url, `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Slow: `, 'a'));
    const bodies = Array.from({ length: 50 }, () =>
      drip(url, `${head}Authorization: ${goodToken}\r\n\r\n{"values":{"a":"`, 'b'),
    );
    const dripping = Promise.all([Promise.all(heads), Promise.all(bodies)]);

    let done = false;
    let answered = 0;
    void dripping.then(() => (done = true));
    while (!done) {
      const response = await fetch(new URL(path, url), { headers: { authorization: goodToken } });
      expect([response.status, typeof (await response.json())]).toEqual([200, 'object']);
      answered++;
      await Promise.race([dripping, once(AbortSignal.timeout(200), 'abort')]);
    }

    const [slowHeads, slowBodies] = await dripping;
    const timedOut = 'HTTP/1.1 408 Request Timeout';
    expect(new Set(slowHeads.map(({ status }) => status))).toEqual(new Set([timedOut]));
    expect(new Set(slowBodies.map(({ status }) => status))).toEqual(new Set([timedOut]));
    // Never before the limit; how long after it is the machine's affair.
    expect(Math.min(...slowHeads.map(({ seconds }) => seconds))).toBeGreaterThan(9.9);
    expect(Math.min(...slowBodies.map(({ seconds }) => seconds))).toBeGreaterThan(29.9);
    expect(Math.max(...slowHeads.map(({ seconds }) => seconds))).toBeLessThan(29.9);
    expect(answered).toBeGreaterThan(20);
  },
);
