/** `/docs/…`: the documents of this version as pages and Markdown, without a token. */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { referencePath } from '../lib/url-paths.ts';
import { addressOf, documentHtml } from './document-html.ts';
import { pagePolicy } from './page-head.ts';
import { staticHandler, type StaticHandler } from './static-file.ts';

const policy = pagePolicy("form-action 'none'");

const pictures = { '.svg': 'image/svg+xml', '.webp': 'image/webp' };
const docs = new URL('../../docs/', import.meta.url);
const styles = new URL('pages/documents.css', import.meta.url);

/** Serves all pages and pictures of `docs`, each read on first use. */
export function addDocuments(app: FastifyInstance): void {
  const served = documents();
  // One route for all: each would have another one for its refused methods.
  app.get<{ Params: { '*': string } }>(
    `${referencePath}/*`,
    { config: { below: new Set(served.keys()) } },
    (request, reply) => served.get(request.params['*'])!(request, reply),
  );
}

/** The handler of each page and picture, by its path below the reference page. */
function documents(): ReadonlyMap<string, StaticHandler> {
  const files = new Set(
    globSync('**/*.{md,svg,webp}', { cwd: fileURLToPath(docs) }).map((file) => file.replaceAll('\\', '/')),
  );
  const served = new Map<string, StaticHandler>();
  const serve = (path: string, type: string, make: () => Promise<string | Buffer>) =>
    served.set(path, staticHandler({ type, policy }, make));
  serve('documents.css', 'text/css; charset=utf-8', () => readFile(styles));
  for (const file of files) {
    const [, picture] = Object.entries(pictures).find(([ending]) => file.endsWith(ending)) ?? [];
    serve(file, picture ?? 'text/markdown; charset=utf-8', () => readFile(new URL(file, docs)));
    if (picture !== undefined) continue;
    const page = addressOf(file).slice(referencePath.length + 1);
    const text = () => readFile(new URL(file, docs), 'utf8');
    serve(page, 'text/html; charset=utf-8', async () => documentHtml(file, await text(), files));
  }
  return served;
}
