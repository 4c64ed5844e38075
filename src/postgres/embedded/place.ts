/** Where the files of an embedded PostgreSQL lie: in the data directory, unless the server's account cannot get there. */
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
import { asAccount, toldAccount } from '../../lib/account-name.ts';
import { makePrivateDir, otherOwner, refuseShared } from '../../lib/private-dir.ts';
import { codeOf } from '../../lib/thrown.ts';
import { unavailable } from '../failure.ts';
import { accountFor, canReach, giveTo } from './account.ts';
import type { Account } from './account.ts';

/** What it takes to use a server that runs. */
export interface RunningPlace {
  readonly account: Account | undefined;
  readonly servicePasswordFile: string;
  readonly recordFile: string;
}

export interface Place extends RunningPlace {
  /** The data directory without symbolic links. */
  readonly dataDir: string;
  /** The cluster; the major version is in its name, so that a later one finds it and does not touch it. */
  readonly clusterDir: string;
  /** Where a copy of the binaries goes, if one is needed. */
  readonly copyDir: string;
  /** Of the superuser, which is the supervisor's. */
  readonly passwordFile: string;
  readonly logFile: string;
}

const clusterName = 'pg18';
/** In the data directory where the cluster is outside: its path. */
const pointerName = 'cluster-location';
/** In the data directory while a server runs: where it is. */
export const recordName = 'postgres.json';
const socketDirName = 'kith-pg-';
const outsideDir = '/var/lib/kith';
/** A socket's whole path may have 107 bytes. */
const longestDir = 107 - '/.s.PGSQL.5432'.length;

/** Makes the data directory and decides where the cluster is; the cluster itself may not exist yet. */
export function findPlace(wantedDir: string): Place {
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

/** Where a server runs if one does; undefined where there is no cluster. Makes nothing, not even the account of a server to come. */
export function placeOfRunning(wantedDir: string): RunningPlace | undefined {
  refuseShared(wantedDir);
  const dataDir = realpathSync(wantedDir);
  const clusterDir = clusterIn(dataDir);
  if (!existsSync(clusterDir)) return undefined;
  refuseForeign(dataDir, clusterDir);
  return { account: accountFor(clusterDir), ...runningIn(dataDir) };
}

/** Where the cluster is, or would be unless the server's account cannot get there. */
function clusterIn(dataDir: string): string {
  const pointer = path.join(dataDir, pointerName);
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : path.join(dataDir, clusterName);
}

/** For root, that looks after the service of another account: it uses what runs there, and makes and starts nothing. */
export function placeOfAnother(dataDir: string): RunningPlace | undefined {
  const uid = otherOwner(dataDir);
  if (uid === undefined) return undefined;
  refuseShared(dataDir);
  const { gid } = statSync(dataDir);
  return { account: { uid, gid }, ...runningIn(dataDir) };
}

function runningIn(dataDir: string): Omit<RunningPlace, 'account'> {
  return {
    servicePasswordFile: path.join(dataDir, 'service-password'),
    recordFile: path.join(dataDir, recordName),
  };
}

/** The account of such a directory could do nothing with a cluster that earlier releases have made there as root. */
function refuseMixed(dataDir: string): void {
  if (otherOwner(dataDir) === undefined) return;
  refuseShared(dataDir);
  const found = realpathSync(dataDir);
  const cluster = [path.join(found, clusterName), path.join(outsideDir, fingerprint(found), clusterName)].find((at) =>
    existsSync(at),
  );
  if (cluster === undefined || statSync(cluster).uid === statSync(dataDir).uid) return;
  throw errors.invalidOperation(
    `${dataDir} belongs to ${toldAccount(statSync(dataDir).uid)}, and root has made its cluster: chown root it, and move it to a directory of root's`,
  );
}

function refuseForeign(dataDir: string, clusterDir: string): void {
  const uid = process.getuid?.();
  const cluster = lstatSync(clusterDir, { throwIfNoEntry: false });
  if (uid === undefined || uid === 0 || cluster === undefined || cluster.uid === uid) return;
  // Root's has a cluster of the account that PostgreSQL runs as, which could do nothing in the directory.
  const { uid: owner } = statSync(dataDir);
  const [what, whose] = owner === uid ? [clusterDir, cluster.uid] : [dataDir, owner];
  throw unavailable(`${what} belongs to ${toldAccount(whose)}: ${asAccount(whose)}, or name another KITH_DATA_DIR`);
}

function fingerprint(directory: string): string {
  return createHash('sha256').update(directory).digest('hex').slice(0, 24);
}

/** A fresh directory for the socket that only the server's account and root can enter. */
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

/** What the system says of a directory in which nothing can be made, whatever is done about its disk. */
const unusable: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS']);

/** Makes the socket's directory again when it is gone. Throws UNAVAILABLE when somebody else has taken its name. */
export function keepSocketDir(account: Account | undefined, directory: string): void {
  if (!existsSync(directory)) {
    mkdirSync(directory, { mode: 0o700 });
    giveTo(account, directory);
  }
  if (!isSocketDir(account, directory))
    throw unavailable(`${directory} has been taken by another account: restart the service, which takes another`);
}

/** Whether `directory` is one that `makeSocketDir` has made: somebody else may have taken its name when it was gone. */
export function isSocketDir(account: Account | undefined, directory: string): boolean {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (!found?.isDirectory() || !path.basename(directory).startsWith(socketDirName)) return false;
  const uid = account?.uid ?? process.getuid?.();
  return uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0);
}

/** Gives a cluster made by root to the account, with all that is in it. */
export function giveTreeTo(account: Account | undefined, directory: string): void {
  if (!account) return;
  chownSync(directory, account.uid, account.gid);
  chmodSync(directory, 0o700);
  for (const entry of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    giveTo(account, path.join(directory, entry));
  }
}
