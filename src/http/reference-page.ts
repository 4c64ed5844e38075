/** `/docs`: the reference page and what it is made of, all of it from this service. It shows nothing without a token. */
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { referencePath } from '../lib/rest-prefix.ts';
import { staticHandler } from './static-file.ts';

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
  ['/theme.css', 'theme.css', 'text/css; charset=utf-8'],
  ['/reference.css', 'reference.css', 'text/css; charset=utf-8'],
  ['/mark.svg', 'mark.svg', 'image/svg+xml'],
  ['/reference.js', 'reference.js', javascript],
  ...modules.map((name) => [`/reference/${name}.js`, `reference/${name}.js`, javascript] as const),
];

/** Serves the page; none of it needs a token. */
export function addReferencePage(app: FastifyInstance): void {
  for (const [path, file, type] of assets) {
    const source = new URL(`pages/${file}`, import.meta.url);
    app.get(
      referencePath + path,
      staticHandler({ type, policy }, () => readFile(source)),
    );
  }
}
