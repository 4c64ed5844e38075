/** A model for tests: a server that speaks chat completions, and says what a test has it say. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a model was sent. */
export interface Asked {
  readonly headers: IncomingMessage['headers'];
  readonly path: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it, the test says
  readonly body: any;
}

/** One answer: what is sent for a request. */
export type Turn = (response: ServerResponse, asked: Asked) => void | Promise<void>;

export interface ModelServer {
  readonly port: number;
  readonly url: string;
  /** Since `plays` was called last. */
  readonly asked: readonly Asked[];
  /** From now on it answers so, one after the other; the last answers all further ones. */
  plays(...turns: Turn[]): void;
  close(): Promise<void>;
}

export async function openModel(): Promise<ModelServer> {
  let turns: Turn[] = [];
  let asked: Asked[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = { headers: request.headers, path: request.url, body: JSON.parse(await text(request)) };
    asked.push(seen);
    const turn = turns.length > 1 ? turns.shift() : turns[0];
    await turn?.(response, seen);
  }
  const server = createServer((request, response) => {
    void answer(
      request,
      response.on('error', () => {}),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/v1`,
    get asked() {
      return asked;
    },
    plays(...given) {
      turns = given;
      asked = [];
    },
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

function begin(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** These words, a piece each. */
export const says =
  (...words: string[]): Turn =>
  (response) => {
    begin(response).write(chunk({ role: 'assistant', content: '' }));
    for (const word of words) response.write(chunk({ content: word }));
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
  };

export interface Called {
  readonly name: string;
  readonly args: object | string;
  readonly id?: string;
}

/** These calls of tools at once, the pieces of their arguments one by one in turns. */
export const calls =
  (...made: readonly Called[]): Turn =>
  (response) => {
    begin(response);
    const texts = made.map(({ args }) => (typeof args === 'string' ? args : JSON.stringify(args)));
    for (const [index, { name, id = `call-${index}` }] of made.entries())
      response.write(chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }));
    for (let at = 0; texts.some((one) => at < one.length); at += 7)
      for (const [index, one] of texts.entries())
        if (at < one.length)
          response.write(chunk({ tool_calls: [{ index, function: { arguments: one.slice(at, at + 7) } }] }));
    response.end(`${chunk({}, 'tool_calls')}data: [DONE]\n\n`);
  };

/** Text as it is, as the body of a stream; the connection breaks off behind it. */
export const raw =
  (body: string): Turn =>
  (response) => {
    begin(response).end(body);
  };
