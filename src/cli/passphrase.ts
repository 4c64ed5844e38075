/** Reads the passphrase of a backup from a file, since other users of the machine can see command lines. */
import { errors, quoted } from '../errors.ts';
import { readGiven } from '../lib/given-file.ts';
import { othersCanRead, othersCanWrite } from '../lib/trusted.ts';
import type { Onlooker } from './context.ts';
import { unreadable } from './unreadable.ts';

/**
 * The passphrase in the file, a pipe, or standard input for `-`. Throws VALIDATION_ERROR if it is too short or too long, or
 * the input does not end.
 */
export async function readPassphrase(
  path: string | undefined,
  { interruption: signal, note }: Pick<Onlooker, 'interruption' | 'note'>,
): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const content = await readGiven(path, {
    maxBytes: 64 * 1024,
    tooLong: `A passphrase has at most 64 KiB, and ${quoted(path)} is longer`,
    signal,
    check(found) {
      if (othersCanRead(found) || othersCanWrite(found))
        note(`Others on this machine can read or change the passphrase in ${path}: chmod 600 ${path}`);
    },
  }).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const passphrase = content.toString().replace(/\r?\n$/, '');
  if (passphrase.length < 8) throw errors.validation('A passphrase has at least eight characters');
  return passphrase;
}
