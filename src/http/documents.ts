/** `/docs/…`: the documents of this version, as pages and as the Markdown that they are written in. None needs a token. */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { referencePath } from '../lib/rest-prefix.ts';
import { addressOf, documentHtml } from './document-html.ts';
import { serveStatic } from './static-file.ts';

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
  const files = new Set(
    globSync('**/*.{md,svg}', { cwd: fileURLToPath(docs) }).map((file) => file.replaceAll('\\', '/')),
  );
  const serve = (path: string, type: string, make: () => Promise<string | Buffer>) =>
    serveStatic(app, path, { type, policy }, make);
  const read = (file: string) => readFile(new URL(file, docs), 'utf8');
  serve(`${referencePath}/documents.css`, 'text/css; charset=utf-8', () => readFile(styles));
  for (const file of files) {
    const type = file.endsWith('.svg') ? 'image/svg+xml' : 'text/markdown; charset=utf-8';
    serve(`${referencePath}/${file}`, type, () => read(file));
    if (file.endsWith('.svg')) continue;
    serve(addressOf(file), 'text/html; charset=utf-8', async () => documentHtml(file, await read(file), files));
  }
}
