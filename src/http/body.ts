/** From the bytes of a request's body to JSON that can be stored, or a refusal that says what is wrong with it. */
import { createGunzip } from 'node:zlib';
import type { FastifyInstance, preParsingHookHandler } from 'fastify';
import { errors } from '../errors.ts';
import { maxDepth, parseJson, unstorable } from '../lib/json.ts';
import type { Json } from '../lib/json.ts';

/** Ten thousand records of fifty fields are half of it. So many take a second to read, in which nobody else is answered. */
const mostValues = 1_000_000;

/** Makes `app` read JSON, and refuse every other kind of body. A body without a Content-Type is taken for JSON. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    /^application\/(?:[\w.+-]+\+)?json\b/i,
    { parseAs: 'buffer' },
    (_request, bytes, done) => {
      respond(bytes, done);
    },
  );
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    const type = request.headers['content-type'];
    if (type === undefined) respond(bytes, done);
    else done(errors.validation('The body must be JSON, sent with Content-Type: application/json'));
  });
}

function respond(bytes: Buffer, done: (error: Error | null, body?: Json) => void): void {
  let body: Json | undefined;
  try {
    body = parseBody(bytes);
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  done(null, body);
}

/** The JSON in `bytes`, undefined when there are none. Throws VALIDATION_ERROR. */
function parseBody(bytes: Buffer): Json | undefined {
  if (bytes.length === 0) return undefined;
  if (hasTooManyValues(bytes)) {
    throw errors.validation(`The body holds more than ${mostValues.toLocaleString('en')} values; send it in parts`);
  }
  const body = parseText(decode(bytes));
  const problem = unstorable(body);
  if (problem !== undefined) throw errors.validation(`A value in the body ${problem}`);
  return body;
}

/** Counts what opens or separates values outside of strings, without making any of them. */
function hasTooManyValues(bytes: Buffer): boolean {
  if (bytes.length <= mostValues) return false;
  let count = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inString) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if ((byte === 0x2c || byte === 0x5b || byte === 0x7b) && ++count > mostValues) return true;
  }
  return false;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw errors.validation('The body is not valid UTF-8');
  }
}

function parseText(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    // The reviver descends by recursion: what is nested a thousand times too deep ends the stack before it is counted.
    if (error instanceof RangeError) throw errors.validation(`The body is nested deeper than ${maxDepth} levels`);
    if (error instanceof SyntaxError) throw errors.validation(`The body is not valid JSON: ${error.message}`);
    throw error;
  }
}

/** Inflates a body with `Content-Encoding: gzip`; the limit for bodies counts what comes out. */
export const inflateBody: preParsingHookHandler = (request, reply, payload, done) => {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return done(null, payload);
  if (encoding !== 'gzip') return done(errors.validation('Content-Encoding must be gzip, or not be given'));
  // Fastify compares this number with Content-Length.
  const gunzip = Object.assign(createGunzip(), { receivedEncodedLength: 0 });
  payload.on('data', (chunk: Buffer) => {
    gunzip.receivedEncodedLength += chunk.length;
  });
  payload.once('error', (error) => gunzip.destroy(error));
  // Refused half-way, the rest is read away but not inflated any more.
  gunzip.once('close', () => {
    payload.unpipe(gunzip);
    payload.resume();
  });
  reply.raw.once('close', () => gunzip.destroy());
  payload.pipe(gunzip);
  done(null, gunzip);
};
