/** The path of a request. */
import type { FastifyRequest } from 'fastify';

/** The most characters of a path in a message. */
export const mostOfPath = 200;

/** The path without its query, cut to what a message shows. */
export function shownPath(request: FastifyRequest): string {
  return (request.raw.url ?? '').split('?', 1)[0]!.slice(0, mostOfPath);
}

/** Whether the path is the prefix, or one of the paths below it. */
export function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
