/** Files in places where others may have laid something ready: a link to a file of somebody else's, or a pipe that keeps whoever opens it. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { errors } from '../errors.ts';
import { codeOf } from './thrown.ts';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** What the system says of a link, and of a pipe that nobody reads. */
const notPlain: ReadonlySet<string | undefined> = new Set(['ELOOP', 'EMLINK', 'ENXIO']);

/** Opens the plain file at `path` itself, with a mode for its owner alone where `flags` make it. Throws INVALID_OPERATION where it is none. */
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

/** The text of the plain file at `path`, once `check` has seen whose it is. Throws as `openPlain` and `check` do. */
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
