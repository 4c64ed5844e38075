/** What the operating system refuses is told in a sentence with what to do, and `kith doctor` ends whatever is wrong. */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { DatabaseError } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseJson } from '../../src/lib/json.ts';
import { connectDatabase } from '../../src/postgres/connect.ts';
import { toCaller } from '../../src/postgres/failure.ts';
import { sql, statement } from '../../src/postgres/sql.ts';
import type { ServerAddress } from '../../src/postgres/session.ts';
import { kith, kithJson, start } from '../cli/kith.ts';
import { temporaryDir } from '../support/embedded.ts';
import { testSecret } from '../support/engine.ts';
import { silentLog } from '../support/log.ts';
import { serve, type ServiceProcess } from './service.ts';

const isRoot = userInfo().uid === 0;
const nobody = { uid: 65_534, gid: 65_534 };
const launcher = fileURLToPath(new URL('../../bin/kith.js', import.meta.url));
const create = ['org', 'create', '--name', 'Acme', '--admin-name', 'Ada', '--admin-email', 'ada@acme.test'];

let directory: string;
let dataDir: string;
let env: NodeJS.ProcessEnv;
let organizationId: string;
let service: ServiceProcess | undefined;

async function stage(): Promise<void> {
  dataDir = join(directory, 'kith');
  env = { KITH_DATA_DIR: dataDir, KITH_SECRET_KEY: testSecret, PORT: '0', KITH_DEMO: 'off', KITH_LOG_LEVEL: 'error' };
  organizationId = String((await kithJson(create, env)).json['organizationId']);
}
afterEach(async () => {
  service?.kill('SIGTERM');
  await service?.outcome;
  service = undefined;
});

function mount(...options: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', ...options, 'tmpfs', directory]);
  if (status !== 0) throw new Error(String(stderr));
}

