/**
 * A lock that one process at a time can hold, and that ends with it however it ends. It is the system's own, on a byte of a
 * file that nobody else can open; SQLite, which comes with Node, is what can ask for one.
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
 * Takes the lock on `file`, which is made empty and stays so; undefined when somebody has it. Nothing else in this process may
 * open the file: closing it would let the lock go.
 */
export function takeLock(file: string): Lock | undefined {
  try {
    writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  accessSync(file, constants.R_OK | constants.W_OK); // it says why not, which SQLite does not
  const holder = new DatabaseSync(file);
  try {
    // Nothing is written: the transaction is begun for its lock, and never committed.
    holder.exec('pragma journal_mode = memory; begin immediate');
  } catch (error) {
    holder.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === isTaken) return undefined;
    throw unavailable(`${file} cannot be locked (${messageOf(error)}): put the data directory on a local disk`, error);
  }
  return { release: () => holder.close() };
}
