/** `/llms.txt` and `/llms-full.txt`: an index of the documents, and all documents as one text, for language models. */
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { agentsPath, referencePath, restPrefix } from '../lib/url-paths.ts';
import { staticHandler } from './static-file.ts';

const docs = new URL('../../docs/', import.meta.url);

/** Plain text needs no resources. */
const policy = "default-src 'none'; frame-ancestors 'none'";
const type = 'text/plain; charset=utf-8';

const read = (file: string) => readFile(new URL(file, docs), 'utf8');

/** Serves both files without a token, each built on first use. */
export function addLlms(app: FastifyInstance): void {
  app.get('/llms.txt', staticHandler({ type, policy }, links));
  app.get('/llms-full.txt', staticHandler({ type, policy }, everything));
}

async function links(): Promise<string> {
  const listed = pagesIn(await read('README.md'));
  return [
    '# Kith',
    '',
    '> A CRM data service: records, tasks, notes, lists and conversations of many organizations, under roles, over REST and MCP.',
    '',
    `- [OpenAPI 3.1](${restPrefix}/openapi.json): every route, made for your token`,
    `- ${agentsPath}: tools, resources and prompts over MCP, with \`Authorization: Bearer svc_…\``,
    '- [All pages in one](/llms-full.txt)',
    '',
    '## Pages',
    '',
    ...listed.map(({ title, file, about }) => `- [${title}](${referencePath}/${file})${about && `: ${about}`}`),
    '',
  ].join('\n');
}

async function everything(): Promise<string> {
  const listed = pagesIn(await read('README.md'));
  const pages = new Set(listed.map(({ file }) => file));
  const texts = await Promise.all(
    listed.map(async ({ file }) => `<!-- ${referencePath}/${file} -->\n\n${absolute(await read(file), file, pages)}`),
  );
  return texts.join('\n\n');
}

interface Listed {
  readonly title: string;
  readonly file: string;
  /** Its description, if any. */
  readonly about: string;
}

/** The pages that the table of contents links to, without repetitions. */
function pagesIn(contents: string): readonly Listed[] {
  const found = new Map<string, Listed>();
  for (const [, title = '', file = '', about = ''] of contents.matchAll(
    /\[([^\]]+)\]\(([^):#]+\.md)\)(?: \| ([^|\n]+) \|)?/g,
  )) {
    if (!found.has(file)) found.set(file, { title, file, about: about.trim() });
  }
  return [...found.values()];
}

/** Rewrites links to served `pages` as absolute ones; other targets become plain text. */
function absolute(text: string, file: string, pages: ReadonlySet<string>): string {
  return text.replaceAll(/\[([^[\]]*)\]\((?!https?:|\/|#)([^)]+)\)/g, (_, name: string, path: string) => {
    const target = posix.join(posix.dirname(file), path);
    const isServed = pages.has(target.split('#', 1)[0] ?? '') || target.endsWith('.svg');
    return isServed ? `[${name}](${referencePath}/${target})` : name;
  });
}
