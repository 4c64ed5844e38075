/** Puts the script before everything else of the page that has what it needs under way at once. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The pages by their addresses; the first that fits counts. */
const pages: readonly (readonly [pattern: string, module: string])[] = [
  ['/home', 'home/home-page.tsx'],
  ['/r/[^/]+', 'records/list-page.tsx'],
  ['/r/[^/]+/trash', 'records/trash-page.tsx'],
  ['/r/[^/]+/[^/]+', 'record/record-page.tsx'],
  ['/inbox(/[^/]+)?', 'inbox/inbox-page.tsx'],
  ['/tasks', 'tasks/tasks-page.tsx'],
  ['/calendar', 'calendar/calendar-page.tsx'],
  ['/notifications', 'notifications/notifications-page.tsx'],
  ['/dashboards', 'dashboards/dashboards-page.tsx'],
  ['/dashboards/[^/]+', 'dashboards/dashboard-page.tsx'],
  ['/lists', 'lists/lists-page.tsx'],
  ['/lists/[^/]+', 'lists/list-entries-page.tsx'],
  ['/duplicates(/[^/]+)?', 'duplicates/duplicates-page.tsx'],
  ['/agents(/[^/]+)?', 'agents/agents-page.tsx'],
  ['/import', 'import/imports-page.tsx'],
  ['/import/[^/]+', 'import/import-page.tsx'],
  ['/settings(/[^/]+)?', 'settings/settings-page.tsx'],
];

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** Adds the script to what was built in `dist`. Throws where a page has no module. */
export async function addAhead(dist: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  const html = await readFile(join(dist, 'index.html'), 'utf8');
  const later = (files: Iterable<string>) =>
    [...files].filter((file) => !html.includes(file)).map((file) => `/${file}`);
  const all = new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]));
  const built = {
    pages: pages.map(([pattern, module]) => [pattern, later(filesOf(manifest, `src/${module}`))]),
    others: later(all),
  };
  const script = await readFile(fileURLToPath(new URL('ahead-script.js', import.meta.url)), 'utf8');
  const source = script.replace('= built;', `= ${JSON.stringify(built)};`);
  const digest = createHash('sha256').update(source).digest('base64url').slice(0, 8);
  await writeFile(join(dist, `assets/ahead-${digest}.js`), source);
  const tag = `<script src="/assets/ahead-${digest}.js"></script>`;
  await writeFile(join(dist, 'index.html'), html.replace('<head>', `<head>\n    ${tag}`));
}

/** The files that a module cannot begin without. */
function filesOf(manifest: Readonly<Record<string, Chunk>>, name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is no module that was built by itself`);
  if (seen.has(chunk.file)) return seen;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file);
  for (const one of chunk.imports ?? []) filesOf(manifest, one, seen);
  return seen;
}
