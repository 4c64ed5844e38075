/** Carriers for the stdio transport: a remote service, or this process in a user's name. */
import { errors, KithError, quoted } from '../errors.ts';
import { isObject, parseJson, unstorable, type Json } from '../lib/json.ts';
import { newId } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import { agentsPath } from '../lib/url-paths.ts';
import { messageOf } from '../lib/thrown.ts';
import type { Perform } from '../operations/door/perform.ts';
import type { Session } from '../operations/door/sessions.ts';
import { createEndpoint } from './endpoint.ts';
import { kithOffer } from './kith.ts';
import type { Carry } from './relay.ts';

const both = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** Carries messages to the service at `base`, with a token of it. */
export function carryTo(base: string, token: string): Carry {
  return async (body, given, left) => {
    const response = await fetch(base + agentsPath, {
      method: 'POST',
      redirect: 'manual',
      signal: left,
      headers: { ...both, ...given, authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    }).catch((error: unknown) => {
      const reason = messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
      throw new KithError('UNAVAILABLE', `KITH_URL, ${quoted(base)}, does not answer: ${reason}`, { cause: error });
    });
    const { status } = response;
    const headers = Object.fromEntries(response.headers);
    if (headers['content-type']?.startsWith('text/event-stream') && status === 200)
      return { status, headers, body: response.body?.pipeThrough(new TextDecoderStream()) };
    const text = await response.text();
    if (status === 202 && text === '') return { status, headers, body: undefined };
    if (!isMessage(bodyIn(text))) throw refusalOf(status, text, headers['location']);
    return { status, headers, body: alone(text) };
  };
}

/** Whether the body is a protocol message or a batch. */
function isMessage(body: Json): boolean {
  const [first] = Array.isArray(body) ? body : [body];
  return isObject(first) && 'jsonrpc' in first;
}

async function* alone(text: string): AsyncGenerator<string, void, undefined> {
  yield text;
}

/** The error for a refusal that is no protocol message. */
function refusalOf(status: number, text: string, location?: string): KithError {
  const body = bodyIn(text);
  const moved =
    location === undefined ? '' : ` and leads to ${quoted(location)}: KITH_URL should be where the service is`;
  const message = isObject(body) ? (body['message'] ?? body['error']) : undefined;
  const words = typeof message === 'string' ? message : `The service answers with the status ${status}${moved}`;
  if (status === 401) return errors.unauthorized(`KITH_TOKEN: ${words}`);
  return new KithError(status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE', words);
}

function bodyIn(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Carries messages within this process, in the name of `open`'s session and without rate limits. */
export function carryHere(open: () => Promise<Session>, perform: Perform, log: Log): Carry {
  const answer = createEndpoint(kithOffer, { perform, limiter: undefined, log });
  return async (body, headers, left) => {
    const problem = unstorable(body);
    return answer({
      headers: { ...both, ...headers },
      body,
      ...(problem !== undefined && { problem: errors.validation(`A value in the line ${problem}`) }),
      session: await open(),
      context: {
        requestId: newId(),
        signal: left,
        limitDecisions: [],
        report: ({ code, message, cause }) => {
          if (cause !== undefined) log.error({ error: cause }, `${code}: ${message}`);
        },
      },
    });
  };
}
