/**
 * MCP over stdio, one message per line: each is passed to a carrier, and its answer is written as lines. Only the session
 * id and the pending messages are kept.
 */
import { errors, KithError } from '../errors.ts';
import { isObject, parseJson, storableJson, type Json, type JsonObject } from '../lib/json.ts';
import { largestBody } from '../operations/inputs.ts';
import { sessionHeader } from './agent-name.ts';
import type { AgentAnswer } from './exchange.ts';

/** Answers one message or a batch. Throws KithError. */
export type Carry = (body: Json, headers: Readonly<Record<string, string>>, left: AbortSignal) => Promise<AgentAnswer>;

/** The most pending messages; reading pauses until one is answered. */
const mostAtOnce = 100;

/** Carries messages until `input` ends and all are answered, or `interruption` is aborted. */
export async function relay(
  input: AsyncIterable<Uint8Array>,
  write: (line: string) => Promise<void>,
  carry: Carry,
  interruption: AbortSignal,
): Promise<void> {
  const waiting = new Map<unknown, AbortController>();
  const answering = new Set<Promise<void>>();
  let session: string | undefined;

  async function answer(body: Json, over: AbortController): Promise<void> {
    const id = isObject(body) ? body['id'] : undefined;
    try {
      const { headers, body: pieces } = await carry(body, headersOf(body, session), over.signal);
      session ??= headers[sessionHeader];
      for await (const message of messagesIn(pieces)) if (!over.signal.aborted) await write(message);
    } catch (error) {
      if (!over.signal.aborted && id !== undefined) await write(failure(id, error));
    } finally {
      if (waiting.get(id) === over) waiting.delete(id);
    }
  }

  function begin(body: Json): void {
    const cancelled = cancelledBy(body);
    if (cancelled !== undefined) return waiting.get(cancelled)?.abort();
    const over = new AbortController();
    if (isObject(body) && body['id'] !== undefined) waiting.set(body['id'], over);
    const answered = answer(body, over).finally(() => answering.delete(answered));
    answering.add(answered);
  }

  const leave = () => waiting.forEach((over) => over.abort());
  interruption.addEventListener('abort', leave, { once: true });
  for await (const line of linesOf(input)) {
    if (interruption.aborted) break;
    const read = messageIn(line);
    if ('value' in read) begin(read.value);
    else await write(failure(null, errors.validation(`This line ${read.problem}`), -32_700));
    if (answering.size >= mostAtOnce) await Promise.race(answering);
  }
  await Promise.all(answering);
}

/** Parses a line; storability is checked by the carrier. */
function messageIn(line: string): ReturnType<typeof storableJson> {
  try {
    return { value: parseJson(line) };
  } catch {
    return storableJson(line);
  }
}

/** The HTTP headers that repeat a message's method and name in the current revision, or its session id in earlier ones. */
function headersOf(body: Json, session: string | undefined): Record<string, string> {
  const params = isObject(body) && isObject(body['params']) ? body['params'] : {};
  const { _meta } = params;
  const revision = isObject(_meta) ? _meta['io.modelcontextprotocol/protocolVersion'] : undefined;
  if (!isObject(body) || typeof revision !== 'string') return session === undefined ? {} : { [sessionHeader]: session };
  const name = params['name'] ?? params['uri'];
  return {
    'mcp-protocol-version': headerText(revision),
    'mcp-method': headerText(String(body['method'])),
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  };
}

/** A header value, encoded as the protocol demands if it is not plain text. */
function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The id of a message that a notification cancels. */
function cancelledBy(body: Json): Json | undefined {
  if (!isObject(body) || body['method'] !== 'notifications/cancelled') return undefined;
  return isObject(body['params']) ? (body['params']['requestId'] ?? null) : null;
}

/** The messages of an answer, whether JSON or an event stream. */
async function* messagesIn(pieces: AgentAnswer['body']): AsyncGenerator<string, void, undefined> {
  let rest = '';
  let isStream = false;
  for await (const piece of pieces ?? []) {
    rest += piece;
    isStream ||= /^(?:event|data|id|retry)?:/.test(rest);
    if (!isStream) continue;
    const events = rest.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) yield* dataOf(event);
  }
  if (isStream) yield* dataOf(rest);
  else if (rest !== '') yield rest;
}

function* dataOf(event: string): Generator<string, void, undefined> {
  const data = event.split('\n').filter((line) => line.startsWith('data:'));
  if (data.length > 0) yield data.map((line) => line.slice(5).trimStart()).join('');
}

/** A protocol error for a message without an answer. */
function failure(id: Json, thrown: unknown, code = -32_603): string {
  const message = thrown instanceof KithError ? thrown.message : errors.internal(thrown).message;
  const data = thrown instanceof KithError && { data: { code: thrown.code, message } };
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...data } } satisfies JsonObject | object);
}

/** The lines of the input. Throws VALIDATION_ERROR for one longer than any message. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of input) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    rest += first;
    for (const next of others) {
      if (rest.trim() !== '') yield rest;
      rest = next;
    }
    if (rest.length > largestBody) throw errors.validation(`A line is longer than ${largestBody / 1024 / 1024} MiB`);
  }
  if (rest.trim() !== '') yield rest;
}
