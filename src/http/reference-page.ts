/** `/docs`: the reference page and what it is made of, all of it from this service. It shows nothing without a token. */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { referencePath } from '../lib/rest-prefix.ts';
import { etagOf, isKnown } from './etag.ts';

/** Everything is this service's own, and nothing stands in the page itself. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const javascript = 'text/javascript; charset=utf-8';

/** The modules of the page, beside its first. */
const modules = ['answer', 'document', 'dom', 'form', 'menu', 'operation', 'request', 'schema', 'try'];

/** Files of `pages/` by the path that they are at, with their types. */
const assets: readonly (readonly [path: string, file: string, type: string])[] = [
  ['', 'reference.html', 'text/html; charset=utf-8'],
  ['/reference.css', 'reference.css', 'text/css; charset=utf-8'],
  ['/mark.svg', 'mark.svg', 'image/svg+xml'],
  ['/reference.js', 'reference.js', javascript],
  ...modules.map((name) => [`/reference/${name}.js`, `reference/${name}.js`, javascript] as const),
];

/** A file as it is sent, read and compressed once. */
interface Loaded {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

/** Serves the page; none of it needs a token. */
export function addReferencePage(app: FastifyInstance): void {
  for (const [path, file, type] of assets) {
    let loading: Promise<Loaded> | undefined;
    app.get(referencePath + path, async (request, reply) => {
      loading ??= load(file);
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

/** Reads a file of `pages/`. */
async function load(file: string): Promise<Loaded> {
  const plain = await readFile(new URL(`pages/${file}`, import.meta.url));
  return { plain, gzipped: await promisify(gzip)(plain), etag: await etagOf([plain]) };
}