/** Takes every byte that is left. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  for (let block = Buffer.alloc(1 << 20); block.length > 0;) {
    try {
      writeSync(descriptor, block);
    } catch {
      block = block.subarray(0, block.length >> 1);
    }
  }
  closeSync(descriptor);
}

describe.skipIf(!isRoot)('a disk', () => {
  beforeAll(async () => {
    directory = temporaryDir();
    mount('-o', 'size=200m,mode=0711');
    await stage();
  }, 60_000);
  afterAll(() => {
    spawnSync('umount', [directory]);
    rmSync(directory, { recursive: true });
  });

  it('that is full', { timeout: 120_000 }, async () => {
    const ballast = join(directory, 'ballast');
    const refusal = expect.stringMatching(/There is no room for .*: the disk is full; make room and try again/);
    fill(ballast);
    try {
      expect(await start(['serve'], env).outcome).toMatchObject({ code: 69, stdout: '', stderr: refusal });
      expect(await kith(['doctor'], env)).toMatchObject({ code: 1, stdout: refusal, stderr: '' });
      rmSync(ballast);
      service = await serve(env);
      fill(ballast);
      expect(await kith(['doctor'], env)).toMatchObject({ stdout: expect.stringContaining('database'), stderr: '' });
      const file = join(directory, 'companies.csv');
      const exported = await kith(['export', '--org', organizationId, '--object', 'companies', '--file', file], env);
      expect(exported).toMatchObject({ code: 2, stderr: refusal });
      const backup = await kith(['backup', '--file', join(directory, 'all.kith')], env);
      expect(backup).toMatchObject({ code: 2, stderr: refusal });
    } finally {
      rmSync(ballast, { force: true });
    }
  });

  it('that is read-only', { timeout: 60_000 }, async () => {
    mount('-o', 'remount,ro');
    try {
      const refusal = expect.stringMatching(/cannot be written: its file system is read-only; mount it for writing/);
      expect(await start(['serve'], env).outcome).toMatchObject({ code: 69, stdout: '', stderr: refusal });
      expect(await kith(['doctor'], env)).toMatchObject({ code: 1, stdout: refusal });
    } finally {
      mount('-o', 'remount,rw');
    }
  });
});

describe('the rest', () => {
  beforeAll(async () => {
    directory = temporaryDir();
    await stage();
  }, 60_000);
  afterAll(() => rmSync(directory, { recursive: true }));

  it('of a directory that belongs to another account', { timeout: 60_000 }, async () => {
    const closed = join(directory, 'closed');
    mkdirSync(closed, { mode: 0o555 });
    for (const at of [closed, join(closed, 'inside')]) {
      const account = isRoot ? nobody : undefined;
      const refused = await start(['serve'], { ...env, KITH_DATA_DIR: at }, undefined, account).outcome;
      expect(refused).toMatchObject({ code: 69, stdout: '', stderr: expect.stringContaining(`may not use ${at}`) });
    }
  });

  it.skipIf(!isRoot)('of shared memory', { timeout: 60_000 }, async () => {
    const told = expect.stringContaining('No space left on device: make room in /dev/shm (docker run --shm-size)');
    for (const at of [dataDir, join(directory, 'fresh')]) {
      const command = 'mount -t tmpfs -o size=4k tmpfs /dev/shm && exec "$0" "$@"';
      const child = spawn('unshare', ['-m', '/bin/sh', '-c', command, process.execPath, launcher, 'serve'], {
        env: { PATH: process.env['PATH'], ...env, KITH_DATA_DIR: at },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      expect(await text(child.stderr)).toEqual(told);
    }
  });

  it('of the shared memory of a query, which is no disk', () => {
    const refusal = new DatabaseError('could not resize shared memory segment', 0, 'error');
    expect(toCaller(Object.assign(refusal, { code: '53100', routine: 'dsm_impl_posix' }))).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('The shared memory of the database is full'),
    });
  });

  it(
    'of a temporary directory that is not there, or may not be written: another one does',
    { timeout: 60_000 },
    async () => {
      const place = isRoot ? join(directory, 'as-nobody') : dataDir;
      if (isRoot) {
        mkdirSync(place);
        chownSync(place, nobody.uid, nobody.gid);
      }
      for (const TMPDIR of ['/nonexistent', '/etc']) {
        const settings = { ...env, KITH_DATA_DIR: place, TMPDIR };
        const { code, stderr } = await start(['org', 'list'], settings, undefined, isRoot ? nobody : undefined).outcome;
        expect({ code, stderr }).toEqual({
          code: 0,
          stderr: expect.stringMatching(/^(Made a new data directory: .*\n)?No organization yet: .*\n$/),
        });
      }
    },
  );

  it('of too many open files', { timeout: 60_000 }, async () => {
    const command = 'ulimit -n 24; exec "$0" "$@"';
    const child = spawn('/bin/sh', ['-c', command, process.execPath, launcher, 'serve'], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const told = await text(child.stderr);
    expect(told).toMatch(/^error: .*Too many (open )?files/m);
  });

  it('of standard output', { timeout: 60_000 }, async () => {
    const output = openSync('/dev/full', 'w');
    const { code, stderr } = await start(['org', 'list'], env, output).outcome;
    closeSync(output);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: There is no room for standard output: the disk is full; make room and try again\n',
    });
  });

  it('of a log that cannot be written: the service goes on', { timeout: 60_000 }, async () => {
    const child = spawn(
      '/bin/sh',
      ['-c', 'exec "$0" "$@" 2> /dev/full', process.execPath, launcher, 'serve', '--json'],
      {
        env: { PATH: process.env['PATH'], KITH_WORKERS: '1', ...env, KITH_LOG_LEVEL: 'debug' },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const line = await new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
    const { url } = JSON.parse(line) as { url: string };
    expect((await fetch(`${url}/api/v1/me`)).status).toBe(401);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    child.kill('SIGTERM');
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).toBe(0);
  });
});

describe('kith doctor, where PostgreSQL is frozen', () => {
  const frozen: number[] = [];
  beforeAll(async () => {
    directory = temporaryDir();
    await stage();
  }, 60_000);
  afterEach(() => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  function freeze(): void {
    const pid = Number.parseInt(readFileSync(join(dataDir, 'pg18', 'postmaster.pid'), 'utf8'), 10);
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    const all = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
    const children = all.flatMap(([each = 0, parent]) => (parent === pid ? [each] : []));
    for (const each of [pid, ...children]) {
      process.kill(each, 'SIGSTOP');
      frozen.push(each);
    }
  }

  it('before it begins, says so and ends', { timeout: 120_000 }, async () => {
    service = await serve(env);
    freeze();
    const outcome = await kith(['doctor'], env);
    expect(outcome).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('PostgreSQL accepts connections but does not answer: it is frozen or overloaded'),
      stderr: '',
    });
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
  });

  it('while it looks, says so and ends', { timeout: 120_000 }, async () => {
    service = await serve(env);
    const address = parseJson(readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as unknown as ServerAddress;
    const password = readFileSync(join(dataDir, 'service-password'), 'utf8').trim();
    const database = await connectDatabase({ connection: { ...address, password }, log: silentLog });
    const waiting = sql`select from pg_locks where not granted`;
    let outcome: ReturnType<typeof kith> | undefined;
    await database.transaction('test', async (tx) => {
      const schema = `org_${organizationId.replaceAll('-', '')}`;
      await tx.script(`lock table "${schema}".companies in access exclusive mode`);
      outcome = kith(['doctor'], env);
      // Until doctor waits for the table.
      while ((await tx.run(statement(waiting))).count === 0);
      freeze();
      const told = expect.stringMatching(/FAILED +database +PostgreSQL accepts connections but does not answer/);
      expect(await outcome).toMatchObject({ code: 1, stdout: told, stderr: '' });
      for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
    });
    await database.close();
  });
});
