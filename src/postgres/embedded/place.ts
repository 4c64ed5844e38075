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
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unavailable } from '../failure.ts';
import { accountFor, canReach, giveTo } from './account.ts';
import type { Account } from './account.ts';

export interface Place {
  /** The data directory without symbolic links. */
  readonly dataDir: string;
  /** The cluster; the major version is in its name, so that a later one finds it and does not touch it. */
  readonly clusterDir: string;
  /** Where a copy of the binaries goes, if one is needed. */
  readonly copyDir: string;
  readonly account: Account | undefined;
  readonly passwordFile: string;
  readonly recordFile: string;
  readonly logFile: string;
}

const clusterName = 'pg18';
const outsideDir = '/var/lib/kith';
/** A socket's whole path may have 107 bytes. */
const longestDir = 107 - '/.s.PGSQL.5432'.length;

/** Makes the data directory and decides where the cluster is; the cluster itself may not exist yet. */
export function findPlace(wantedDir: string): Place {
  mkdirSync(wantedDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const dataDir = realpathSync(wantedDir);
  const inside = path.join(dataDir, clusterName);
  const pointer = path.join(dataDir, 'cluster-location');
  const outside = path.join(outsideDir, fingerprint(dataDir));
  let clusterDir = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : inside;
  const account = accountFor(clusterDir);
  if (clusterDir === inside && !canReach(account, dataDir)) {
    if (existsSync(inside)) {
      throw unavailable(
        `The account that PostgreSQL runs as cannot enter ${dataDir}: let others pass (chmod o+x) its directories`,
      );
    }
    clusterDir = path.join(outside, clusterName);
    mkdirSync(outside, { recursive: true, mode: 0o711 });
    writeFileSync(pointer, `${clusterDir}\n`);
  }
  refuseForeign(clusterDir);
  return {
    dataDir,
    clusterDir,
    account,
    copyDir: clusterDir === inside && canReach(account, dataDir) ? dataDir : outsideDir,
    passwordFile: path.join(dataDir, 'postgres-password'),
    recordFile: path.join(dataDir, 'postgres.json'),
    logFile: path.join(dataDir, 'postgres.log'),
  };
}

function refuseForeign(clusterDir: string): void {
  const uid = process.getuid?.();
  const cluster = lstatSync(clusterDir, { throwIfNoEntry: false });
  if (uid === undefined || uid === 0 || cluster === undefined || cluster.uid === uid) return;
  throw unavailable(
    `${clusterDir} belongs to the account with uid ${cluster.uid}: start Kith as that account or as root`,
  );
}

function fingerprint(directory: string): string {
  return createHash('sha256').update(directory).digest('hex').slice(0, 24);
}

/** A fresh directory for the socket that only the server's account and root can enter. */
export function makeSocketDir(account: Account | undefined): string {
  const base = [tmpdir(), '/tmp'].find((at) => Buffer.byteLength(at) <= longestDir - 16 && canReach(account, at));
  if (base === undefined) throw unavailable('No temporary directory has a path short enough for a socket: set TMPDIR');
  const directory = mkdtempSync(path.join(base, 'kith-pg-'));
  giveTo(account, directory);
  return directory;
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
