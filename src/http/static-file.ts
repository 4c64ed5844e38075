/** Files that are the same for everyone: read and compressed once, asked for again each time, and rarely sent. */
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
 * Answers with what `read` gives, of this media type and under a content security policy. It is read when it is asked for
 * first; where that fails, whoever asks next has it read again.
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

/** Compressed where that is taken, and 304 to whoever has it. */
function send(file: StaticFile, policy: string, request: FastifyRequest, reply: FastifyReply) {
  const { type, plain, gzipped, etag } = file;
  // A new release is seen at once.
  reply.headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding', 'content-security-policy': policy });
  if (isKnown(etag, request)) return reply.code(304).send();
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (takesGzip) reply.header('content-encoding', 'gzip');
  return reply.type(type).send(takesGzip ? gzipped : plain);
}
