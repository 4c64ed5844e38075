/** What an operator may name where a command takes a file, what others on the machine may do with it, and what is said of that. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { kithSecret, startKith, type TestKith } from '../support/kith.ts';
import { kith as command, kithJson } from './in-process.ts';
import { launcher, start } from './kith.ts';

vi.setConfig({ testTimeout: 60_000 });

let kith: TestKith;
let organizationId: string;
let directory: string;
let pipe: string;
let backup: string;
let secret: string;
let env: NodeJS.ProcessEnv;
const file = (name: string) => join(directory, name);

beforeAll(async () => {
  kith = await startKith();
  ({ id: organizationId } = await kith.organization());
  directory = mkdtempSync(join(tmpdir(), 'kith-given-'));
  env = { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret, KITH_DATA_DIR: directory };
  pipe = file('pipe');
  execFileSync('mkfifo', [pipe]);
  secret = file('secret.txt');
  writeFileSync(secret, 'correct horse battery\n', { mode: 0o600 });
  backup = file('all.kith');
  const { code, stderr } = await command(['backup', '--file', backup, '--passphrase-file', secret], env);
  if (code !== 0) throw new Error(stderr);
});
afterAll(async () => {
  await kith?.stop();
  rmSync(directory, { recursive: true });
});

/** Every way to name a file to be read. */
const readers = (path: string): ReadonlyMap<string, readonly string[]> =>
  new Map([
    ['passphrase', ['backup', '--file', file('other.kith'), '--passphrase-file', path]],
    ['manifest', ['plan', '--org', organizationId, '--file', path]],
    ['import', ['import', '--org', organizationId, '--object', 'companies', '--file', path]],
    ['verify', ['backup', '--verify', path]],
    ['restore', ['restore', '--file', path, '--new-id']],
  ]);

it('refuses a device, which might never end', async () => {
  for (const [name, args] of readers('/dev/zero'))
    expect([name, await command(args, env)]).toEqual([
      name,
      {
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^error: "\/dev\/zero" is (neither a file nor a pipe|no plain file)/),
      },
    ]);
});

it('reads no more than there can be', async () => {
  const long = file('long');
  writeFileSync(long, 'x'.repeat(4 * 1024 * 1024));
  const refusals = { passphrase: 'A passphrase has at most 64 KiB', manifest: 'A manifest has at most 1 MiB' };
  for (const [name, told] of Object.entries(refusals)) {
    const refused = { code: 2, stdout: '', stderr: expect.stringContaining(`error: ${told}`) };
    expect(await command(readers(long).get(name) ?? [], env)).toEqual(refused);
    expect(await command(readers('-').get(name) ?? [], env, 'x'.repeat(4 * 1024 * 1024))).toEqual(refused);
  }
  const others = [
    ['An address has at most 64 KiB', 'datasource', 'add', '--name', 'east', '--url', '-'],
    ['The values of a record have at most 32 MiB', 'record', 'create', 'companies', '--data', '-'],
  ] as const;
  for (const [told, ...args] of others) {
    const refused = { code: 2, stderr: expect.stringContaining(told) };
    expect(await command(args, { ...env, KITH_ORG: organizationId }, 'x'.repeat(33 * 1024 * 1024))).toMatchObject(
      refused,
    );
  }
  const settings = { ...env, KITH_SECRET_KEY: undefined, KITH_SECRET_KEY_FILE: '/dev/zero' };
  expect((await command(['org', 'list'], settings)).stderr).toContain('"/dev/zero" is neither a file nor a pipe');
});

it('refuses a pipe for a backup, which is read more than once', async () => {
  for (const name of ['verify', 'restore'])
    expect((await command(readers(pipe).get(name) ?? [], env)).stderr).toContain('is no plain file');
});

it('ends at once when it is interrupted while a pipe has nothing to say', async () => {
  for (const name of ['passphrase', 'manifest', 'import']) {
    const { process: child, outcome } = start(readers(pipe).get(name) ?? [], env);
    const end = await vi.waitUntil(writingEnd, { timeout: 30_000 });
    child.kill('SIGINT');
    expect([name, (await outcome).code]).toEqual([name, 130]);
    closeSync(end);
  }
});

/** Undefined until somebody waits at the pipe. */
function writingEnd(): number | undefined {
  try {
    return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

it('takes what bash makes of <(…)', async () => {
  const script = `"$0" "$@" --passphrase-file <(echo 'correct horse battery')`;
  const child = spawn('bash', ['-c', script, process.execPath, launcher, 'backup', '--verify', backup], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(child, 'close');
  expect(await text(child.stderr)).toBe('');
  expect(await closed).toEqual([0, null]);
});

it('says when others can read the passphrase', async () => {
  const verify = ['backup', '--verify', backup, '--passphrase-file', secret];
  const first = await command(verify, env);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  // For people a table, not the JSON in a line.
  expect(first.stdout).toMatch(
    /^file\t.+\nmadeAt\t.+\nbytes\t\d+\norganizations\t1\n\nname\trows\tdatasource\tsecretsKept\tid\n.+\t\d+\tmain\t\w+\t[\da-f-]{36}\n$/,
  );
  chmodSync(secret, 0o644);
  const { code, stderr } = await command(verify, env);
  chmodSync(secret, 0o600);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `Others on this machine can read or change the passphrase in ${secret}: chmod 600 ${secret}\n`,
  });
});

it('says when others can see a password', async () => {
  const add = ['datasource', 'add', '--name', 'east', '--url'];
  const told = 'Everybody on this machine can see the password in a command line';
  const address = 'postgres://ada:secret@127.0.0.1:1/none';
  expect((await command([...add, address], env)).stderr).toContain(told);
  expect((await command([...add, '-'], env, address)).stderr).not.toContain(told);
});

it('says when others can put another file in the place of what is written', async () => {
  const shared = file('shared');
  mkdirSync(shared);
  const told = (path: string) =>
    `Others on this machine can write in ${shared}, and so remove ${path} or put another file in its place: chmod go-w ${shared}, or name a folder of your own\n`;
  for (const mode of [0o777, 0o1777, 0o755]) {
    chmodSync(shared, mode);
    const one = join(shared, `${mode}.kith`);
    const other = join(shared, `${mode}.csv`);
    const isTold = mode === 0o777;
    expect((await kithJson(['backup', '--file', one], env)).stderr).toBe(isTold ? told(one) : '');
    const args = ['export', '--org', organizationId, '--object', 'companies', '--file', other];
    expect((await kithJson(args, env)).stderr).toBe(isTold ? told(other) : '');
  }
});
