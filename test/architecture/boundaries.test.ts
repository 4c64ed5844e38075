/** The table of ARCHITECTURE.md holds: who imports whom, and which package has which one home. */
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { projectFiles, root, textOf } from './project-files.ts';

/** The application has packages of its own, which are installed by whoever builds it. */
const hasWeb = existsSync(join(root, 'web/node_modules'));
const parts = ['src', 'bin', 'client', ...(hasWeb ? ['web/src'] : [])];

let seen: { source: string; dependencies: { resolved: string }[] }[] = [];
let violations: string[] = [];

beforeAll(async () => {
  const options = await extractOptions(join(root, '.dependency-cruiser.mjs'));
  const { output } = await cruise(parts, { ...options, baseDir: root });
  if (typeof output === 'string') throw new Error('dependency-cruiser answered with text');
  seen = output.modules;
  violations = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
});

it('finds no import that the table forbids', () => {
  expect(violations).toEqual([]);
});

it('has seen every file: a parser that fails finds nothing to forbid', () => {
  const sources = seen.map((module) => module.source).filter((source) => source.startsWith('src/'));
  const files = projectFiles('src/**/*.ts', 'src/**/*.js');
  expect(files.length).toBeGreaterThan(0);
  // What declares a package without types is imported by nobody.
  expect(sources.toSorted()).toEqual(files.filter((path) => !path.endsWith('.d.ts')));
});

it.skipIf(!hasWeb)('has seen the application, too (needs the packages of web/)', () => {
  expect(seen.filter(({ source }) => source.startsWith('web/src/')).length).toBeGreaterThan(100);
});

it('has seen imports of types too', () => {
  const typed = projectFiles('src/**/*.ts').filter((path) => /^import type .* from '\.\.?\//m.test(textOf(path)));
  const followed = new Set(seen.filter((module) => module.dependencies.length > 0).map((module) => module.source));
  expect(typed.length).toBeGreaterThan(0);
  expect(typed.filter((path) => !followed.has(path))).toEqual([]);
});
