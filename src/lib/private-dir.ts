/**
 * Directories for Kith's own files: nobody else may have created them, be able to write there, or be able to replace
 * them.
 */
import { lstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { errors } from '../errors.ts';
import { asAccount, accountLabel } from './account-name.ts';
import { makeFolder } from './make-folder.ts';
import { isTrustedOwner, othersCanWrite } from './trusted.ts';

/**
 * Creates the directory if missing, for this account alone, and returns its path without symbolic links. Throws as
 * `refuseShared`, and where root would leave files in another account's directory, which that account could not use.
 */
export function makePrivateDir(directory: string): string {
  refuseShared(directory);
  const owner = otherOwner(directory);
  if (owner !== undefined) {
    throw errors.invalidOperation(
      `${directory} belongs to ${accountLabel(owner)}, and root puts nothing there: ${asAccount(owner)}, or name a directory of root's`,
    );
  }
  // Root's must be passable: PostgreSQL runs as another account.
  makeFolder(directory, process.getuid?.() === 0 ? 0o711 : 0o700);
  refuseShared(directory);
  return realpathSync(directory);
}

/** The uid of the directory's owner, where this process is root and the directory belongs to someone else. */
export function otherOwner(directory: string): number | undefined {
  const found = statSync(directory, { throwIfNoEntry: false });
  return process.getuid?.() !== 0 || !found || found.uid === 0 ? undefined : found.uid;
}

/**
 * Throws INVALID_OPERATION, with a remedy, where others could have prepared files or could replace the directory. A
 * missing directory is fine if its parents are.
 */
export function refuseShared(directory: string): void {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found) refuseOpen(directory, found, uid);
  for (const step of wayTo(directory)) refuseStep(step, directory, found?.uid);
}

function refuseOpen(directory: string, found: Stats, uid: number): void {
  // Root may use an account's own directory, such as the service's, but not one in a place where any account could
  // have created it.
  const parent = statSync(path.dirname(realpathSync(directory)));
  const isForeign = found.uid !== uid && found.uid !== 0 && (uid !== 0 || (parent.mode & 0o002) !== 0);
  if (isForeign) {
    throw errors.invalidOperation(
      `${directory} belongs to ${accountLabel(found.uid)}: ${asAccount(found.uid)}, or name a directory of your own`,
    );
  }
  const isGroups = (found.mode & 0o020) !== 0 && !isOwnGroupsVolume(found);
  if ((found.mode & 0o002) !== 0 || isGroups) {
    throw errors.invalidOperation(
      `Others can write in ${directory}: look at what is in it, then chmod go-w it, or name a directory of your own`,
    );
  }
}

/**
 * Everything whose move by others would replace the directory: its parents, by the given path and resolved, and the
 * links.
 */
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

/** The directory's owner may also own its parents. */
function refuseStep(step: string, directory: string, owner: number | undefined): void {
  const found = lstatSync(step, { throwIfNoEntry: false });
  if (!found) return;
  const risk = `so that ${directory} could be replaced by another directory`;
  if (!isTrustedOwner(found) && found.uid !== owner && !isFromOutside(found)) {
    throw errors.invalidOperation(
      `${step} belongs to ${accountLabel(found.uid)}, ${risk}: name a directory whose parents are yours or root's`,
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

/** Volumes in containers that do not run as root belong to root and to a group of the account. */
function isOwnGroupsVolume({ uid, gid }: { readonly uid: number; readonly gid: number }): boolean {
  return uid === 0 && (process.getgroups?.().includes(gid) ?? false);
}

/** The uid shown for accounts unknown in a sandbox, such as the machine's root. */
const unknownAccount = 65_534;

/** Whether the owner is outside this process's sandbox: nobody inside it has that account. */
function isFromOutside({ uid }: { readonly uid: number }): boolean {
  if (uid !== unknownAccount || process.platform !== 'linux') return false;
  const maps = readFileSync('/proc/self/uid_map', 'utf8').trim().split('\n');
  return !maps.some((line) => {
    const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
    return first <= unknownAccount && unknownAccount < first + count;
  });
}
