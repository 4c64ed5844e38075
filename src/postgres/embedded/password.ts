/** The passwords of the cluster's roles, each in a file of its own. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { codeOf } from '../../lib/thrown.ts';
import { unavailable } from '../failure.ts';

/** 32 characters that need no escaping anywhere. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** Throws UNAVAILABLE, with `remedy` at the end, when the file is not there or holds no password. */
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
