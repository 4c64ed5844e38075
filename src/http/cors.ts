/**
 * Pages of other origins in a browser. None may call the service, unless the operator names its origin: then with a bearer token,
 * and never with what the browser adds by itself, such as cookies. [issue: Doors]
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { agentsPath } from '../lib/rest-prefix.ts';

/** How long a browser need not ask again, in seconds: Chromium's longest. */
const rememberedSeconds = 7200;

/** Names of headers, as a browser asks for them. */
const headerNames = /^[\w-]+(?:\s*,\s*[\w-]+){0,99}$/;

/** Whether the route is one that pages of these origins may call: the interface for programs, the one for agents, and what leads there. */
function isCallable(route: string): boolean {
  return route === agentsPath || route.startsWith('/api/') || route.startsWith('/.well-known/');
}

/**
 * Tells the browser that the page may read the answer, where its origin is one of `origins`; true when the request is only the
 * browser's question before another one, with the answer's headers set.
 */
export function allowOrigin(origins: ReadonlySet<string>, request: FastifyRequest, reply: FastifyReply): boolean {
  const { origin, 'access-control-request-method': method, 'access-control-request-headers': asked } = request.headers;
  if (origins.size === 0 || !isCallable(request.routeOptions?.url ?? '/')) return false;
  reply.header('vary', 'origin');
  if (origin === undefined || !origins.has(origin)) return false;
  // All names: the browser leaves out none where it sends no cookies.
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
