/** [safety: disk full] Writes are refused with the reason, reads go on, and once there is room nothing has to be restarted. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kithJson } from '../cli/in-process.ts';
import { temporaryDir } from '../support/embedded.ts';
import { ask, serve, type ServiceProcess } from './service.ts';

/** A disk of its own; only root can have one. */
let disk: string;
let mounted = false;
let service: ServiceProcess | undefined;

const isRoot = process.getuid?.() === 0;

beforeAll(() => {
  disk = temporaryDir();
  if (!isRoot) return;
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=0711', 'tmpfs', disk]);
  mounted = status === 0;
  if (!mounted) throw new Error(`No small disk could be mounted: ${String(stderr)}`);
});
afterAll(async () => {
  service?.kill('SIGTERM');
  await service?.outcome;
  if (mounted) spawnSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});

/** Takes every byte that is left. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (let block = Buffer.alloc(1 << 20); block.length > 0;) {
      try {
        writeSync(descriptor, block);
      } catch {
        block = block.subarray(0, block.length >> 1);
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

it.skipIf(!isRoot)('is told to writers alone, and passes', { timeout: 120_000 }, async () => {
  const env = { KITH_DATA_DIR: disk, DATABASE_URL: '', KITH_LOG_LEVEL: 'warn' };
  service = await serve(env);
  const { url } = service;
  const args = ['org', 'create', '--name', 'Acme', '--admin-name', 'Ada', '--admin-email', 'ada@acme.test'];
  const token = String(
    (await kithJson(args, { ...env, KITH_SECRET_KEY: 'a-secret-of-the-tests-that-is-long-enough-0000' })).json['token'],
  );
  const path = '/api/v1/records/companies';
  const create = (name: string) =>
    ask(url, token, 'POST', path, { name, description: randomBytes(3_000).toString('base64') });
  const names = async () => {
    const reply = await ask(url, token, 'GET', `${path}?limit=100&sort=[{"field":"name","direction":"asc"}]`);
    expect(reply?.status).toBe(200);
    const data = (reply?.json['data'] ?? []) as { name: string }[];
    return data.map(({ name }) => name);
  };
  expect((await create('a'))?.status).toBe(200);
  const ballast = join(disk, 'ballast');
  fill(ballast);

  const acknowledged = ['a'];
  let refused;
  for (let n = 0; refused === undefined && n < 90; n++) {
    const reply = await create(`b${n}`);
    if (reply?.status === 200) acknowledged.push(`b${n}`);
    else refused = reply;
  }
  expect(refused).toMatchObject({
    status: 503,
    json: { code: 'INTERNAL_ERROR', message: 'The disk of the database is full' },
  });
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  for (let n = 0; n < 30; n++) expect((await create(`c${n}`))?.status).toBe(503);
  expect(await names()).toEqual(acknowledged.toSorted());
  expect((await ask(url, token, 'GET', '/health/ready'))?.status).toBe(200);

  rmSync(ballast);
  expect((await create('c'))?.status).toBe(200);
  expect(await names()).toEqual([...acknowledged, 'c'].toSorted());
  expect(service.running()).toBe(true);
  service.kill('SIGTERM');
  const told = (await service.outcome).stderr.split('\n').filter((line) => line.includes(' is full'));
  // Some 30 requests were refused within a few seconds.
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThan(4);
});
