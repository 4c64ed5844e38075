/** What an installation brings along: how many packages, how large, and from where. */
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, textOf } from './project-files.ts';

interface Manifest {
  readonly allowScripts: Record<string, boolean>;
  readonly dependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}
interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly optionalDependencies?: Record<string, string>;
}

const manifest: Manifest = JSON.parse(textOf('package.json'));
const lock: { packages: Record<string, Locked> } = JSON.parse(textOf('package-lock.json'));
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

/** Run-time packages that are installed on this platform, beside Node itself. */
const runtime = packages
  .filter(([path, entry]) => !entry.dev && !/node_modules\/node-(bin-)?(linux|darwin|win)/.test(path))
  .map(([path]) => path)
  .filter((path) => existsSync(join(root, path)));

it('keeps the run-time set within 230 packages', () => {
  expect(runtime.length).toBeGreaterThanOrEqual(Object.keys(manifest.dependencies).length);
  expect(runtime.length).toBeLessThanOrEqual(230);
});

it('keeps the run-time set within 170 MB', () => {
  const bytes = runtime.reduce((sum, path) => sum + sizeOf(join(root, path)), 0);
  expect(bytes).toBeGreaterThan(1_000_000);
  expect(bytes / 1_000_000).toBeLessThanOrEqual(170);
});

it('pins exact versions', () => {
  const declared = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies };
  expect(Object.entries(declared).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

it('names every optional package in the lock file: `npm ci` refuses to install without', () => {
  const locked = new Set(packages.map(([path]) => path.split('node_modules/').at(-1)));
  const optional = packages.flatMap(([, entry]) => Object.keys(entry.optionalDependencies ?? {}));
  expect(optional.length).toBeGreaterThan(10);
  expect(optional.filter((name) => !locked.has(name))).toEqual([]);
});

it('locks contents, not the address of a registry', () => {
  expect(packages.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([]);
  // Development tools' binaries for other systems are named, since `npm ci` asks for that, but were not there to be hashed.
  const unhashed = packages.filter(([, entry]) => entry.integrity === undefined && !(entry.dev && entry.os));
  expect(unhashed.map(([path]) => path)).toEqual([]);
});

it('runs no script of a package: an installation asks for none, and none is needed', () => {
  const withScript = packages
    .filter(([, entry]) => entry.hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13));
  expect(withScript.length).toBeGreaterThan(1);
  expect(manifest.allowScripts).toEqual(Object.fromEntries(withScript.map((name) => [name, false])));
});

it('lets npm print errors only: its warnings are of another Node than that which runs Kith', () => {
  expect(textOf('.npmrc').split('\n')).toEqual(expect.arrayContaining(['loglevel=error', 'fund=false', 'audit=false']));
});

/** Bytes of a package's own files; packages nested in it are counted by themselves. */
function sizeOf(folder: string): number {
  return globSync('**/*', { cwd: folder, withFileTypes: true, exclude: (entry) => entry.name === 'node_modules' })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
