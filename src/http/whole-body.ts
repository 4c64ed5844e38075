/** Assembles a request's body in slices, since copying 32 MiB at once would block other requests. */
import type { Readable } from 'node:stream';
import { errorCodes, type FastifyRequest } from 'fastify';
import { errors } from '../errors.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';

/**
 * Reads `payload`, the body of `request`, until `signal` is aborted. Throws as Fastify does for a body longer than the
 * route accepts or than announced, and the stream's own error.
 */
export async function wholeBody(request: FastifyRequest, payload: Readable, signal: AbortSignal): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  const most = request.routeOptions.bodyLimit;
  if (announced > most) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  const chunks = await chunksOf(payload, most);
  const length = lengthOf(chunks);
  if (!Number.isNaN(announced) && (encodedLength(payload) ?? length) !== announced)
    throw new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH();
  // A copy: the chunk may be part of a buffer that the socket reuses.
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const chunk of chunks) {
    if (sliceIsOver()) await nextSlice(signal);
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The bytes before inflating, which an inflating payload counts. */
function encodedLength(payload: Readable): number | undefined {
  return 'receivedEncodedLength' in payload ? Number(payload.receivedEncodedLength) : undefined;
}

/** Reads the chunks; after a refusal, the maker of `payload` drains the rest. */
function chunksOf(payload: Readable, most: number): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = () => payload.off('data', take).off('end', end).off('error', fail).off('close', leave);
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (Math.max(length, encodedLength(payload) ?? 0) > most) fail(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      else chunks.push(chunk);
    };
    const end = () => {
      stop();
      resolve(chunks);
    };
    const fail = (error: Error & { statusCode?: number }) => {
      stop();
      // A client error: an invalid body, or a disconnect.
      if (error.statusCode === undefined) error.statusCode = 400;
      reject(error);
    };
    const leave = () => fail(errors.callerLeft());
    payload.on('data', take).on('end', end).on('error', fail).on('close', leave).resume();
  });
}

function lengthOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((length, chunk) => length + chunk.length, 0);
}
