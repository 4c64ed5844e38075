/** The root secret if none is configured: created once, readable by its owner only, in the data directory. */
import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateDir, refuseShared } from '../lib/private-dir.ts';
import { secretProblem } from '../lib/root-secret.ts';
import { codeOf } from '../lib/thrown.ts';

/** The secret in `<dataDir>/secret`, created if missing. */
export async function loadSecret(dataDir: string): Promise<string> {
  return (await findSecret(dataDir)) ?? createSecret(dataDir, join(dataDir, 'secret'));
}

/** The secret in `<dataDir>/secret`, if it exists. Throws if it cannot be read. */
export async function findSecret(dataDir: string): Promise<string | undefined> {
  refuseShared(dataDir);
  const path = join(dataDir, 'secret');
  const secret = await readIfThere(path);
  if (secret === '')
    throw new Error(`${path} is empty: put the secret back, or remove the file where nothing was sealed with it yet`);
  const problem = secret === undefined ? undefined : secretProblem(secret);
  if (problem !== undefined) throw new Error(`The secret in ${path} ${problem}`);
  return secret;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Links the complete file into place, so that of two processes one wins and neither reads half a file. */
async function createSecret(dataDir: string, path: string): Promise<string> {
  makePrivateDir(dataDir);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const secret = randomBytes(32).toString('base64url');
  await writeFile(draft, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(draft, path);
    return secret;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return (await readFile(path, 'utf8')).trim();
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
