/** `/docs/…`: the documents of this version, as pages and as the Markdown that they are written in. None needs a token. */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { referencePath } from '../lib/rest-prefix.ts';
import { addressOf, documentHtml } from './document-html.ts';
import { staticHandler, type StaticHandler } from './static-file.ts';

/** They have no script, and take nothing from elsewhere. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const docs = new URL('../../docs/', import.meta.url);
const styles = new URL('pages/documents.css', import.meta.url);

/** Serves every page and picture of `docs`; each is read when it is asked for first. */
export function addDocuments(app: FastifyInstance): void {
  const served = documents();
  // One route: of so many, each would have another for the methods that it refuses.
  app.get<{ Params: { '*': string } }>(
    `${referencePath}/*`,
    { config: { below: new Set(served.keys()) } },
    (request, reply) => served.get(request.params['*'])!(request, reply),
  );
}

/** What answers for each page and picture, by its path below the reference page. */
function documents(): ReadonlyMap<string, StaticHandler> {
  const files = new Set(
    globSync('**/*.{md,svg}', { cwd: fileURLToPath(docs) }).map((file) => file.replaceAll('\\', '/')),
  );
  const served = new Map<string, StaticHandler>();
  const serve = (path: string, type: string, make: () => Promise<string | Buffer>) =>
    served.set(path, staticHandler({ type, policy }, make));
  const read = (file: string) => readFile(new URL(file, docs), 'utf8');
  serve('documents.css', 'text/css; charset=utf-8', () => readFile(styles));
  for (const file of files) {
    const type = file.endsWith('.svg') ? 'image/svg+xml' : 'text/markdown; charset=utf-8';
    serve(file, type, () => read(file));
    if (file.endsWith('.svg')) continue;
    const page = addressOf(file).slice(referencePath.length + 1);
    serve(page, 'text/html; charset=utf-8', async () => documentHtml(file, await read(file), files));
  }
  return served;
}
