/** Inserts the script that starts the page's requests before everything else in the page. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pageModules } from '../src/app/page-modules.ts';

const pages: Readonly<Record<string, object>> = pageModules;

/**
 * The modules of the pages by address pattern; the first match counts. A page also covers the addresses below it: its own parts,
 * and addresses with the same page.
 */
const modules: readonly (readonly [pattern: string, module: string])[] = Object.entries(pages)
  .filter(([path, load]) => pages[path.slice(0, path.lastIndexOf('/'))] !== load)
  .toSorted(([one], [other]) => other.split('/').length - one.split('/').length)
  .map(([path, load]) => [`${path.replaceAll(/\$\w+/g, '[^/]+')}(/.*)?`, moduleOf(path, load)]);

/** The module that the function imports, read from its source text. */
function moduleOf(path: string, load: object): string {
  const [, module] = /import\('\.\.\/([^']+)'\)/.exec(String(load)) ?? [];
  if (module === undefined) throw new Error(`The page at ${path} imports no module by name`);
  return module;
}

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** Adds the script to the build in `dist`. Throws if a page has no module. */
export async function addAhead(dist: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  const html = await readFile(join(dist, 'index.html'), 'utf8');
  const later = (files: Iterable<string>) =>
    [...files].filter((file) => !html.includes(file)).map((file) => `/${file}`);
  const all = new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]));
  const built = {
    pages: modules.map(([pattern, module]) => [pattern, later(filesOf(manifest, `src/${module}`))]),
    others: later(all),
  };
  const script = await readFile(fileURLToPath(new URL('ahead-script.js', import.meta.url)), 'utf8');
  const source = script.replace('= built;', `= ${JSON.stringify(built)};`);
  const digest = createHash('sha256').update(source).digest('base64url').slice(0, 8);
  await writeFile(join(dist, `assets/ahead-${digest}.js`), source);
  const tag = `<script src="/assets/ahead-${digest}.js"></script>`;
  await writeFile(join(dist, 'index.html'), html.replace('<head>', `<head>\n    ${tag}`));
}

/** The files that a module needs before it can run. */
function filesOf(manifest: Readonly<Record<string, Chunk>>, name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is no module that was built by itself`);
  if (seen.has(chunk.file)) return seen;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file);
  for (const one of chunk.imports ?? []) filesOf(manifest, one, seen);
  return seen;
}
