/** `web/dist`, which comes with the service: built of the sources as they are, and as small as it has to be. */
import { globSync, readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { stampOfSources } from '../../web/build/stamp.ts';

const dist = 'web/dist';
const kb = 1024;

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const manifest = JSON.parse(readFileSync(`${dist}/.vite/manifest.json`, 'utf8')) as Readonly<Record<string, Chunk>>;

/** The files that a chunk cannot begin without. */
function filesOf(name: string, seen = new Set<string>()): ReadonlySet<string> {
  const chunk = manifest[name];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const style of chunk.css ?? []) seen.add(style);
  for (const one of chunk.imports ?? []) filesOf(one, seen);
  return seen;
}

const gzipped = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(`${dist}/${file}`)).length, 0);

const [entry = ''] = Object.keys(manifest).filter((name) => manifest[name]?.isEntry);
const first = filesOf(entry);
const pages = Object.keys(manifest).filter((name) => manifest[name]?.isDynamicEntry && name.endsWith('-page.tsx'));

describe('the built application', () => {
  it('is built of these sources: npm run build --prefix web', async () => {
    expect(readFileSync(`${dist}/stamp.txt`, 'utf8').trim()).toBe(await stampOfSources());
  });

  it('shows its first view with at most 150 KB', () => {
    expect(gzipped(first)).toBeLessThanOrEqual(150 * kb);
  });

  it.each(pages)('needs at most 60 KB more for %s', (page) => {
    expect(gzipped([...filesOf(page)].filter((file) => !first.has(file)))).toBeLessThanOrEqual(60 * kb);
  });

  it('has at most 1 MB in all', () => {
    const files = globSync('{*,assets/*}', { cwd: dist }).filter((file) => /\.(js|css|html)$/.test(file));
    const size = files.reduce((sum, file) => sum + statSync(`${dist}/${file}`).size, 0);
    expect(size).toBeLessThanOrEqual(kb * kb);
  });

  it('asks for nothing from anywhere else', () => {
    const html = readFileSync(`${dist}/index.html`, 'utf8');
    expect(html).not.toMatch(/(?:src|href)="(?!\/)/);
  });
});
