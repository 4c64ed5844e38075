/**
 * Opens files where others may have prepared something: a link to someone else's file, or a pipe that blocks its
 * opener.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { errors } from '../errors.ts';
import { codeOf } from './thrown.ts';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** The system's errors for a link, and for a pipe without a reader. */
const notPlain: ReadonlySet<string | undefined> = new Set(['ELOOP', 'EMLINK', 'ENXIO']);

/**
 * Opens the plain file at `path` itself; if `flags` create it, only its owner gets access. Throws INVALID_OPERATION
 * for anything else.
 */
function openPlain(path: string, flags: number): number {
  let file: number;
  try {
    file = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    throw notPlain.has(codeOf(error)) ? refusal(path) : error;
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw refusal(path);
}

/** Reads the plain file at `path`, after `check` has seen its owner. Throws as `openPlain` and `check` do. */
export function readPlain(path: string, check: (found: Stats) => void = () => {}): string {
  const file = openPlain(path, O_RDONLY);
  try {
    check(fstatSync(file));
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function refusal(path: string): Error {
  return errors.invalidOperation(`${path} is a link or no plain file: put the file itself there, or remove it`);
}
