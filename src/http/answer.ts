/** Sends the answer of an operation. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventStream } from '../operations/door/event-stream.ts';
import { Download, JsonText } from '../operations/door/operation.ts';
import type { Answer, Page } from '../operations/door/operation.ts';
import type { DescribedOperation } from '../describe/endpoint.ts';
import type { RequestContext } from '../operations/door/request-context.ts';
import { writeJson } from '../lib/json-writer.ts';
import type { Log } from '../lib/log.ts';
import { isLong, piecesOf, whole, type LongText } from '../lib/long-text.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import { sendEvents } from './event-stream.ts';
import { etagOf, isKnown } from './etag.ts';
import { indented, indentedPieces, isLongToIndent } from './indenting.ts';
import { setLimitHeaders } from './limit-headers.ts';
import { nextPage } from './next-page.ts';
import { asksPretty, jsonType, tagOfPretty } from './pretty.ts';

/** Limits for `Warning` headers, so that all headers stay within what clients and proxies accept. */
const maxWarnings = 10;
const maxWarningLength = 400;

/** Sends the answer with its headers; downloads and event streams are sent in pieces, as fast as the client reads. */
export async function sendAnswer(
  log: Log,
  operation: DescribedOperation,
  answer: Answer,
  context: RequestContext,
  reply: FastifyReply,
): Promise<void> {
  if (answer instanceof Download) {
    // Errors come with the first piece, while the status can still be set.
    const chunks = await begin(answer.chunks);
    setHeaders(reply, context);
    if (answer.page) setPageHeaders(reply, answer.page);
    reply.header('content-disposition', `attachment; filename=${answer.fileName.replace(/[^\w.-]/g, '_')}`);
    reply.type(answer.contentType).send(Readable.from(reported(log, reply.request, chunks)));
    return;
  }
  setHeaders(reply, context);
  if (answer instanceof EventStream) return sendEvents(answer, reply);
  const { text, etag: ofRecord, page } = answer instanceof JsonText ? answer : await textOf(answer);
  if (page) setPageHeaders(reply, page);
  const isTagged = operation.etag === 'answer';
  const pretty = asksPretty(reply.request);
  const plainTag = isTagged ? await tagOf(answer, text) : ofRecord;
  const etag = plainTag !== undefined && pretty ? tagOfPretty(plainTag) : plainTag;
  if (etag !== undefined) reply.header('etag', etag);
  // The client may store the answer but must revalidate it.
  if (isTagged) reply.header('cache-control', 'private, no-cache');
  if (etag !== undefined && isKnown(etag, reply.request)) reply.code(304).send();
  else
    reply
      .code(operation.status ?? 200)
      .type(jsonType)
      .send(pretty ? indentedBody(text) : body(text));
}

function body(text: LongText): string | Readable {
  return isLong(text) ? streamed(piecesOf(text)) : whole(text);
}

function indentedBody(text: LongText): string | Readable {
  return isLongToIndent(text) ? streamed(indentedPieces(text)) : indented(whole(text));
}

function streamed(pieces: Iterable<string>): Readable {
  return Readable.from(inSlices(pieces), { objectMode: false });
}

/** Encodes in slices: encoding thirty megabytes at once would block other requests. */
async function* inSlices(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    if (sliceIsOver()) await nextSlice();
    yield piece;
  }
}

/** Tags of cached answers, so that they are not hashed each time. */
const tags = new WeakMap<object, string>();

async function tagOf(answer: object, text: LongText): Promise<string> {
  const tag = tags.get(answer) ?? (await etagOf(piecesOf(text)));
  tags.set(answer, tag);
  return tag;
}

async function textOf(answer: object): Promise<JsonText> {
  return new JsonText(await writeJson(answer), undefined, isPage(answer) ? answer : undefined);
}

function isPage(answer: object): answer is Page {
  return 'data' in answer && 'total' in answer;
}

function setPageHeaders(reply: FastifyReply, { total, nextCursor }: Page): void {
  reply.header('x-total-count', String(total));
  const link = nextCursor === undefined ? undefined : nextPage(reply.request.raw.url ?? '', nextCursor);
  if (link !== undefined) reply.header('link', link);
}

function setHeaders(reply: FastifyReply, { limitDecisions, warnings }: RequestContext): void {
  setLimitHeaders(reply, limitDecisions);
  if (warnings.length > 0) reply.header('warning', warnings.slice(0, maxWarnings).map(warningValue));
}

/** `299 - "text"`, percent-encoded where it is not ASCII. */
function warningValue(message: string): string {
  const text = message.length > maxWarningLength ? `${message.slice(0, maxWarningLength)}...` : message;
  const ascii = text.toWellFormed().replace(/[^\x20-\x7e]/gu, encodeURIComponent);
  return `299 - "${ascii.replace(/["\\]/g, String.raw`\$&`)}"`;
}

async function begin<Chunk>(chunks: AsyncIterable<Chunk>): Promise<AsyncIterable<Chunk>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  return continued(first, iterator);
}

async function* continued<Chunk>(first: IteratorResult<Chunk>, iterator: AsyncIterator<Chunk>): AsyncGenerator<Chunk> {
  try {
    for (let next = first; !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

/** Logs an error after the first piece, when the status is sent and only the connection can be closed. */
async function* reported<Chunk>(
  log: Log,
  request: FastifyRequest,
  chunks: AsyncIterable<Chunk>,
): AsyncGenerator<Chunk> {
  try {
    yield* chunks;
  } catch (error) {
    log.error({ requestId: request.id, route: request.routeOptions.url, error }, 'A download broke off');
    throw error;
  }
}
