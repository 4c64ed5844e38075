/**
 * A lock that one process can hold, released by the system however the process ends. It locks a byte of a file that
 * nobody else can open, by SQLite, which comes with Node.
 */
import { accessSync, constants, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { codeOf, messageOf } from '../../lib/thrown.ts';
import { unavailable } from '../failure.ts';

export interface Lock {
  release(): void;
}

/** SQLITE_BUSY */
const isTaken = 5;

/**
 * Locks `file`, which is created empty and stays so; undefined when it is taken. Nothing else in this process may
 * open the file: closing it would release the lock.
 */
export function takeLock(file: string): Lock | undefined {
  try {
    writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  accessSync(file, constants.R_OK | constants.W_OK); // reports the reason, which SQLite does not
  const holder = new DatabaseSync(file);
  try {
    // The transaction is opened only for its lock; it writes nothing, and is never committed.
    holder.exec('pragma journal_mode = memory; begin immediate');
  } catch (error) {
    holder.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === isTaken) return undefined;
    throw unavailable(`${file} cannot be locked (${messageOf(error)}): put the data directory on a local disk`, error);
  }
  return { release: () => holder.close() };
}
