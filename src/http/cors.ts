/**
 * CORS: pages of other origins may call the service only if the operator allows the origin, and only with a bearer token,
 * never with cookies. [issue: Doors]
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { agentsPath } from '../lib/url-paths.ts';

/** Seconds that a browser caches a preflight: Chromium's maximum. */
const rememberedSeconds = 7200;

/** A list of header names, as browsers send it. */
const headerNames = /^[\w-]+(?:\s*,\s*[\w-]+){0,99}$/;

/** Whether pages of allowed origins may call the route: the APIs for programs and agents, and their discovery. */
function isCallable(route: string): boolean {
  return route === agentsPath || route.startsWith('/api/') || route.startsWith('/.well-known/');
}

/** Sets CORS headers if the origin is one of `origins`; returns true for a preflight request. */
export function allowOrigin(origins: ReadonlySet<string>, request: FastifyRequest, reply: FastifyReply): boolean {
  const { origin, 'access-control-request-method': method, 'access-control-request-headers': asked } = request.headers;
  if (origins.size === 0 || !isCallable(request.routeOptions?.url ?? '/')) return false;
  reply.header('vary', 'origin');
  if (origin === undefined || !origins.has(origin)) return false;
  // `*` exposes all headers for requests without cookies.
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': '*' });
  if (request.method !== 'OPTIONS' || method === undefined) return false;
  const { allow = [] } = request.routeOptions?.config ?? {};
  reply.headers({
    'access-control-allow-methods': allow.join(', '),
    'access-control-max-age': rememberedSeconds,
    ...(asked !== undefined && headerNames.test(asked) && { 'access-control-allow-headers': asked }),
  });
  return true;
}
