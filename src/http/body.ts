/** Parses request bodies to storable JSON, or says what is wrong. */
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';
import { fileTypes } from '../describe/endpoint.ts';
import { errors, KithError } from '../errors.ts';
import type { Json } from '../lib/json.ts';
import { holdingBody } from './body-share.ts';
import { departureOn } from './departure.ts';
import { parseInSlices } from './json-in-slices.ts';
import './request-state.ts';
import { wholeBody } from './whole-body.ts';

/** The error for a body without a JSON content type. Pages of other origins may send other types without a preflight. */
export const wantsJson = 'The body must be JSON, and say so: send it with Content-Type: application/json';

const wantsJsonOrFile =
  'The body must be JSON, CSV, JSON lines or a vCard, and say so: send it with Content-Type: application/json, text/csv, application/x-ndjson or text/vcard';

/** A body that is a file itself, on routes that accept files. */
export class FileBody {
  readonly bytes: Buffer;
  readonly format: string;

  constructor(bytes: Buffer, format: string) {
    this.bytes = bytes;
    this.format = format;
  }

  /** Text pieces that identify the file for an idempotency key. */
  *pieces(): Generator<string, void, undefined> {
    yield this.format;
    for (let at = 0; at < this.bytes.length; at += pieceBytes)
      yield this.bytes.subarray(at, at + pieceBytes).toString('base64');
  }
}

/** A JSON body with values that cannot be stored, on routes that accept it. */
export class UnstorableBody {
  readonly value: Json;
  readonly problem: KithError;

  constructor(value: Json, problem: KithError) {
    this.value = value;
    this.problem = problem;
  }
}

/** A multiple of three, so that base64 pieces join without padding. */
const pieceBytes = 3 * 65_536;

/** Adds the parsers for JSON and files; every other body is refused. An empty body is no body. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const read = (request: FastifyRequest, payload: Readable) =>
    holdingBody(request, async () => {
      const left = departureOn(request.raw.socket);
      const bytes = await wholeBody(request, payload, left);
      request.arrivedAt = performance.now();
      const { takesBytes, takesUnstorable } = request.routeOptions.config;
      if (takesBytes) return bytes;
      if (bytes.length === 0) return undefined;
      return takesUnstorable ? parseWhatever(bytes, left) : parseInSlices(bytes, left);
    });
  app.addContentTypeParser(/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i, read);
  const readFile = (request: FastifyRequest, payload: Readable) =>
    holdingBody(request, async () => {
      const bytes = await wholeBody(request, payload, departureOn(request.raw.socket));
      request.arrivedAt = performance.now();
      const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
      return bytes.length === 0 ? undefined : new FileBody(bytes, fileTypes[type] ?? 'csv');
    });
  app.addContentTypeParser(Object.keys(fileTypes), readFile);
  // Any page can make a browser send a form; only pages that check the origin accept one.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      const { isPage, takesForm, takesBytes, takesFile } = request.routeOptions.config;
      if (takesBytes) return Buffer.from(text);
      if (isPage || takesForm) return new URLSearchParams(text);
      if (text.length > 0) throw errors.validation(takesFile ? wantsJsonOrFile : wantsJson);
      return undefined;
    },
  );
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    const { takesBytes, takesFile } = request.routeOptions.config;
    if (takesBytes) return bytes;
    if (bytes.length > 0) throw errors.validation(takesFile ? wantsJsonOrFile : wantsJson);
    return undefined;
  });
}

/** Bytes of a message that is parsed at once, however deeply nested it is. */
const wholePiece = 262_144;

/** Parses `bytes`, storable or not. Throws VALIDATION_ERROR for invalid JSON. */
async function parseWhatever(bytes: Buffer, left: AbortSignal): Promise<Json | UnstorableBody> {
  try {
    return await parseInSlices(bytes, left);
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    return new UnstorableBody(await parseInSlices(bytes, left, { takesAnyText: true, pieceLength: wholePiece }), error);
  }
}

/** Inflates a body with `Content-Encoding: gzip`; the body limit counts the inflated bytes. */
export const inflateBody: preParsingHookHandler = (request, reply, payload, done) => {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return done(null, payload);
  if (encoding !== 'gzip') return done(errors.validation('Content-Encoding must be gzip, or not be given'));
  // Fastify compares this with Content-Length.
  const gunzip = Object.assign(createGunzip(), { receivedEncodedLength: 0 });
  payload.on('data', (chunk: Buffer) => {
    gunzip.receivedEncodedLength += chunk.length;
  });
  payload.once('error', (error) => gunzip.destroy(error));
  // After a refusal the rest is read but not inflated.
  gunzip.once('close', () => {
    payload.unpipe(gunzip);
    payload.resume();
  });
  reply.raw.once('close', () => gunzip.destroy());
  payload.pipe(gunzip);
  done(null, gunzip);
};
