/** `If-None-Match`: a reader that has an answer already is told so, instead of being sent it again. */
import type { FastifyRequest } from 'fastify';
import { digestOf } from '../lib/digest.ts';

/** A tag of what is sent, given in pieces, for what has none of its own. */
export async function etagOf(pieces: Iterable<string | Buffer>): Promise<string> {
  return `"${(await digestOf(pieces)).toString('base64url').slice(0, 22)}"`;
}

/** Whether the request reads and has what the tag stands for. The comparison is the weak one: proxies may have marked it. */
export function isKnown(etag: string, { method, headers }: FastifyRequest): boolean {
  const known = headers['if-none-match'];
  if (known === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
