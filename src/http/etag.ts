/** `If-None-Match`: a reader that has an answer already is told so, instead of being sent it again. */
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** A tag of what is sent, for what has none of its own. */
export function etagOf(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
}

/** Whether the request reads and has what the tag stands for. The comparison is the weak one: proxies may have marked it. */
export function isKnown(etag: string, { method, headers }: FastifyRequest): boolean {
  const known = headers['if-none-match'];
  if (known === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
