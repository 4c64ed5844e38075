/** Clients of which one attacks and the other only reads, with as little work of their own as can be. */
import { Agent, request as open } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below /api/v1. */
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  /** The beginning of it. */
  readonly text: string;
  readonly ms: number;
}

const zip = promisify(gzip);

/** A request whose body is zipped. */
export interface Zipped extends Omit<Request, 'body'> {
  readonly bytes: Buffer | undefined;
}

export async function zipped({ body, ...request }: Request): Promise<Zipped> {
  return { ...request, bytes: body === undefined ? undefined : await zip(body, { level: 1 }) };
}

/** Sends a request and reads the answer away. Rejects when the connection breaks. */
export function send(
  url: string,
  token: string,
  { method, path, bytes, headers }: Zipped,
  agent?: Agent,
): Promise<Answer> {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const options = {
      method,
      ...(agent && { agent }),
      headers: {
        authorization: `Bearer ${token}`,
        ...(bytes && { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
        ...headers,
      },
    };
    const sent = open(`${url}/api/v1${path}`, options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        if (text.length < 300) text += chunk.toString('utf8', 0, 300);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, ms: performance.now() - begin }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

const small: Zipped = { method: 'GET', path: '/records/contacts?limit=1', bytes: undefined };

/** Small reads, one after the other on one connection, until they are stopped. */
export function readAllTheWhile(url: string, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let running = true;
  let longestMs = 0;
  let count = 0;
  const done = (async () => {
    while (running) {
      const { ms, status } = await send(url, token, small, agent);
      if (status !== 200) throw new Error(`A read was answered ${status}`);
      longestMs = Math.max(longestMs, ms);
      count++;
      await wait(5);
    }
  })();
  done.catch(() => {});
  return {
    async stop() {
      running = false;
      await done;
      agent.destroy();
      return { longestMs, count };
    },
  };
}
