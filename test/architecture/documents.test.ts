/** The documents say what is there. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { settings } from '../../src/settings.ts';
import { fieldTypeNames } from '../../src/fields/field-def.ts';
import { operatorNames } from '../../src/fields/operators/operator.ts';
import { headingIds } from '../../src/http/document-html.ts';
import { routes } from '../../src/http/routes.ts';
import { retypesTo } from '../fields/retypes-to.ts';
import { projectFiles, root, textOf } from './project-files.ts';

const documents = projectFiles('*.md', 'docs/**/*.md');

it('has every setting in the table of configuration, with its default and its meaning, and no other', () => {
  const plain = (cell: string) => cell.replaceAll('`', '').trim();
  const rows = [...textOf('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` \|([^|]*)\|(.*)\|$/gm)];
  const told = rows.map(([, name, usual = '', meaning = '']) => [name, plain(usual), plain(meaning)]);
  const small = (text: string) => (/^[A-Z]([a-z]| )/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text);
  expect(told).toEqual(
    Object.entries(settings).map(([name, { default: usual, meaning }]) => [name, usual, small(meaning)]),
  );
});

it('has every filter operator in the table of filters, and no other', () => {
  const table = textOf('docs/rest/filters.md').match(/\| operator \|[^]*?\n\n/)?.[0] ?? '';
  const names = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map((match) => match[1] ?? ''));
  expect(names.toSorted()).toEqual([...operatorNames].toSorted());
});

it('has every route', () => {
  const rows = [...textOf('docs/rest/README.md').matchAll(/^\| `([A-Z]+ [^`?]+)/gm)].map((match) => match[1] ?? '');
  const served = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  // PATCH is told beside PUT.
  expect(rows.toSorted()).toEqual(served.filter((route) => !route.startsWith('PATCH')).toSorted());
});

it.each([
  ['docs/manifest.md', '| type | holds |'],
  ['docs/rest/values.md', '| type | in JSON |'],
  ['docs/rest/filters.md', '| type of field |'],
])('%s has every type of field in the table %s', (path, head) => {
  const told = tableOf(path, head).flatMap(([types = '']) => namesIn(types));
  // Filters know a pipeline as its step.
  expect(fieldTypeNames.filter((name) => !told.includes(name) && name !== 'PIPELINE')).toEqual([]);
});

it('has every change of type that keeps values', () => {
  const told = new Map<string, readonly string[]>();
  for (const [from = '', to = ''] of tableOf('docs/manifest.md', '| from | to |')) {
    const types = namesIn(from);
    const others = (type: string) => (to.includes('each other') ? types.filter((name) => name !== type) : []);
    for (const type of types) told.set(type, [...namesIn(to), ...others(type)]);
    if (to.includes('and back')) for (const type of namesIn(to)) told.set(type, types);
  }
  const sorted = (types: readonly string[]) => types.toSorted();
  const known = fieldTypeNames.map((name) => [name, sorted(retypesTo(name))] as const);
  expect(fieldTypeNames.map((name) => [name, sorted(told.get(name) ?? [])])).toEqual(known);
});

/** The cells of a table's rows; `head` is how its first line begins. */
function tableOf(path: string, head: string): readonly (readonly string[])[] {
  const text = textOf(path);
  const from = text.indexOf(head);
  expect(from, head).toBeGreaterThan(0);
  const [, , ...rows] = (text.slice(from).split('\n\n')[0] ?? '').split('\n');
  return rows.map((row) => row.split('|').slice(1, -1));
}

function namesIn(cell: string): readonly string[] {
  return cell.match(/\b[A-Z][A-Z_]+\b/g) ?? [];
}

it('links to files that exist, and to headings that are in them', () => {
  expect(documents).toContain('README.md');
  const links = documents.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([link, path = '', anchor]) => {
      const target = path === '' ? page : join(dirname(page), path);
      return { page, link, target, anchor };
    }),
  );
  expect(links.length).toBeGreaterThan(10);
  const leads = ({ target, anchor }: (typeof links)[number]): boolean =>
    existsSync(join(root, target)) && (anchor === undefined || anchorsOf(textOf(target)).has(anchor));
  expect(links.filter((link) => !leads(link)).map(({ page, link }) => `${page}: ${link}`)).toEqual([]);
});

it.each([
  ['# What `pull` prints, and "why"', ['what-pull-prints-and-why']],
  ['## RICH_TEXT', ['rich_text']],
  ['## [Roles](roles.md) & rights', ['roles--rights']],
  ['# Limits\n\n## Limits', ['limits', 'limits-1']],
  ['# Cafe\u0301', ['cafe\u0301']],
  ['```yaml\n# of companies\n```\n\n#### Straße', ['straße']],
])('knows the anchors of %j', (page, anchors) => {
  expect([...anchorsOf(page)]).toEqual(anchors);
});

/** The anchors of a page's headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = page.replace(/^```[^]*?^```$/gm, '').matchAll(/^#{1,6} +(.+)$/gm);
  const idOf = headingIds();
  return new Set([...headings].map(([, heading = '']) => idOf(heading.trim())));
}

it('has a line in ARCHITECTURE.md for every folder of src', () => {
  const folders = new Set(projectFiles('src/*/**/*.ts').map((path) => path.split('/')[1]));
  const table = textOf('ARCHITECTURE.md');
  expect([...folders].filter((folder) => !table.includes(`| \`${folder}\``))).toEqual([]);
});
