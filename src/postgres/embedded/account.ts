/**
 * The system account that runs PostgreSQL: this process's own, unless it is root, which PostgreSQL refuses. Then it
 * is the owner of an existing cluster, or the account `postgres`.
 */
import { spawnSync } from 'node:child_process';
import { lchownSync, statSync } from 'node:fs';
import path from 'node:path';
import { unavailable } from '../failure.ts';

/** As for `spawn`; undefined means this process's own account. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The account for the cluster in `clusterDir`, which need not exist yet; throws with a remedy when there is none. */
export function accountFor(clusterDir: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return accountNamed('postgres') ?? created('postgres') ?? refuse();
}

function accountNamed(name: string): Account | undefined {
  const uid = Number.parseInt(output('id', '-u', name), 10);
  const gid = Number.parseInt(output('id', '-g', name), 10);
  return uid > 0 && gid >= 0 ? { uid, gid } : undefined;
}

function created(name: string): Account | undefined {
  output('useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name);
  return accountNamed(name);
}

function output(command: string, ...args: string[]): string {
  // After `su`, root has the user's path, which lacks the folder of `useradd`.
  const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };
  const result = spawnSync(command, args, { encoding: 'utf8', env });
  return result.status === 0 ? result.stdout : '';
}

function refuse(): never {
  throw unavailable(
    'PostgreSQL refuses to run as root, and the account "postgres" could not be made: create it, start Kith as another user, or set DATABASE_URL',
  );
}

/** Gives `file` to the account if it differs from this process's. */
export function giveTo(account: Account | undefined, file: string): void {
  if (account) lchownSync(file, account.uid, account.gid);
}

/** Whether the account can enter `directory`, which requires access to every parent. */
export function canReach(account: Account | undefined, directory: string): boolean {
  if (!account) return true;
  for (let at = path.resolve(directory); ; at = path.dirname(at)) {
    const found = statSync(at, { throwIfNoEntry: false });
    if (found && !passes(account, found)) return false;
    if (at === path.dirname(at)) return true;
  }
}

function passes(account: Account, directory: { mode: number; uid: number; gid: number }): boolean {
  if (directory.uid === account.uid) return (directory.mode & 0o100) !== 0;
  if (directory.gid === account.gid) return (directory.mode & 0o010) !== 0;
  return (directory.mode & 0o001) !== 0;
}
