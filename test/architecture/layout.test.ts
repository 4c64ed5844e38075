/** Keeps the tree readable: short files, kebab-case names, no paths of the machine it was written on. */
import { expect, it } from 'vitest';
import { projectFiles, textOf } from './project-files.ts';

const code = projectFiles('{src,test,bin,bench,client,web/src,web/build}/**/*.{ts,tsx,js,mjs}').filter(
  (path) => !path.startsWith('client/generated/'),
);

it('looks at the code', () => {
  expect(code).toContain('bin/kith.js');
  expect(code).toContain('web/src/app/shell.tsx');
  expect(code.length).toBeGreaterThan(20);
});

it('has no file of more than 400 lines', () => {
  expect(code.filter((path) => textOf(path).trimEnd().split('\n').length > 400)).toEqual([]);
});

it('has no folder for things without a place of their own', () => {
  const catchAll = /\/(utils?|helpers?|commons?|services?|misc|shared)\//;
  expect(code.filter((path) => catchAll.test(path))).toEqual([]);
});

it('names files in kebab-case', () => {
  expect(
    code.filter((path) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.(ts|tsx|js|mjs)$/.test(path.split('/').at(-1) ?? '')),
  ).toEqual([]);
});

it('has no barrel: a file that does nothing but export others', () => {
  const isBarrel = (path: string) => {
    const statements = textOf(path)
      .replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
      .split(/;\s*\n/)
      .map((statement) => statement.trim())
      .filter((statement) => statement !== '');
    return statements.length > 0 && statements.every((statement) => /^export [^;]* from /.test(statement));
  };
  expect(code.filter(isBarrel)).toEqual([]);
});

it('names no path of the machine it was written on', () => {
  const places = ['work', 'tmp', 'root', 'home'].map((name) => `/${name}/`).join('|');
  const machinePath = new RegExp(`(^|[\\s'"\`(=:])(${places})[\\w.-]`, 'm');
  const all = projectFiles('**/*', '.ci/*', '.*');
  expect(all).toContain('package.json');
  expect(all).toContain('.ci/run');
  expect(all.filter((path) => machinePath.test(textOf(path)))).toEqual([]);
});
