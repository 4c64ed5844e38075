/** Requests to providers that answer with JSON. */
import { errors } from '../../errors.ts';
import { parseJson, type Json, type JsonObject } from '../../lib/json.ts';
import { ChannelFailure, failureOf, firstLine } from '../channel-failure.ts';
import type { OutgoingAccess } from '../provider.ts';
import { objectIn } from './json-values.ts';

/** A request to a provider. */
export interface ProviderRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Whether it sends a message: errors then distinguish whether it may have been sent. */
  readonly isSend?: boolean;
}

/** A provider's response. */
export interface ProviderResponse {
  readonly status: number;
  /** Empty if the body is not a JSON object. */
  readonly body: JsonObject;
  /** From the `Retry-After` header. */
  readonly retryAfterMs: number | undefined;
}

const longestMs = 30_000;
/** Bounds the body, since it is parsed without yielding; a page of a hundred messages has some hundred kilobytes. */
const mostBytes = 2 * 1024 * 1024;

/**
 * Sends a request; returns the response, whatever its status. Throws ChannelFailure without a response, but another Error if
 * `isSend` is set and the message may have been sent.
 */
export async function askProvider(call: OutgoingAccess, ask: ProviderRequest): Promise<ProviderResponse> {
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

/** The longest wait in seconds, even if a provider asks for more. */
const longestRetryAfter = 86_400;

function jsonOf(bytes: Buffer): Json {
  try {
    return parseJson(bytes.toString());
  } catch {
    return null;
  }
}

/** A provider's refusal as a ChannelFailure; without `words` it names the status. */
export function refusal(
  what: string,
  words: string | undefined,
  { status, retryAfterMs }: Pick<ProviderResponse, 'status' | 'retryAfterMs'>,
  isOfCredentials: boolean,
): ChannelFailure {
  const reason = firstLine(words ?? '') || `status ${status}`;
  return new ChannelFailure(`${what}: ${reason}`, isOfCredentials, undefined, retryAfterMs);
}

/** A validated base URL without a trailing slash. Throws VALIDATION_ERROR. */
export function baseUrl(given: string | undefined, fallback = ''): string {
  const text = given ?? fallback;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw errors.validation('base_url must be an address such as https://api.example, without a query');
  return text.replace(/\/+$/, '');
}
