/** Sends one HTTP request on its own connection: no redirects, cookies or proxies, and a limited answer. */
import { request as requestOn, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { gunzip as gunzipCallback } from 'node:zlib';
import { quoted } from '../errors.ts';
import { orAborted } from '../lib/or-aborted.ts';
import { codeOf, messageOf } from '../lib/thrown.ts';
import { OutgoingError } from './failure.ts';
import { canonicalHost } from './host.ts';
import type { Target } from './open.ts';

export interface OutgoingRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'PROPFIND' | 'REPORT';
  /** Without headers about the connection, which are set here. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Whether it requires TLS except for hosts named by the operator. */
  readonly isPlainForNamedOnly?: boolean;
  /** Called when the request is about to be sent on the connection; before that, the host has received nothing. */
  readonly begun?: () => void;
}

interface AnswerHead {
  /** Redirects are returned like other answers. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

export interface OutgoingAnswer extends AnswerHead {
  /** Decompressed; empty if none was wanted. */
  readonly body: Buffer;
}

export interface StreamedAnswer extends AnswerHead {
  /** Streamed and never compressed; it must be read to the end or closed. Throws OutgoingError. */
  readonly body: AsyncIterable<Buffer>;
}

const gunzip = promisify(gunzipCallback);

const maxHeaderBytes = 16_384;
/** Informational answers (1xx) before the answer. */
const mostAnnounced = 10;

/** Headers that determine the framing of a request and its connection. */
const ownHeaders =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|proxy-.*)$/i;

/** The target of a request. Throws OutgoingError for an invalid URL, or one with credentials. */
export function targetOf({ url: text, headers = {}, isPlainForNamedOnly = false }: OutgoingRequest): Target {
  const url = URL.parse(text);
  const host = canonicalHost(url?.hostname ?? '');
  if (!url || !/^https?:$/.test(url.protocol) || host === undefined)
    throw new OutgoingError('invalid', `${quoted(text)} is no address that begins with https:// or http://`);
  if (url.username !== '' || url.password !== '')
    throw new OutgoingError('invalid', 'The address has a user or a password inside; leave them out');
  const own = Object.keys(headers).find((name) => ownHeaders.test(name));
  if (own !== undefined) throw new OutgoingError('invalid', `The header ${quoted(own)} cannot be set`);
  const tls = url.protocol === 'https:';
  const needsName = isPlainForNamedOnly && !tls;
  return { host, port: Number(url.port || (tls ? 443 : 80)), use: 'web', tls, needsName };
}

/**
 * Sends the request on `socket`, which is closed afterwards, and reads up to `maxBytes` of the body; with 0 it does not
 * wait for it. Throws OutgoingError.
 */
export async function send(
  socket: Socket,
  request: OutgoingRequest,
  maxBytes: number,
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  try {
    const message = await answered(socket, request, 'gzip', signal);
    const body = maxBytes === 0 ? Buffer.alloc(0) : await orAborted(bodyOf(message, maxBytes), signal);
    return { status: message.statusCode ?? 0, headers: message.headers, body };
  } catch (error) {
    throw failureOf(error, request);
  } finally {
    socket.destroy();
  }
}

/** Limits of a streamed answer. */
export interface StreamBounds {
  readonly maxBytes: number;
  /** Between two pieces, and before the first; the reader's own time does not count. */
  readonly idleMs: number;
}

/** As `send`, with a streamed body; `socket` is closed and `over` is called when it was read or closed. Throws OutgoingError. */
export async function sendForStream(
  socket: Socket,
  request: OutgoingRequest,
  bounds: StreamBounds,
  signal: AbortSignal,
  over: () => void,
): Promise<StreamedAnswer> {
  try {
    const message = await answered(socket, request, 'identity', signal);
    if ((message.headers['content-encoding'] ?? 'identity') !== 'identity') throw packed();
    const body = piecesOf(message, request, bounds, signal, () => {
      socket.destroy();
      over();
    });
    return { status: message.statusCode ?? 0, headers: message.headers, body };
  } catch (error) {
    socket.destroy();
    throw failureOf(error, request);
  }
}

async function* piecesOf(
  message: IncomingMessage,
  request: OutgoingRequest,
  { maxBytes, idleMs }: StreamBounds,
  signal: AbortSignal,
  over: () => void,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  const nothingCame = () => message.destroy(new OutgoingError('timeout', `Nothing came for ${idleMs / 1_000} seconds`));
  const wait = () => setTimeout(nothingCame, idleMs).unref();
  let idle = wait();
  const leave = () => void message.destroy(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    signal.throwIfAborted();
    for await (const piece of message as AsyncIterable<Buffer>) {
      clearTimeout(idle);
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge('answer', maxBytes);
      yield piece;
      idle = wait();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, request);
  } finally {
    clearTimeout(idle);
    signal.removeEventListener('abort', leave);
    over();
  }
}

async function answered(
  socket: Socket,
  request: OutgoingRequest,
  coding: 'gzip' | 'identity',
  signal: AbortSignal,
): Promise<IncomingMessage> {
  request.begun?.();
  const sent = begin(socket, request, coding);
  const answer = answerTo(sent);
  sent.end(request.body);
  return orAborted(answer, signal);
}

function begin(
  socket: Socket,
  { url: text, method = 'GET', headers, body }: OutgoingRequest,
  coding: string,
): ClientRequest {
  const url = new URL(text);
  return requestOn({
    createConnection: () => socket,
    method,
    path: url.pathname + url.search,
    headers: {
      'user-agent': 'Kith',
      ...headers,
      host: url.host,
      'accept-encoding': coding,
      // Otherwise Node would send the body of a DELETE without a length, as if it were the next request.
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
    maxHeaderSize: maxHeaderBytes,
  });
}

/** The answer; a connection that ends without one or is upgraded is an error. */
function answerTo(sent: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  sent.on('response', resolve).on('error', reject);
  sent.on('close', () => reject(new Error('The connection ended without an answer')));
  let announced = 0;
  sent.on('information', () => {
    if (++announced > mostAnnounced) reject(new Error('The answer is announced again and again'));
  });
  return promise;
}

async function bodyOf(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const coding = message.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (coding !== 'identity' && coding !== 'gzip') throw packed();
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of message as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw tooLarge('answer', maxBytes);
    parts.push(part);
  }
  const body = Buffer.concat(parts);
  return coding === 'gzip' && bytes > 0 ? unpacked(body, maxBytes) : body;
}

async function unpacked(body: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await gunzip(body, { maxOutputLength: maxBytes });
  } catch (error) {
    throw codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? tooLarge('answer', maxBytes) : error;
  }
}

const packed = () => new OutgoingError('connection', 'The answer is packed in a way that was not asked for');

function tooLarge(what: string, maxBytes: number): OutgoingError {
  return new OutgoingError('too-large', `The ${what} has more than ${maxBytes.toLocaleString('en')} bytes`);
}

function failureOf(error: unknown, { url }: OutgoingRequest): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const code = codeOf(error);
  const host = quoted(new URL(url).hostname);
  if (code === 'HPE_HEADER_OVERFLOW') return tooLarge('head of the answer', maxHeaderBytes);
  if (code === 'ERR_INVALID_CHAR' || code === 'ERR_INVALID_HTTP_TOKEN')
    return new OutgoingError('invalid', 'A header has characters that no header may have');
  return new OutgoingError('connection', `${host} did not answer as a server of the web does`, {
    cause: code ?? messageOf(error),
  });
}
