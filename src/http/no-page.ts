/** What a reader's browser gets where nothing is: the address without the slash at its end where that is a page, else a page that says so. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { agentsPath, appHome, documentsPath } from '../lib/url-paths.ts';
import { doorPage } from './browser/layout.ts';
import { html } from './escaped.ts';
import { pagePolicy } from './page-head.ts';
import { isAt } from './path-hints.ts';
import { isBelow, mostOfPath } from './request-path.ts';

/** Answers a browser that asks for a page, and nobody else. `pages` are the patterns of those that there are. */
export function answerReader(
  request: FastifyRequest,
  reply: FastifyReply,
  pages: Iterable<string>,
  version: string,
): boolean {
  const url = request.raw.url ?? '';
  const [path = ''] = url.split('?', 1);
  if (!wantsPage(request, path)) return false;
  reply.removeHeader('connection');
  const short = path.replace(/\/$/, '');
  // What begins with two slashes is another service's address.
  if (short !== path && /^\/[^/\\]/.test(short) && [...pages].some((pattern) => isAt(short, pattern))) {
    reply.redirect(short + url.slice(path.length), 308);
    return true;
  }
  reply
    .code(404)
    .headers({
      'content-security-policy': pagePolicy("form-action 'none'"),
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(nothingHere(path, version));
  return true;
}

function wantsPage({ method, headers: { accept = '' } }: FastifyRequest, path: string): boolean {
  const isPrograms = [agentsPath, '/api'].some((prefix) => isBelow(path, prefix));
  return (method === 'GET' || method === 'HEAD') && !isPrograms && /\btext\/html\b/i.test(accept);
}

function nothingHere(path: string, version: string): string {
  return doorPage(
    'Nothing is here',
    html`<h1>Nothing is here</h1>
      <p>There is no page at <bdi>${path.slice(0, mostOfPath)}</bdi>.</p>
      <p>There are <a href="/">the first page</a>, <a href="${appHome}">the workspace</a> and <a href="${documentsPath}">the documentation</a>.</p>`,
    version,
  );
}
