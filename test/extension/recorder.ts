/** A browser's extension, as tests use it: a client of the WebSocket that takes what is said. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Client, Reply } from '../support/kith.ts';

export interface Access {
  readonly sessionId: string;
  readonly wsUrl: string;
  readonly wsToken: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it, the test says
type Message = any;

/** A request below /api/extension/sessions. */
export function sessions(client: Client, path: string, body?: object): Promise<Reply> {
  return client.send(`/api/extension/sessions${path}`, {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
}

/** An open connection. */
export interface Recorder {
  /** The number that the service says is the last which it has. */
  readonly ready: number;
  send(message: object | string | Buffer): void;
  /** The next message; undefined at the end. */
  next(): Promise<Message>;
  /** Code and reason of the end. */
  readonly closed: Promise<readonly [number, string]>;
  close(): Promise<void>;
  /** Without a word. */
  cut(): void;
}

/** Why the upgrade was refused. */
export class Refused extends Error {
  readonly status: number;
  readonly body: Message;
  constructor(status: number, body: string) {
    super(`${status} ${body}`);
    this.status = status;
    this.body = JSON.parse(body);
  }
}

interface Manner {
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: string[];
}

/** Connects. Throws Refused. */
export async function record({ wsUrl, wsToken }: Access, manner: Manner = {}): Promise<Recorder> {
  const { headers = {}, protocols = ['kith.transcript.v1', wsToken] } = manner;
  const socket = new WebSocket(wsUrl, protocols, { headers });
  const came: Message[] = [];
  let wake = () => {};
  const refused = Promise.withResolvers<never>();
  refused.promise.catch(() => {});
  const closed = Promise.withResolvers<readonly [number, string]>();
  socket.on('message', (data) => {
    came.push(JSON.parse(String(data)));
    wake();
  });
  socket.on('close', (code, reason) => {
    closed.resolve([code, String(reason)]);
    wake();
  });
  socket.on('error', () => {});
  socket.on('unexpected-response', (_request, response) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part));
    response.on('end', () => refused.reject(new Refused(response.statusCode ?? 0, Buffer.concat(parts).toString())));
  });
  await Promise.race([once(socket, 'open'), refused.promise]);
  async function next(): Promise<Message> {
    while (came.length === 0) {
      if (socket.readyState === WebSocket.CLOSED) return undefined;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    return came.shift();
  }
  const { seq } = await next();
  return {
    ready: seq,
    next,
    send: (message) =>
      socket.send(typeof message === 'string' || message instanceof Buffer ? message : JSON.stringify(message)),
    closed: closed.promise,
    async close() {
      socket.close();
      await closed.promise;
    },
    cut: () => socket.terminate(),
  };
}

/** Segments with these numbers. */
export const segments = (from: number, to: number) => ({
  type: 'segments',
  segments: Array.from({ length: to - from + 1 }, (_, at) => segment(from + at)),
});

export const segment = (seq: number) => ({
  ...{ seq, speaker: seq % 2 === 0 ? 'Bob' : 'Ada', text: `Word ${seq}`, start: seq, end: seq + 0.5 },
});
