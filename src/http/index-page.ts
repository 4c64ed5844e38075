/** What someone finds who opens the service's address, or the surface's, without knowing more. */
import type { FastifyInstance } from 'fastify';
import { describedPath } from '../describe/endpoint.ts';
import { agentsPath, documentsPath, referencePath, restPrefix } from '../lib/rest-prefix.ts';
import type { Route } from './bind.ts';
import { tellLimits } from './limit-headers.ts';
import { sendJson } from './pretty.ts';

/** Serves `/` (a page), `/api/v1` (the same as JSON) and `/robots.txt`; none needs a token. */
export function addIndex(app: FastifyInstance, routes: readonly Route[], version: string): void {
  const page = indexPage(version);
  const endpoints = routes.map((route) => ({
    method: route.method,
    path: restPrefix + describedPath(route),
    summary: route.operation.summary,
  }));
  app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  app.get(restPrefix, (request, reply) => {
    tellLimits(reply, request.limitDecisions);
    reply.header('link', `<${restPrefix}/openapi.json>; rel="service-desc", <${referencePath}>; rel="service-doc"`);
    return sendJson(request, reply, { name: 'Kith', version, endpoints });
  });
  app.get('/robots.txt', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /\n'),
  );
}

function indexPage(version: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Kith</title>
  </head>
  <body>
    <h1>Kith</h1>
    <p>The CRM data service, version ${version}.</p>
    <ul>
      <li><a href="${referencePath}">${referencePath}</a>: the reference, made for your token</li>
      <li><a href="${documentsPath}">${documentsPath}</a>: the documentation of this version</li>
      <li><a href="${restPrefix}">${restPrefix}</a>: what can be asked, with an API token (Authorization: Bearer svc_…)</li>
      <li>${agentsPath}: where agents connect (MCP), with the same token</li>
      <li><a href="/health/ready">/health/ready</a>: whether it is ready to serve</li>
    </ul>
  </body>
</html>
`;
}
