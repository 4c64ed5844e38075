/** `/docs`: the reference page and its assets, all served locally. It shows operations only to readers with a token or session. */
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Endpoint } from '../describe/endpoint.ts';
import { referencePath } from '../lib/url-paths.ts';
import { callsByOperation } from '../tools/operation-calls.ts';
import { pagePolicy } from './page-head.ts';
import { referenceHtml } from './reference-html.ts';
import { staticHandler, type StaticHandler } from './static-file.ts';

/** It connects to this service only, and sends no form. */
const policy = pagePolicy("connect-src 'self'", "form-action 'none'");

const javascript = 'text/javascript; charset=utf-8';

/** The modules of the page, besides its first. */
const modules = [
  'answer',
  'client-call',
  'document',
  'dom',
  'filter-builder',
  'form',
  'markdown',
  'menu',
  'nearest',
  'operation',
  'place',
  'refusals',
  'request',
  'schema',
  'start',
  'table',
  'tool-call',
  'try',
];

/** Files of `pages/` by their paths, with their types. */
const assets: readonly (readonly [path: string, file: string, type: string])[] = [
  ['/theme.css', 'theme.css', 'text/css; charset=utf-8'],
  ['/base.css', 'base.css', 'text/css; charset=utf-8'],
  ['/theme.js', 'theme.js', javascript],
  ['/copy.js', 'copy.js', javascript],
  ['/reference.css', 'reference.css', 'text/css; charset=utf-8'],
  ['/mark.svg', 'mark.svg', 'image/svg+xml'],
  ['/reference.js', 'reference.js', javascript],
  ...modules.map((name) => [`/reference/${name}.js`, `reference/${name}.js`, javascript] as const),
  // The client's methods, for the calls that the page shows.
  ['/reference/client-methods.js', '../../../client/generated/operations.js', javascript],
];

/** The Latin font of all pages; other scripts use the reader's fonts. */
const font = import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');

/** Operation names contain a capital; document names do not. */
const operationPath = '/:folder/:operation([a-z]+[A-Z]\\w*)';

/** Serves the page and the assets that other pages share, without a token. */
export function addReferencePage(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const at = (path: string, handler: StaticHandler) => app.get(referencePath + path, handler);
  const page = staticHandler({ type: 'text/html; charset=utf-8', policy }, async () => referenceHtml());
  at('', page);
  at(operationPath, page);
  const serve = (path: string, type: string, make: () => Promise<string | Buffer>) =>
    at(path, staticHandler({ type, policy }, make));
  for (const [path, file, type] of assets) serve(path, type, () => readFile(new URL(`pages/${file}`, import.meta.url)));
  serve('/reference/tool-calls.js', javascript, async () => toolCallsText(endpoints));
  serve('/inter.woff2', 'font/woff2', () => readFile(new URL(font)));
}

/** A module with the tool call of each endpoint that has one. */
function toolCallsText(endpoints: readonly Endpoint[]): string {
  const known = callsByOperation();
  const calls = endpoints.flatMap(({ method, path, body, operation }) => {
    const own = known.get(operation.id);
    return own ? [{ method, path, ...(body !== undefined && { body }), calls: own }] : [];
  });
  return `export const toolCalls = ${JSON.stringify(calls)};\n`;
}
