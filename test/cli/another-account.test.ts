/** Root at the command line of a service that runs as another account: it looks after it, and leaves nothing of its own there. */
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseJson } from '../../src/lib/json.ts';
import { temporaryDir } from '../support/embedded.ts';
import { kith, kithJson, start, type Running } from './kith.ts';

const isRoot = userInfo().uid === 0;
const nobody = { uid: 65_534, gid: 65_534 };

let parent: string;
let dataDir: string;
let env: NodeJS.ProcessEnv;
let service: Running | undefined;

beforeEach(() => {
  parent = temporaryDir();
  dataDir = join(parent, 'kith');
  mkdirSync(dataDir, { mode: 0o700 });
  env = { KITH_DATA_DIR: dataDir, PORT: '0', KITH_LOG_LEVEL: 'error', KITH_DEMO: 'off' };
});
afterEach(async () => {
  service?.process.kill('SIGTERM');
  await service?.outcome;
  rmSync(parent, { recursive: true });
});

function owners(): ReadonlySet<number> {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  return new Set(names.map((name) => lstatSync(join(dataDir, name)).uid));
}

async function asNobody(...args: readonly string[]) {
  const { code, stdout, stderr } = await start([...args, '--json'], env, undefined, nobody).outcome;
  expect(code, stderr).toBe(0);
  return parseJson(stdout);
}

async function serveAsNobody(): Promise<void> {
  service = start(['serve', '--json'], env, undefined, nobody);
  for await (const _ of createInterface({ input: service.process.stdout ?? process.stdin })) return;
  throw new Error((await service.outcome).stderr);
}

const creating = (name: string) =>
  ['org', 'create', '--name', name, '--admin-name', 'Ada', '--admin-email', 'ada@acme.test'] as const;

it.skipIf(!isRoot)('is refused where it would start something', { timeout: 120_000 }, async () => {
  chownSync(dataDir, nobody.uid, nobody.gid);
  const refusal = `${dataDir} belongs to the account nobody, and root puts nothing there: start Kith as that account (runuser -u nobody -- kith …)`;
  const refused = { code: 2, stdout: '', stderr: expect.stringContaining(refusal) };
  expect(await kith(['serve'], env)).toMatchObject(refused);
  expect(await kith(creating('Acme'), env)).toMatchObject(refused);
  expect(readdirSync(dataDir)).toEqual([]);
  await asNobody(...creating('Acme'));
  expect(await kith(['org', 'list'], env)).toMatchObject(refused);
  expect(await kith(['doctor'], env)).toMatchObject({ code: 1, stdout: expect.stringContaining(refusal) });
  expect(owners()).toEqual(new Set([nobody.uid]));
  expect(await asNobody('org', 'list')).toMatchObject({ organizations: [{ name: 'Acme' }] });
});

it.skipIf(!isRoot)('is named to an account that is another one', { timeout: 120_000 }, async () => {
  const told = (args: readonly string[], as: number) =>
    start(args, env, undefined, { uid: as, gid: as }).outcome.then(({ code, stdout, stderr }) => [
      code,
      stdout + stderr,
    ]);
  const ofNobody = `${dataDir} belongs to the account nobody: start Kith as that account (sudo -u nobody kith …)`;
  const ofRoot = `${dataDir} belongs to the account root: start Kith as that account (sudo kith …)`;
  const backup = join(parent, 'all.kith');
  expect(await kith([...creating('Acme')], env)).toMatchObject({ code: 0 });
  expect(await kith(['backup', '--file', backup], env)).toMatchObject({ code: 0 });
  chmodSync(backup, 0o644);
  chmodSync(dataDir, 0o711);
  const secretOfRoot = `may not use ${dataDir}/secret, which belongs to the account root: start Kith as that account (sudo kith …)`;
  for (const command of ['serve', 'doctor'])
    expect(await told([command], nobody.uid)).toEqual([expect.any(Number), expect.stringContaining(ofRoot)]);
  for (const args of [['doctor'], ['backup', '--verify', backup]]) {
    const [code, text] = await told(args, nobody.uid);
    expect([code, text]).toEqual([expect.toBeOneOf([1, 2]), expect.stringContaining(secretOfRoot)]);
    expect(text).not.toContain('put');
  }
  rmSync(dataDir, { recursive: true });
  mkdirSync(dataDir, { mode: 0o700 });
  chownSync(dataDir, nobody.uid, nobody.gid);
  for (const command of ['serve', 'doctor'])
    expect(await told([command], 1)).toEqual([expect.any(Number), expect.stringContaining(ofNobody)]);
});

it.skipIf(!isRoot)('uses the service that runs there', { timeout: 120_000 }, async () => {
  chownSync(dataDir, nobody.uid, nobody.gid);
  await serveAsNobody();
  expect(await kithJson(creating('Acme'), env)).toMatchObject({ code: 0, stderr: '' });
  expect(await kith(['doctor'], env)).toMatchObject({ code: 0, stderr: '' });
  expect(owners()).toEqual(new Set([nobody.uid]));
  service?.process.kill('SIGTERM');
  expect(await service?.outcome).toMatchObject({ code: 0 });
  expect(await asNobody('org', 'list')).toMatchObject({ organizations: [{ name: 'Acme' }] });
});

it.skipIf(!isRoot)('is told what to do with a cluster that it made there before', { timeout: 120_000 }, async () => {
  expect(await kithJson(creating('Acme'), env)).toMatchObject({ code: 0 });
  chownSync(dataDir, nobody.uid, nobody.gid);
  expect(await kith(['org', 'list'], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('root has made its cluster: chown root it, and move it to a directory of root'),
  });
  chownSync(dataDir, 0, 0);
  const { json } = await kithJson(['org', 'list'], env);
  expect(json).toMatchObject({ organizations: [{ name: 'Acme' }] });
});
