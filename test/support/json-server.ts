/** A server of the web for tests that answers each request with JSON. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Aborted when the client has left. */
  readonly left: AbortSignal;
}

export interface Answered {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

export interface JsonServer {
  /** Without a slash at its end. */
  readonly url: string;
  stop(): Promise<void>;
}

/** `answer` says what each request gets; undefined breaks the connection off. */
export async function startJsonServer(answer: (asked: Asked) => Promise<Answered | undefined>): Promise<JsonServer> {
  const server = createServer((request, response) => {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const respond = async () => {
      const asked = {
        method: request.method ?? '',
        url: new URL(request.url ?? '', 'http://localhost'),
        headers: request.headers,
        body: await buffer(request),
        left: left.signal,
      };
      const answered = await answer(asked);
      if (!answered) return void request.socket.destroy();
      const { status = 200, headers = {}, body } = answered;
      return void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    };
    respond().catch(() => request.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
