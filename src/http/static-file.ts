/** Files that are the same for everyone: read and compressed once, asked for again each time, and rarely sent. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, isKnown } from './etag.ts';

export interface StaticFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

/** Prepares `content` to be sent; `type` is its media type. */
export async function staticFile(type: string, content: string | Buffer): Promise<StaticFile> {
  const plain = Buffer.from(content);
  return { type, plain, gzipped: await promisify(gzip)(plain), etag: await etagOf([plain]) };
}

/** Sends `file` under a content security policy: compressed where that is taken, and 304 to whoever has it. */
export function sendStatic(file: StaticFile, policy: string, request: FastifyRequest, reply: FastifyReply) {
  const { type, plain, gzipped, etag } = file;
  // A new release is seen at once.
  reply.headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding', 'content-security-policy': policy });
  if (isKnown(etag, request)) return reply.code(304).send();
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (takesGzip) reply.header('content-encoding', 'gzip');
  return reply.type(type).send(takesGzip ? gzipped : plain);
}
