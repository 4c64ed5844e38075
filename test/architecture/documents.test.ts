/** The documents say what is there. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { settings } from '../../src/config.ts';
import { operatorNames } from '../../src/fields/operators/operator.ts';
import { projectFiles, root, textOf } from './project-files.ts';

const documents = projectFiles('*.md', 'docs/**/*.md');

it('has every setting in the table of configuration, and no other', () => {
  const rows = [...textOf('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]);
  expect(rows).toEqual(Object.keys(settings));
});

it('has every filter operator in the table of filters, and no other', () => {
  const table = textOf('docs/rest.md').match(/\| operator \|[^]*?\n\n/)?.[0] ?? '';
  const names = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map((match) => match[1] ?? ''));
  expect(names.toSorted()).toEqual([...operatorNames].toSorted());
});

it('links to files that exist', () => {
  expect(documents).toContain('README.md');
  const links = documents.flatMap((path) =>
    [...textOf(path).matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => join(dirname(path), match[1] ?? '')),
  );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('has a line in ARCHITECTURE.md for every folder of src', () => {
  const folders = new Set(projectFiles('src/*/**/*.ts').map((path) => path.split('/')[1]));
  const table = textOf('ARCHITECTURE.md');
  expect([...folders].filter((folder) => !table.includes(`| \`${folder}\``))).toEqual([]);
});
