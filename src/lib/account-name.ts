/** System accounts in messages for the operator. */
import { spawnSync } from 'node:child_process';

/** The account's name, or its number without one. */
export function accountLabel(uid: number): string {
  const name = nameOf(uid);
  return name === undefined ? `the account with uid ${uid}` : `the account ${name}`;
}

/** How the operator starts Kith as that account. */
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
