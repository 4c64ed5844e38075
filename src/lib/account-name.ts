/** Accounts of this machine in sentences for its operator. */
import { spawnSync } from 'node:child_process';

/** The account of the system in words: by its name where it has one, else by its number. */
export function toldAccount(uid: number): string {
  const name = nameOf(uid);
  return name === undefined ? `the account with uid ${uid}` : `the account ${name}`;
}

/** How this process's account starts Kith as that one. */
export function asAccount(uid: number): string {
  const name = nameOf(uid);
  if (name === undefined) return 'start Kith as that account';
  const command = process.getuid?.() === 0 ? `runuser -u ${name} --` : uid === 0 ? 'sudo' : `sudo -u ${name}`;
  return `start Kith as that account (${command} kith …)`;
}

/** Undefined where the account has no name. */
export function nameOf(uid: number): string | undefined {
  const { status, stdout } = spawnSync('id', ['-un', String(uid)], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}
