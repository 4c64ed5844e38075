/** Folders with those above them, where a caller names a place that may be none. */
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { errors } from '../errors.ts';
import { codeOf } from './thrown.ts';

/** Makes the folder, and those above it that are not there, with `mode` whatever the umask is; nothing where it is. Throws INVALID_OPERATION, also where a file is in the way, or what the system says. */
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
    // Such as `/proc`: Node's own recursion never ends there.
    if (existsSync(parent)) throw errors.invalidOperation(`No folder can be made in ${parent}: name a place elsewhere`);
    makeFolder(parent, mode);
    makeFolder(folder, mode);
  }
}
