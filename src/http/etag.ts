/** `If-None-Match`: answers 304 to a client that has the current answer. */
import type { FastifyRequest } from 'fastify';
import { digestOf } from '../lib/digest.ts';

/** An ETag computed from the body's pieces. */
export async function etagOf(pieces: Iterable<string | Buffer>): Promise<string> {
  return `"${(await digestOf(pieces)).toString('base64url').slice(0, 22)}"`;
}

/** Whether the request is a read and has the tag. Compares weakly, since proxies may have weakened it. */
export function isKnown(etag: string, { method, headers }: FastifyRequest): boolean {
  const known = headers['if-none-match'];
  if (known === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
