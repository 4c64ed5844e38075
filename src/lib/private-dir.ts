/** Directories that Kith keeps its own files in: nobody else may have made them, be able to put something there, or put others in their place. */
import { lstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { errors } from '../errors.ts';
import { asAccount, toldAccount } from './account-name.ts';
import { makeFolder } from './make-folder.ts';
import { isTrustedOwner, othersCanWrite } from './trusted.ts';

/**
 * Makes the directory where it is not there, for this account alone; its path without symbolic links. Throws as `refuseShared`,
 * and where root would leave files of its own in the directory of another account, which that account could not use.
 */
export function makePrivateDir(directory: string): string {
  refuseShared(directory);
  const owner = otherOwner(directory);
  if (owner !== undefined) {
    throw errors.invalidOperation(
      `${directory} belongs to ${toldAccount(owner)}, and root puts nothing there: ${asAccount(owner)}, or name a directory of root's`,
    );
  }
  // Root's may be passed: PostgreSQL runs as another account.
  makeFolder(directory, process.getuid?.() === 0 ? 0o711 : 0o700);
  refuseShared(directory);
  return realpathSync(directory);
}

/** The uid that the directory belongs to, where this process is root's and the directory is not. */
export function otherOwner(directory: string): number | undefined {
  const found = statSync(directory, { throwIfNoEntry: false });
  return process.getuid?.() !== 0 || !found || found.uid === 0 ? undefined : found.uid;
}

/**
 * Throws INVALID_OPERATION, with what to do, where others could have laid files ready, or could put another directory in its
 * place. A directory that is not there is fine where the way to it is.
 */
export function refuseShared(directory: string): void {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found) refuseOpen(directory, found, uid);
  for (const step of wayTo(directory)) refuseStep(step, directory, found?.uid);
}

function refuseOpen(directory: string, found: Stats, uid: number): void {
  // Root may work in the directory of an account, such as the service's, but not where any account could have made it.
  const parent = statSync(path.dirname(realpathSync(directory)));
  const isForeign = found.uid !== uid && found.uid !== 0 && (uid !== 0 || (parent.mode & 0o002) !== 0);
  if (isForeign) {
    throw errors.invalidOperation(
      `${directory} belongs to ${toldAccount(found.uid)}: ${asAccount(found.uid)}, or name a directory of your own`,
    );
  }
  const isGroups = (found.mode & 0o020) !== 0 && !isOwnGroupsVolume(found);
  if ((found.mode & 0o002) !== 0 || isGroups) {
    throw errors.invalidOperation(
      `Others can write in ${directory}: look at what is in it, then chmod go-w it, or name a directory of your own`,
    );
  }
}

/** Whatever others could move away: the directories above, as they are named and as they are without links, and the links. */
function wayTo(directory: string): ReadonlySet<string> {
  const named = path.resolve(directory);
  const steps = new Set(above(named));
  const link = lstatSync(named, { throwIfNoEntry: false });
  if (link?.isSymbolicLink()) steps.add(named);
  if (statSync(named, { throwIfNoEntry: false })) for (const step of above(realpathSync(named))) steps.add(step);
  return steps;
}

function above(directory: string): readonly string[] {
  const parent = path.dirname(directory);
  return parent === directory ? [] : [parent, ...above(parent)];
}

/** Whoever has the directory itself may have what is above it. */
function refuseStep(step: string, directory: string, owner: number | undefined): void {
  const found = lstatSync(step, { throwIfNoEntry: false });
  if (!found) return;
  const risk = `so that ${directory} could be replaced by another directory`;
  if (!isTrustedOwner(found) && found.uid !== owner && !isFromOutside(found)) {
    throw errors.invalidOperation(
      `${step} belongs to ${toldAccount(found.uid)}, ${risk}: name a directory whose parents are yours or root's`,
    );
  }
  if (found.isDirectory() && (found.mode & 0o1000) === 0 && isSharedStep(found)) {
    throw errors.invalidOperation(
      `Others can write in ${step}, ${risk}: look at what is in it, then chmod go-w it, or name a directory elsewhere`,
    );
  }
}

function isSharedStep(found: Stats): boolean {
  return (found.mode & 0o002) !== 0 || (othersCanWrite(found) && !isOwnGroupsVolume(found));
}

/** How volumes are given to containers that do not run as root: they belong to root, and to a group of the account. */
function isOwnGroupsVolume({ uid, gid }: { readonly uid: number; readonly gid: number }): boolean {
  return uid === 0 && (process.getgroups?.().includes(gid) ?? false);
}

/** What the system shows in place of accounts that a sandbox does not know, such as the machine's root. */
const unknownAccount = 65_534;

/** Whether the owner is one of outside the sandbox that this process runs in: nobody in it has that account. */
function isFromOutside({ uid }: { readonly uid: number }): boolean {
  if (uid !== unknownAccount || process.platform !== 'linux') return false;
  const maps = readFileSync('/proc/self/uid_map', 'utf8').trim().split('\n');
  return !maps.some((line) => {
    const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
    return first <= unknownAccount && unknownAccount < first + count;
  });
}
