/** Static files: read and compressed once, revalidated by clients, and rarely sent. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sharedAnswer } from '../lib/shared-answer.ts';
import { etagOf, isKnown } from './etag.ts';

interface StaticFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

export type StaticHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * A handler that sends what `read` returns, with this media type and content security policy. It is read on first use, and
 * again after a failure.
 */
export function staticHandler(
  { type, policy }: { readonly type: string; readonly policy: string },
  read: () => Promise<string | Buffer>,
): StaticHandler {
  const made = sharedAnswer(async () => staticFile(type, await read()), Infinity);
  return async (request, reply) => send(await made(), policy, request, reply);
}

async function staticFile(type: string, content: string | Buffer): Promise<StaticFile> {
  const plain = Buffer.from(content);
  return { type, plain, gzipped: await promisify(gzip)(plain), etag: await etagOf([plain]) };
}

/** Sends the file, compressed if accepted, or 304 if the client has it. */
function send(file: StaticFile, policy: string, request: FastifyRequest, reply: FastifyReply) {
  const { type, plain, gzipped, etag } = file;
  // Revalidated each time, so that a new release is seen at once.
  reply.headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding', 'content-security-policy': policy });
  if (isKnown(etag, request)) return reply.code(304).send();
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (takesGzip) reply.header('content-encoding', 'gzip');
  return reply.type(type).send(takesGzip ? gzipped : plain);
}
