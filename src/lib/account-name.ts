/** Accounts of this machine in sentences for its operator. */
import { spawnSync } from 'node:child_process';

export function toldAccount(uid: number): string {
  const name = nameOf(uid);
  return name === undefined ? `the account with uid ${uid}` : `the account ${name}`;
}

/** How root starts Kith as that account. */
export function asAccount(uid: number): string {
  const name = nameOf(uid);
  return name === undefined
    ? 'start Kith as that account'
    : `start Kith as that account (runuser -u ${name} -- kith …)`;
}

function nameOf(uid: number): string | undefined {
  const { status, stdout } = spawnSync('id', ['-un', String(uid)], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}
