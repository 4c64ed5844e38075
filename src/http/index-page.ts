/** `/api/v1` for programs that know only the address. */
import type { FastifyInstance } from 'fastify';
import { describedPath } from '../describe/endpoint.ts';
import { referencePath, restPrefix } from '../lib/url-paths.ts';
import type { Route } from './bind.ts';
import { setLimitHeaders } from './limit-headers.ts';
import { sendJson } from './pretty.ts';

/** Serves `/api/v1` and `/robots.txt`, without a token. */
export function addIndex(app: FastifyInstance, routes: readonly Route[], version: string): void {
  const endpoints = routes.map((route) => ({
    method: route.method,
    path: restPrefix + describedPath(route),
    summary: route.operation.summary,
  }));
  app.get(restPrefix, (request, reply) => {
    setLimitHeaders(reply, request.limitDecisions);
    reply.header('link', `<${restPrefix}/openapi.json>; rel="service-desc", <${referencePath}>; rel="service-doc"`);
    return sendJson(request, reply, { name: 'Kith', version, endpoints });
  });
  app.get('/robots.txt', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /\n'),
  );
}
