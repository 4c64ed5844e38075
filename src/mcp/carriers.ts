/** Where messages of standard input are answered: by a service elsewhere, or here, in a user's hands. */
import { errors, KithError, quoted } from '../errors.ts';
import { isObject, parseJson, type Json } from '../lib/json.ts';
import { newId } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import { agentsPath } from '../lib/rest-prefix.ts';
import { messageOf } from '../lib/thrown.ts';
import type { Perform } from '../operations/door/perform.ts';
import type { Session } from '../operations/door/sessions.ts';
import { createEndpoint } from './endpoint.ts';
import { kithOffer } from './kith.ts';
import type { Carry } from './relay.ts';

const both = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** The service at `base`, with a token of it. */
export function carryTo(base: string, token: string): Carry {
  return async (body, headers, left) => {
    const response = await fetch(base + agentsPath, {
      method: 'POST',
      redirect: 'manual',
      signal: left,
      headers: { ...both, ...headers, authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    }).catch((error: unknown) => {
      const reason = messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
      throw new KithError('UNAVAILABLE', `KITH_URL, ${quoted(base)}, does not answer: ${reason}`, { cause: error });
    });
    if ([401, 429].includes(response.status) || response.status >= 500)
      throw refusalOf(response.status, await response.text());
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: response.body?.pipeThrough(new TextDecoderStream()),
    };
  };
}

/** What was refused at the service's door is no message. */
function refusalOf(status: number, text: string): KithError {
  const body = bodyIn(text);
  const message = isObject(body) ? (body['message'] ?? body['error']) : undefined;
  const told = typeof message === 'string' ? message : `The service answers with the status ${status}`;
  if (status === 401) return errors.unauthorized(`KITH_TOKEN: ${told}`);
  return new KithError(status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE', told);
}

function bodyIn(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Here, in the hands of whom `open` gives: nobody's budget is used up. */
export function carryHere(open: () => Promise<Session>, perform: Perform, log: Log): Carry {
  const answer = createEndpoint(kithOffer, { perform, limiter: undefined, log });
  return async (body, headers, left) =>
    answer({
      headers: { ...both, ...headers },
      body,
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
}
