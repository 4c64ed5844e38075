/** `/docs`: the reference page and what it is made of, all of it from this service. It shows nothing without a token. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, isKnown } from './etag.ts';

export const referencePath = '/docs';

/** The explorer styles its elements one by one; scripts and requests are this service's own. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Asset {
  readonly path: string;
  readonly type: string;
  /** The file, when it is first asked for. */
  readonly file: () => string | URL;
}

const javascript = 'text/javascript; charset=utf-8';

const assets: readonly Asset[] = [
  { path: '', type: 'text/html; charset=utf-8', file: () => page('reference.html') },
  { path: '/reference.css', type: 'text/css; charset=utf-8', file: () => page('reference.css') },
  { path: '/reference.js', type: javascript, file: () => page('reference.js') },
  { path: '/explorer.js', type: javascript, file: explorerBundle },
];

/** A file as it is sent, read and compressed once. */
interface Loaded {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

/** Serves the page; none of it needs a token. */
export function addReferencePage(app: FastifyInstance): void {
  for (const { path, type, file } of assets) {
    let loading: Promise<Loaded> | undefined;
    app.get(referencePath + path, async (request, reply) => {
      loading ??= load(file());
      return send(await loading, type, request, reply);
    });
  }
}

function send({ plain, gzipped, etag }: Loaded, type: string, request: FastifyRequest, reply: FastifyReply) {
  // Asked for again each time, and rarely sent: a new release is seen at once.
  reply.headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding', 'content-security-policy': policy });
  if (isKnown(etag, request)) return reply.code(304).send();
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (takesGzip) reply.header('content-encoding', 'gzip');
  return reply.type(type).send(takesGzip ? gzipped : plain);
}

async function load(file: string | URL): Promise<Loaded> {
  const plain = await readFile(file);
  return { plain, gzipped: await promisify(gzip)(plain), etag: etagOf(plain) };
}

function page(name: string): URL {
  return new URL(`pages/${name}`, import.meta.url);
}

function explorerBundle(): string {
  return createRequire(import.meta.url).resolve('openapi-explorer/dist/browser/openapi-explorer.min.js');
}
