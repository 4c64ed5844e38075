/** The files of an embedded PostgreSQL: in the data directory, unless the server's account has no access to it. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errors, type KithError } from '../../errors.ts';
import { asAccount, accountLabel } from '../../lib/account-name.ts';
import { makePrivateDir, otherOwner, refuseShared } from '../../lib/private-dir.ts';
import { codeOf } from '../../lib/thrown.ts';
import { unavailable } from '../failure.ts';
import { accountFor, canReach, giveTo } from './account.ts';
import type { Account } from './account.ts';

/** The files needed to use a running server. */
export interface RunningFiles {
  readonly account: Account | undefined;
  readonly servicePasswordFile: string;
  readonly recordFile: string;
}

export interface ClusterFiles extends RunningFiles {
  /** The data directory without symbolic links. */
  readonly dataDir: string;
  /** The cluster's directory, with the major version in its name, so that a later version does not touch it. */
  readonly clusterDir: string;
  /** For a copy of the binaries, if one is needed. */
  readonly copyDir: string;
  /** The superuser's password; used by the supervisor alone. */
  readonly passwordFile: string;
  readonly logFile: string;
}

const clusterName = 'pg18';
/** File in the data directory with the path of a cluster outside of it. */
const pointerName = 'cluster-location';
/** File in the data directory that describes a running server. */
export const recordName = 'postgres.json';
const socketDirName = 'kith-pg-';
const outsideDir = '/var/lib/kith';
/** A socket's path may have 107 bytes. */
const longestDir = 107 - '/.s.PGSQL.5432'.length;

/** Creates the data directory and chooses the cluster's directory, which may not exist yet. */
export function findClusterFiles(wantedDir: string): ClusterFiles {
  refuseMixed(wantedDir);
  const dataDir = makePrivateDir(wantedDir);
  const inside = path.join(dataDir, clusterName);
  const outside = path.join(outsideDir, fingerprint(dataDir));
  let clusterDir = clusterIn(dataDir);
  const account = accountFor(clusterDir);
  if (clusterDir === inside && !canReach(account, dataDir)) {
    if (existsSync(inside)) throw cannotEnter(dataDir);
    clusterDir = path.join(outside, clusterName);
    if (!canReach(account, makePrivateDir(outside))) throw cannotEnter(outside);
    writeFileSync(path.join(dataDir, pointerName), `${clusterDir}\n`);
  }
  refuseForeign(dataDir, clusterDir);
  return {
    dataDir,
    clusterDir,
    account,
    copyDir: clusterDir === inside && canReach(account, dataDir) ? dataDir : outsideDir,
    passwordFile: path.join(dataDir, 'postgres-password'),
    ...runningIn(dataDir),
    logFile: path.join(dataDir, 'postgres.log'),
  };
}

function cannotEnter(directory: string): KithError {
  return unavailable(
    `The account that PostgreSQL runs as cannot enter ${directory}: let others pass (chmod o+x) its directories`,
  );
}

/** The files of a server that may be running; undefined without a cluster. Creates nothing, not even an account. */
export function filesOfRunning(wantedDir: string): RunningFiles | undefined {
  refuseShared(wantedDir);
  const dataDir = realpathSync(wantedDir);
  const clusterDir = clusterIn(dataDir);
  if (!existsSync(clusterDir)) return undefined;
  refuseForeign(dataDir, clusterDir);
  return { account: accountFor(clusterDir), ...runningIn(dataDir) };
}

/** The cluster's directory, or its default one. */
function clusterIn(dataDir: string): string {
  const pointer = path.join(dataDir, pointerName);
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : path.join(dataDir, clusterName);
}

/** For root, when it inspects another account's service: uses what is running, creates and starts nothing. */
export function filesOfAnother(dataDir: string): RunningFiles | undefined {
  const uid = otherOwner(dataDir);
  if (uid === undefined) return undefined;
  refuseShared(dataDir);
  const { gid } = statSync(dataDir);
  return { account: { uid, gid }, ...runningIn(dataDir) };
}

function runningIn(dataDir: string): Omit<RunningFiles, 'account'> {
  return {
    servicePasswordFile: path.join(dataDir, 'service-password'),
    recordFile: path.join(dataDir, recordName),
  };
}

/**
 * Refuses a directory of an account in which an earlier release created the cluster as root: the account could not
 * use it.
 */
function refuseMixed(dataDir: string): void {
  if (otherOwner(dataDir) === undefined) return;
  refuseShared(dataDir);
  const found = realpathSync(dataDir);
  const cluster = [path.join(found, clusterName), path.join(outsideDir, fingerprint(found), clusterName)].find((at) =>
    existsSync(at),
  );
  if (cluster === undefined || statSync(cluster).uid === statSync(dataDir).uid) return;
  throw errors.invalidOperation(
    `${dataDir} belongs to ${accountLabel(statSync(dataDir).uid)}, and root has made its cluster: chown root it, and move it to a directory of root's`,
  );
}

function refuseForeign(dataDir: string, clusterDir: string): void {
  const uid = process.getuid?.();
  const cluster = lstatSync(clusterDir, { throwIfNoEntry: false });
  if (uid === undefined || uid === 0 || cluster === undefined || cluster.uid === uid) return;
  // A directory of root's may contain a cluster of PostgreSQL's account, which could do nothing in the directory.
  const { uid: owner } = statSync(dataDir);
  const [what, whose] = owner === uid ? [clusterDir, cluster.uid] : [dataDir, owner];
  throw unavailable(`${what} belongs to ${accountLabel(whose)}: ${asAccount(whose)}, or name another KITH_DATA_DIR`);
}

function fingerprint(directory: string): string {
  return createHash('sha256').update(directory).digest('hex').slice(0, 24);
}

/** Creates a directory for the socket that only the server's account and root can enter. */
export function makeSocketDir(account: Account | undefined): string {
  for (const base of [tmpdir(), '/tmp']) {
    if (Buffer.byteLength(base) > longestDir - 16 || !canReach(account, base)) continue;
    try {
      const directory = mkdtempSync(path.join(base, socketDirName));
      giveTo(account, directory);
      return directory;
    } catch (error) {
      if (!unusable.has(codeOf(error))) throw error;
    }
  }
  throw unavailable(
    'No temporary directory is there, can be written and has a path short enough for a socket: set TMPDIR to one that is',
  );
}

/** System errors of a directory in which nothing can be created, regardless of disk space. */
const unusable: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS']);

/** Creates the socket's directory again if it is gone. Throws UNAVAILABLE when somebody else has taken its name. */
export function keepSocketDir(account: Account | undefined, directory: string): void {
  if (!existsSync(directory)) {
    mkdirSync(directory, { mode: 0o700 });
    giveTo(account, directory);
  }
  if (!isSocketDir(account, directory))
    throw unavailable(`${directory} has been taken by another account: restart the service, which takes another`);
}

/** Whether `makeSocketDir` has created `directory`: somebody else may have taken its name meanwhile. */
export function isSocketDir(account: Account | undefined, directory: string): boolean {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (!found?.isDirectory() || !path.basename(directory).startsWith(socketDirName)) return false;
  const uid = account?.uid ?? process.getuid?.();
  return uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0);
}

/** Gives a cluster created by root to the account, recursively. */
export function giveTreeTo(account: Account | undefined, directory: string): void {
  if (!account) return;
  chownSync(directory, account.uid, account.gid);
  chmodSync(directory, 0o700);
  for (const entry of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    giveTo(account, path.join(directory, entry));
  }
}
