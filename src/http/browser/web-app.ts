/**
 * Serves the web application: its page at each of its addresses, for signed-in people, and its built files. File names
 * contain a hash, so browsers cache them forever.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { appHome } from '../../lib/url-paths.ts';
import { sharedAnswer } from '../../lib/shared-answer.ts';
import { pagePolicy } from '../page-head.ts';
import type { PageParts } from './page-route.ts';
import { enter } from './signed-in.ts';

/** The most characters of the path to return to after sign-in. */
const longestNext = 500;

/** Paths of its pages, such as `/r/contacts` and `/inbox/…`. */
const pages = [
  appHome,
  '/r/:object',
  '/r/:object/*',
  '/inbox',
  '/inbox/:thread',
  '/tasks',
  '/calendar',
  '/notifications',
  '/dashboards',
  '/dashboards/:id',
  '/lists',
  '/lists/:id',
  '/duplicates',
  '/duplicates/:object',
  '/agents',
  '/agents/:set',
  '/import',
  '/import/:job',
  '/settings',
  '/settings/:page',
];

/** It connects to this service only. */
const policy = pagePolicy("connect-src 'self'", "form-action 'self'");

const dist = fileURLToPath(new URL('../../../web/dist/', import.meta.url));
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Adds the routes. */
export function addWebApp(app: FastifyInstance, parts: Pick<PageParts, 'browser' | 'sessions'>): void {
  const page = pageOf(sharedAnswer(() => readFile(path.join(dist, 'index.html'), 'utf8'), Infinity));
  for (const url of pages) {
    app.get(url, { config: { isPage: true } }, async (request, reply) => {
      const entry = await enter(parts, request, wayBack(request.url));
      if ('goTo' in entry) return reply.redirect(entry.goTo, 303);
      return page(reply, entry.session.caller.workspaceUserId);
    });
  }
  for (const file of globSync('assets/*', { cwd: dist })) {
    const type = types[path.extname(file)];
    if (type === undefined) continue;
    const send = builtFile(file, type);
    app.get(`/${file.replaceAll('\\', '/')}`, (request, reply) =>
      send(request, reply.header('cache-control', 'public, max-age=31536000, immutable')),
    );
  }
}

/** The path to return to; a long one loses its query. */
function wayBack(url: string): string {
  return url.length > longestNext ? url.replace(/\?.*$/s, '').slice(0, longestNext) : url;
}

/** Sends the page, which states for whom it was made. Styles that its libraries add are allowed by a nonce of this answer. */
function pageOf(html: () => Promise<string>) {
  return async (reply: FastifyReply, workspaceUserId: string) => {
    const nonce = randomBytes(16).toString('base64');
    reply.headers({
      'content-security-policy': policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`),
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
    });
    const head = `<head><meta name="csp-nonce" nonce="${nonce}" /><meta name="made-for" content="${workspaceUserId}" />`;
    return reply.type('text/html; charset=utf-8').send((await html()).replace('<head>', head));
  };
}

/** Sends a built file, compressed if accepted. */
function builtFile(file: string, type: string) {
  const isPacked = existsSync(path.join(dist, `${file}.br`));
  const contentOf = (name: string) => sharedAnswer(() => readFile(path.join(dist, name)), Infinity);
  const [plain, packed] = [contentOf(file), contentOf(`${file}.br`)];
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const takesPacked = isPacked && /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
    const content = await (takesPacked ? packed() : plain());
    reply.headers({ vary: 'accept-encoding', 'content-security-policy': policy });
    if (takesPacked) reply.header('content-encoding', 'br');
    return reply.type(type).send(content);
  };
}
