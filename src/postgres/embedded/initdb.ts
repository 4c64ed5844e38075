/** Creates the cluster on first use, atomically, in UTF-8 and code-point order, whatever the host's locale. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { unavailable } from '../failure.ts';
import type { Account } from './account.ts';
import { giveTo } from './account.ts';
import { complaintIn } from './complaint.ts';
import { newPassword, readPassword } from './password.ts';
import { giveTreeTo } from './cluster-files.ts';
import type { ClusterFiles } from './cluster-files.ts';
import type { Runtime } from './runtime.ts';

export const superuser = 'kith';

const initdbOptions = [
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth=scram-sha-256',
  '--no-instructions',
  `--username=${superuser}`,
];

/** The environment of PostgreSQL's programs: no locale of the host, and no secrets. */
export const bareEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };

/**
 * Creates the cluster if missing; returns the superuser's password, and whether the cluster is new. Throws
 * UNAVAILABLE where passwords exist without their cluster. With `sync` false the new files are not flushed, for tests.
 */
export async function ensureCluster(
  files: ClusterFiles,
  runtime: Runtime,
  sync: boolean,
): Promise<{ readonly password: string; readonly isNew: boolean }> {
  const { clusterDir, passwordFile, account } = files;
  const draft = `${passwordFile}.new`;
  if (existsSync(path.join(clusterDir, 'PG_VERSION'))) {
    // the first start was interrupted
    if (!existsSync(passwordFile) && existsSync(draft)) renameSync(draft, passwordFile);
    if (statSync(clusterDir).uid === 0) giveTreeTo(account, clusterDir);
    const password = readPassword(passwordFile, `put back the one that belongs to ${clusterDir}`);
    return { password, isNew: false };
  }
  refuseLostCluster(files);
  const password = newPassword();
  const unfinished = `${clusterDir}.new`;
  await makeCluster(unfinished, password, files, runtime, sync);
  rmSync(draft, { force: true });
  writeFileSync(draft, `${password}\n`, { mode: 0o600, flag: 'wx', flush: sync });
  renameSync(unfinished, clusterDir);
  renameSync(draft, passwordFile);
  return { password, isNew: true };
}

/** The passwords are the only access to the cluster that they belong to. */
function refuseLostCluster({ clusterDir, passwordFile, servicePasswordFile }: ClusterFiles): void {
  const left = [passwordFile, servicePasswordFile].filter((file) => existsSync(file));
  if (left.length > 0) {
    throw unavailable(
      `There is no PostgreSQL cluster in ${clusterDir}, but its passwords are there: put the cluster back, or remove ${left.join(' and ')} to begin anew`,
    );
  }
  if (existsSync(clusterDir) && readdirSync(clusterDir).length > 0)
    throw unavailable(`${clusterDir} holds something that is not a PostgreSQL cluster: move it away`);
}

async function makeCluster(
  directory: string,
  password: string,
  { account }: ClusterFiles,
  runtime: Runtime,
  sync: boolean,
): Promise<void> {
  const passwordCopy = `${directory}.password`;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  giveTo(account, directory);
  rmSync(passwordCopy, { force: true });
  writeFileSync(passwordCopy, password, { mode: 0o600, flag: 'wx' });
  giveTo(account, passwordCopy);
  try {
    const options = [...initdbOptions, `--pwfile=${passwordCopy}`, ...(sync ? [] : ['--no-sync'])];
    await runInitdb(runtime, [...options, '-D', directory], account, path.dirname(directory));
  } finally {
    rmSync(passwordCopy, { force: true });
  }
}

async function runInitdb(
  runtime: Runtime,
  options: readonly string[],
  account: Account | undefined,
  cwd: string,
): Promise<void> {
  const child = spawn(runtime.initdb, options, {
    ...account,
    cwd,
    env: bareEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  let talk = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (talk += text));
  child.once('error', reject);
  child.once('close', resolve);
  const code = await promise;
  const complaint = complaintIn(talk) ?? talk.trim().split('\n').at(0);
  if (code !== 0) throw unavailable(`initdb failed: ${complaint || `exit code ${code}`}`);
}
