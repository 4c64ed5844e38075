/**
 * MCP over HTTP, for the current and earlier revisions, stateless: each exchange has its own server with the caller's
 * rights. The surface sends the answer, and so keeps control of it.
 */
import type { ReadableStreamDefaultReader } from 'node:stream/web';
import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server';
import { errors, KithError } from '../errors.ts';
import { isObject, unstorable } from '../lib/json.ts';
import type { Log } from '../lib/log.ts';
import { sessionHeader, sessionOf } from './agent-name.ts';
import type { AgentAnswer, AgentRequest, AnswerAgent } from './exchange.ts';
import { passable, storableMessages } from './passing.ts';
import { createServer, type Offer } from './server.ts';
import { Visit, type VisitParts } from './visit.ts';

interface Parts extends VisitParts {
  readonly log: Log;
}

/** The most messages in a batch, since their answers are held in memory together, each up to the size of a page. */
const mostMessages = 20;

/** Makes the endpoint for what is offered. */
export function createEndpoint(offer: Offer<Visit>, { log, ...parts }: Parts): AnswerAgent {
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const visit = visitIn(authInfo);
      return createServer(offer, visit, (error) => visit.report(error));
    },
    { onerror: (error) => log.debug({ reason: error.message }, 'A message of an agent was not taken') },
  );
  return async ({ problem, ...given }) => {
    const request = problem ? { ...given, body: storableMessages(given.body) } : given;
    if (problem && request.body === undefined) return unreadable(given.body, problem);
    const visit = new Visit(parts, request);
    // Without change notifications a listening stream would stay open for nothing.
    if (isListening(request.body) && !offersChanges(offer)) return noMethod(request.body);
    if (Array.isArray(request.body) && request.body.length > mostMessages) return longBatch();
    if (!performs(request.body)) await visit.attend();
    const departure = departureOf(request.context.signal);
    try {
      const response = await handler.fetch(requestOf(request, departure.signal), {
        authInfo: { token: '', clientId: '', scopes: [], extra: { visit } },
        ...(request.body !== undefined && { parsedBody: passable(request.body) }),
      });
      const body = await begun(response, visit, departure.end);
      // An exchange refused before any operation has not checked the caller.
      if (!visit.hasPerformed) await visit.attend();
      // Nothing is sent yet: an exchange of an invalid caller is refused as a whole.
      if (visit.refusal) throw visit.refusal;
      return { status: response.status, headers: headersOf(response, request.body), body };
    } catch (error) {
      departure.end();
      throw error instanceof KithError ? error : errors.internal(error);
    }
  };
}

function visitIn(authInfo: AuthInfo | undefined): Visit {
  const { visit } = authInfo?.extra ?? {};
  if (visit instanceof Visit) return visit;
  throw new Error('An exchange without a caller');
}

function requestOf({ headers }: AgentRequest, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(':') ? [] : [[name, String(value)]],
  );
  return new Request('http://kith/mcp', { method: 'POST', headers: given, signal });
}

/** A signal of the exchange: listeners on the connection's own would pile up, as it serves many exchanges. */
function departureOf(left: AbortSignal | undefined): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const leave = () => controller.abort(errors.callerLeft());
  if (left?.aborted) leave();
  else left?.addEventListener('abort', leave, { once: true });
  return { signal: controller.signal, end: () => left?.removeEventListener('abort', leave) };
}

/** The body, once its first piece is there: by then the budgets of the calls are counted, or a long time has passed. */
async function begun(response: Response, visit: Visit, end: () => void): Promise<AgentAnswer['body']> {
  if (response.body === null) {
    end();
    return undefined;
  }
  const reader = response.body.getReader();
  const first = await reader.read();
  return pieces(first, reader, visit, end);
}

async function* pieces(
  first: Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { splices }: Visit,
  end: () => void,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  try {
    for (let next = first; !next.done; next = await reader.read()) {
      yield* splices.within(decoder.decode(next.value, { stream: true }));
    }
  } finally {
    end();
    await reader.cancel().catch(() => {});
  }
}

function headersOf({ headers }: Response, body: unknown): AgentAnswer['headers'] {
  const session = sessionOf(body);
  return {
    // The server decides about the connection.
    ...Object.fromEntries([...headers].filter(([name]) => name !== 'connection')),
    ...(session !== undefined && { [sessionHeader]: session }),
  };
}

/** Methods whose operations check the caller. */
const performing: ReadonlySet<unknown> = new Set(['tools/call', 'resources/read']);

function performs(body: unknown): boolean {
  return isObject(body) && performing.has(body.method);
}

const listening = 'subscriptions/listen';

function isListening(body: unknown): boolean {
  return isObject(body) && body.method === listening;
}

function offersChanges({ capabilities: { tools, resources, prompts } }: Offer<Visit>): boolean {
  return Boolean(tools?.listChanged ?? resources?.listChanged ?? resources?.subscribe ?? prompts?.listChanged);
}

function noMethod(body: unknown): AgentAnswer {
  const id = isObject(body) ? body['id'] : undefined;
  return refusal(404, -32_601, `Method not found: ${listening}. Nothing of what is listed here changes`, id);
}

function unreadable(body: unknown, { message }: KithError): AgentAnswer {
  const { id = null } = isObject(body) ? body : {};
  return refusal(400, -32_700, message, unstorable(id) === undefined ? id : null);
}

function longBatch(): AgentAnswer {
  return refusal(400, -32_600, `A batch takes at most ${mostMessages} messages`);
}

function refusal(status: number, code: number, message: string, id: unknown = null): AgentAnswer {
  const text = JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
  return { status, headers: { 'content-type': 'application/json' }, body: textOf(text) };
}

async function* textOf(text: string): AsyncGenerator<string, void, undefined> {
  yield text;
}
