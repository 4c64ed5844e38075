/** Requests to providers that answer with JSON. */
import { errors } from '../../errors.ts';
import { parseJson, type Json, type JsonObject } from '../../lib/json.ts';
import { ChannelFailure, failureOf, firstLine } from '../channel-failure.ts';
import type { Ways } from '../provider.ts';
import { objectIn } from './told.ts';

export interface Ask {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Whether it is a message on its way out: what is thrown says whether that may have gone. */
  readonly isSend?: boolean;
}

export interface Said {
  readonly status: number;
  /** Without anything where the answer is no JSON object. */
  readonly body: JsonObject;
  /** As `Retry-After` has it. */
  readonly retryAfterMs: number | undefined;
}

const longestMs = 30_000;
/** A hundred messages are some hundred kilobytes; it is parsed at one go. */
const mostBytes = 2 * 1024 * 1024;

/**
 * Asks, and gives whatever is answered. Throws ChannelFailure where nothing is; for a message that may have gone out, an Error of
 * another kind.
 */
export async function askProvider(call: Ways, ask: Ask): Promise<Said> {
  const { isSend = false, ...request } = ask;
  let isBegun = false;
  const limits = { signal: call.signal, timeoutMs: longestMs, maxBytes: mostBytes };
  const sent = { ...request, isPlainForNamedOnly: true, begun: () => void (isBegun = true) };
  const answer = await call.outgoing.request(sent, limits).catch((error: unknown) => {
    if (isSend && isBegun) throw new Error('The provider did not answer', { cause: error });
    call.signal.throwIfAborted();
    throw failureOf(error, (text) => text);
  });
  const seconds = Number(answer.headers['retry-after'] ?? Number.NaN);
  return {
    status: answer.status,
    body: objectIn(jsonOf(answer.body)),
    retryAfterMs: seconds > 0 ? Math.min(seconds, longestRetryAfter) * 1_000 : undefined,
  };
}

/** Seconds: a provider that asks for more is asked again all the same. */
const longestRetryAfter = 86_400;

function jsonOf(bytes: Buffer): Json {
  try {
    return parseJson(bytes.toString());
  } catch {
    return null;
  }
}

/** What a provider said no with, for the account's owner. */
export function refusal(
  what: string,
  words: string | undefined,
  { status, retryAfterMs }: Pick<Said, 'status' | 'retryAfterMs'>,
  isOfCredentials: boolean,
): ChannelFailure {
  const reason = firstLine(words ?? '') || `status ${status}`;
  return new ChannelFailure(`${what}: ${reason}`, isOfCredentials, undefined, retryAfterMs);
}

/** An address that others are below, without a slash at its end. Throws VALIDATION_ERROR for what is none. */
export function baseUrl(given: string | undefined, usual?: string): string {
  const text = given ?? usual ?? '';
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw errors.validation('base_url must be an address such as https://api.example, without a query');
  return text.replace(/\/+$/, '');
}
