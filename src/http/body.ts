/** From the bytes of a request's body to JSON that can be stored, or a refusal that says what is wrong with it. */
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

/** What a body that does not say that it is JSON is told. A page of another origin may send any other without asking. */
export const wantsJson = 'The body must be JSON, and say so: send it with Content-Type: application/json';

const wantsJsonOrFile =
  'The body must be JSON, CSV, JSON lines or a vCard, and say so: send it with Content-Type: application/json, text/csv, application/x-ndjson or text/vcard';

/** A body that is a file itself; only operations that say so take it. */
export class FileBody {
  readonly bytes: Buffer;
  readonly format: string;

  constructor(bytes: Buffer, format: string) {
    this.bytes = bytes;
    this.format = format;
  }

  /** By which it is compared with another request's. */
  *pieces(): Generator<string, void, undefined> {
    yield this.format;
    for (let at = 0; at < this.bytes.length; at += pieceBytes)
      yield this.bytes.subarray(at, at + pieceBytes).toString('base64');
  }
}

/** A body that is JSON, with something in it that cannot be stored; only routes that say so take it. */
export class UnstorableBody {
  readonly value: Json;
  readonly problem: KithError;

  constructor(value: Json, problem: KithError) {
    this.value = value;
    this.problem = problem;
  }
}

/** Three bytes are four signs. */
const pieceBytes = 3 * 65_536;

/** Makes `app` read JSON that is said to be JSON, and files; and refuse every other body. What has no bytes is no body. */
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
  // Any page can have a browser send a form: only the pages that look where it comes from take one.
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

/** Bytes of a message that is parsed at once, however deep it is nested. */
const wholePiece = 262_144;

/** The JSON in `bytes`, whether or not it can be stored. Throws VALIDATION_ERROR for what is none. */
async function parseWhatever(bytes: Buffer, left: AbortSignal): Promise<Json | UnstorableBody> {
  try {
    return await parseInSlices(bytes, left);
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    return new UnstorableBody(await parseInSlices(bytes, left, { takesAnyText: true, pieceLength: wholePiece }), error);
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
