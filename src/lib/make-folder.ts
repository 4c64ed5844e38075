/** Creates folders with their parents, at paths that may be impossible. */
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { errors } from '../errors.ts';
import { codeOf } from './thrown.ts';

/**
 * Creates the folder and missing parents with `mode`, regardless of the umask; does nothing where it exists. Throws
 * INVALID_OPERATION, also where a file is in the way, or the system's error.
 */
export function makeFolder(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
    chmodSync(folder, mode);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    if (codeOf(error) === 'EEXIST')
      throw errors.invalidOperation(`${folder} is there, and is no directory: name another place`);
    if (codeOf(error) !== 'ENOENT') throw error;
    const parent = path.dirname(folder);
    // For example in `/proc`, where Node's own recursion never ends.
    if (existsSync(parent)) throw errors.invalidOperation(`No folder can be made in ${parent}: name a place elsewhere`);
    makeFolder(parent, mode);
    makeFolder(folder, mode);
  }
}
