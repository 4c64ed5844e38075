/** The project's own files, as a fresh clone holds them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

const foreign = new Set(['node_modules', '.git', '.kith', 'coverage']);

/** Paths from the root of the project's files that match one of the patterns. */
export function projectFiles(...patterns: string[]): string[] {
  return globSync(patterns, { cwd: root, withFileTypes: true, exclude: (entry) => foreign.has(entry.name) })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted();
}

export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
