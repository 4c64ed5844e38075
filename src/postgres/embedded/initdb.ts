/** Makes the cluster on first use: whole or not at all, in UTF-8 and code-point order whatever the host's locale is. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { unavailable } from '../failure.ts';
import type { Account } from './account.ts';
import { giveTo } from './account.ts';
import { giveTreeTo } from './place.ts';
import type { Place } from './place.ts';
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

/** What PostgreSQL's programs see of the environment: nothing of the host's locale, and no secrets. */
export const bareEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };

/** Returns the superuser's password. With `sync` false the new files are not flushed, which is for tests. */
export async function ensureCluster(place: Place, runtime: Runtime, sync: boolean): Promise<string> {
  const { clusterDir, passwordFile, account } = place;
  if (existsSync(path.join(clusterDir, 'PG_VERSION'))) {
    if (!existsSync(passwordFile))
      throw unavailable(`${passwordFile} is missing: put it back, it belongs to ${clusterDir}`);
    if (statSync(clusterDir).uid === 0) giveTreeTo(account, clusterDir);
    return readFileSync(passwordFile, 'utf8').trim();
  }
  const password = randomBytes(24).toString('base64url');
  const unfinished = `${clusterDir}.new`;
  const passwordCopy = `${unfinished}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  giveTo(account, unfinished);
  rmSync(passwordCopy, { force: true });
  writeFileSync(passwordCopy, password, { mode: 0o600, flag: 'wx' });
  giveTo(account, passwordCopy);
  try {
    const options = [...initdbOptions, `--pwfile=${passwordCopy}`, ...(sync ? [] : ['--no-sync'])];
    await runInitdb(runtime, [...options, '-D', unfinished], account, path.dirname(unfinished));
  } finally {
    rmSync(passwordCopy, { force: true });
  }
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  renameOver(unfinished, clusterDir);
  return password;
}

function renameOver(unfinished: string, clusterDir: string): void {
  try {
    renameSync(unfinished, clusterDir); // takes the place of an empty directory, refuses any other
  } catch (cause) {
    throw unavailable(`${clusterDir} holds something that is not a PostgreSQL cluster: move it away`, cause);
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
  if (code !== 0) throw unavailable(`initdb failed: ${talk.trim().split('\n').at(0) || `exit code ${code}`}`);
}
