/** The passwords of the cluster's roles, one file each. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { codeOf } from '../../lib/thrown.ts';
import { unavailable } from '../failure.ts';

/** A new password of 32 characters that never need escaping. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** Reads a password. Throws UNAVAILABLE, ending in `remedy`, when the file is missing or contains none. */
export function readPassword(file: string, remedy: string): string {
  const password = textOf(file);
  if (password === undefined) throw unavailable(`${file} is missing: ${remedy}`);
  if (!/^[\w-]{32}$/.test(password)) throw unavailable(`${file} does not hold a password: ${remedy}`);
  return password;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
