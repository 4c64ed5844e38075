/** One pager: cursors are read and written, and positions become conditions, in the files that are named here. */
import { parseSync } from '@swc/core';
import { expect, it } from 'vitest';
import { projectFiles, textOf } from './project-files.ts';

/** What makes a page, and who alone may import it. */
const homes: Readonly<Record<string, readonly string[]>> = {
  fingerprint: ['src/query/paging.ts'],
  readCursor: ['src/query/paging.ts'],
  writeCursor: ['src/query/paging.ts'],
  rangesOf: ['src/query/source.ts'],
  // The history of a record is counted from its newest entry, and what a change set wrote goes on behind an entry.
  openPage: [
    ...['src/query/page-start.ts', 'src/query/plan-page.ts'],
    ...['src/records/past/history.ts', 'src/records/past/writes-page.ts'],
  ],
};
const modules = /\/(cursor|keyset|paging)\.ts$/;

interface Node {
  readonly type?: string;
  readonly value?: unknown;
  readonly source?: Node | null;
  readonly arguments?: readonly { readonly expression?: Node }[];
  readonly specifiers?: readonly {
    readonly type: string;
    readonly imported?: Node | null;
    readonly orig?: Node;
    readonly local?: Node;
  }[];
}

/** The names that a program takes from the pager's modules; `*` for a whole one. */
function namesIn(text: string): string[] {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, source, specifiers = [], arguments: given = [] } = node as Node;
    if (source && modules.test(String(source.value))) {
      const isWhole = specifiers.some((specifier) => !/^(Import|Export)Specifier$/.test(specifier.type));
      if (isWhole || specifiers.length === 0) names.add('*');
      else for (const { imported, orig, local } of specifiers) names.add(String((imported ?? orig ?? local)?.value));
    }
    if (type === 'CallExpression' && modules.test(String(given[0]?.expression?.value))) names.add('*');
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(text, { syntax: 'typescript', target: 'esnext' }));
  return [...names].toSorted();
}

it.each([
  [`import { readCursor, type Position } from './cursor.ts'`, ['Position', 'readCursor']],
  [`import { writeCursor as write } from '../query/cursor.ts'`, ['writeCursor']],
  [`import * as cursor from './cursor.ts'`, ['*']],
  [`export { rangesOf } from './keyset.ts'`, ['rangesOf']],
  [`export * from './paging.ts'`, ['*']],
  [`const { readCursor } = await import('./cursor.ts')`, ['*']],
  [`import { readCursor } from './others.ts'`, []],
])('sees %s', (text, names) => {
  expect(namesIn(text)).toEqual(names);
});

it('no other file makes a cursor, or a condition of a position', () => {
  const found = Object.fromEntries(['*', ...Object.keys(homes)].map((name) => [name, [] as string[]]));
  for (const path of projectFiles('src/**/*.ts')) for (const name of namesIn(textOf(path))) found[name]?.push(path);
  expect(found).toEqual({ '*': [], ...homes });
});
