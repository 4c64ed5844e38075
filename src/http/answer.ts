/** From what an operation answers to what is sent. */
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
import { tellLimits } from './limit-headers.ts';
import { nextPage } from './next-page.ts';
import { asksPretty, jsonType, tagOfPretty } from './pretty.ts';

/** Headers must stay within what clients and proxies take: so many warnings, so many characters each. */
const maxWarnings = 10;
const maxWarningLength = 400;

/** Sends the answer with its headers; a download and events are sent piece by piece, as fast as the client takes them. */
export async function sendAnswer(
  log: Log,
  operation: DescribedOperation,
  answer: Answer,
  context: RequestContext,
  reply: FastifyReply,
): Promise<void> {
  if (answer instanceof Download) {
    // What is refused is refused with the first piece, while the status can still be told.
    const chunks = await begin(answer.chunks);
    tell(reply, context);
    if (answer.page) tellPage(reply, answer.page);
    reply.header('content-disposition', `attachment; filename=${answer.fileName.replace(/[^\w.-]/g, '_')}`);
    reply.type(answer.contentType).send(Readable.from(reported(log, reply.request, chunks)));
    return;
  }
  tell(reply, context);
  if (answer instanceof EventStream) return sendEvents(answer, reply);
  const { text, etag: ofRecord, page } = answer instanceof JsonText ? answer : await textOf(answer);
  if (page) tellPage(reply, page);
  const isTagged = operation.etag === 'answer';
  const pretty = asksPretty(reply.request);
  const plainTag = isTagged ? await tagOf(answer, text) : ofRecord;
  const etag = plainTag !== undefined && pretty ? tagOfPretty(plainTag) : plainTag;
  if (etag !== undefined) reply.header('etag', etag);
  // It may be kept by whoever asked, and has to be asked for again before it is used.
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

/** To make bytes of thirty megabytes at once would hold everybody up. */
async function* inSlices(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    if (sliceIsOver()) await nextSlice();
    yield piece;
  }
}

/** Of answers that are kept, so that they are not read through each time. */
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

function tellPage(reply: FastifyReply, { total, nextCursor }: Page): void {
  reply.header('x-total-count', String(total));
  const link = nextCursor === undefined ? undefined : nextPage(reply.request.raw.url ?? '', nextCursor);
  if (link !== undefined) reply.header('link', link);
}

function tell(reply: FastifyReply, { limitDecisions, warnings }: RequestContext): void {
  tellLimits(reply, limitDecisions);
  if (warnings.length > 0) reply.header('warning', warnings.slice(0, maxWarnings).map(warningValue));
}

/** `299 - "text"`; a header holds ASCII only, so everything else is percent-encoded. */
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

/** After the first piece nothing can be answered any more: the connection breaks, and the log says why. */
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
