/** Agents of tests: the official client, in both eras of the protocol, and raw messages for what it would never send. */
import { Client, StreamableHTTPClientTransport, type VersionNegotiationOptions } from '@modelcontextprotocol/client';

/** The current revision of the protocol, and the earlier ones that begin with `initialize`. */
export const eras = { current: { mode: { pin: '2026-07-28' } }, earlier: { mode: 'legacy' } } as const satisfies Record<
  string,
  VersionNegotiationOptions
>;

export type Era = keyof typeof eras;

export interface Agent {
  readonly client: Client;
  /** Headers of the last answer. */
  headers(): Headers;
  close(): Promise<void>;
}

type Answer = 'accept' | 'decline';

/** An agent of that name, connected to the service at `url`; with a `person`, whom its program can ask. */
export async function connectAgent(
  url: string,
  token: string,
  era: Era,
  name = 'test-agent',
  person?: (asked: string) => Answer | Promise<Answer>,
): Promise<Agent> {
  let last = new Headers();
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    async fetch(address, init) {
      const response = await fetch(address, init);
      if (init?.method === 'POST') last = response.headers;
      return response;
    },
  });
  const capabilities = person ? { elicitation: {} } : {};
  const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: eras[era], capabilities });
  if (person)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const action = await person(params.message);
      return action === 'accept' ? { action, content: {} } : { action };
    });
  await client.connect(transport);
  return { client, headers: () => last, close: () => client.close() };
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The message, or messages, also where they came as an event. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it, the test says
  readonly messages: any[];
}

const both = 'application/json, text/event-stream';

/** Sends `body` as it is, or as JSON; headers go over those of a good request. */
export async function sendRaw(
  url: string,
  token: string | undefined,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): Promise<RawAnswer> {
  const response = await fetch(new URL('/mcp', url), {
    method,
    headers: {
      accept: both,
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const events = [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data));
  return {
    status: response.status,
    headers: response.headers,
    text,
    messages: events.length > 0 ? events : parsed(text),
  };
}

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

/** A message of an earlier revision. */
export const message = (method: string, params: object = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
