import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { connectDatabase } from '../../src/postgres/connect.ts';
import type { Database } from '../../src/postgres/database.ts';
import { own } from '../../src/postgres/embedded/ownership.ts';
import { findRuntime, installedPackage } from '../../src/postgres/embedded/runtime.ts';
import { attachOrStart, findRunning, startEmbedded } from '../../src/postgres/embedded/supervisor.ts';
import type { Embedded } from '../../src/postgres/embedded/supervisor.ts';
import { sql, statement } from '../../src/postgres/sql.ts';
import { temporaryDir } from '../support/embedded.ts';
import { silentLog } from '../support/log.ts';

const dataDir = temporaryDir();
// A killed server loses nothing of what it wrote to the system, so that only the flush to the disk is left out.
const options = { dataDir, log: silentLog, settings: { fsync: 'off' } };
const pidFile = path.join(dataDir, 'pg18', 'postmaster.pid');
afterAll(() => rmSync(dataDir, { recursive: true }));

const started: Embedded[] = [];
const open: Database[] = [];

afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
  for (const embedded of started.splice(0)) await embedded.stop();
});

async function start(): Promise<Embedded> {
  const embedded = await startEmbedded(options);
  started.push(embedded);
  return embedded;
}

async function connect({ connection }: Embedded): Promise<Database> {
  const database = await connectDatabase({ connection, log: silentLog });
  open.push(database);
  return database;
}

async function rowsOf(database: Database, text: string): Promise<readonly (readonly (string | null)[])[]> {
  return (await database.run('', { text, values: [] })).rows;
}

function postmaster(): number {
  return Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
}

function isAlive(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !readFileSync(stat, 'utf8').includes(') Z ');
}

describe('a first start', () => {
  it('makes a durable cluster in UTF-8 and code-point order whatever the locale of the host', async () => {
    const before = process.env['LC_ALL'];
    process.env['LC_ALL'] = 'xx_XX.nothing';
    const embedded = await start();
    if (before === undefined) delete process.env['LC_ALL'];
    else process.env['LC_ALL'] = before;
    expect(embedded.serverVersion).toBeGreaterThanOrEqual(180_000);
    const database = await connect(embedded);
    const question = `select current_setting('server_encoding'), current_setting('data_checksums'), datlocale,
      (select string_agg(t, '' order by t) from unnest(array['ä', 'b', 'Z', 'a']) t) from pg_database where datname = current_database()`;
    expect(await rowsOf(database, question)).toEqual([['UTF8', 'on', 'C.UTF-8', 'Zabä']]);
    await database.run('', statement(sql`create table kept (a int)`));
    await database.run('', statement(sql`insert into kept values (1)`));
  });

  it('keeps its secrets and its socket to itself, and listens on no port', async () => {
    const embedded = await start();
    for (const file of ['postgres-password', 'postgres.json', 'owner.json', 'postgres.log', 'pg18.lock']) {
      expect([file, statSync(path.join(dataDir, file)).mode & 0o777]).toEqual([file, 0o600]);
    }
    expect(readFileSync(path.join(dataDir, 'postgres.json'), 'utf8')).not.toContain(embedded.connection.password);
    expect(statSync(embedded.connection.host).mode & 0o777).toBe(0o700);
    expect(await rowsOf(await connect(embedded), 'show listen_addresses')).toEqual([['']]);
    const wrong = connectDatabase({ connection: { ...embedded.connection, password: 'wrong' }, log: silentLog });
    await expect(wrong).rejects.toMatchObject({ message: expect.stringContaining('password') });
  });
});

describe('a second owner', () => {
  it('is refused with the process that has the directory; a command attaches and stops nothing', async () => {
    const embedded = await start();
    await expect(startEmbedded(options)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(`in use by process ${process.pid}`),
    });
    const guest = await attachOrStart(options);
    expect(guest).toMatchObject({ attached: true, connection: embedded.connection });
    expect(await rowsOf(await connect(guest), 'select a from kept')).toEqual([['1']]);
    await guest.stop();
    expect(await rowsOf(await connect(embedded), 'select a from kept')).toEqual([['1']]);
  });

  it('starts the server for itself when there is none', async () => {
    const alone = await attachOrStart(options);
    started.push(alone);
    expect(alone.attached).toBe(false);
    expect(await rowsOf(await connect(alone), 'select a from kept')).toEqual([['1']]);
  });

  it('waits for an owner that is still starting', async () => {
    const [owner, guest] = await Promise.all([start(), attachOrStart(options)]);
    expect(guest.attached).toBe(true);
    expect(guest.connection).toEqual(owner.connection);
  });
});

describe('a look for a server that runs', () => {
  it('makes nothing where one has left its note, not even where the cluster would have to be elsewhere', async () => {
    const left = mkdtempSync(path.join(tmpdir(), 'kith-left-')); // of root, no other account gets in
    onTestFinished(() => rmSync(left, { recursive: true }));
    writeFileSync(path.join(left, 'postgres.json'), '{}', { mode: 0o600 });
    expect(findRunning(left)).toBeUndefined();
    expect(readdirSync(left)).toEqual(['postgres.json']);
  });

  it('finds it', async () => {
    const { connection } = await start();
    expect(findRunning(dataDir)).toEqual(connection);
  });
});

describe('a stop', () => {
  it('ends the server and leaves nothing behind', async () => {
    const embedded = await start();
    const pid = postmaster();
    await Promise.all([embedded.stop(), embedded.stop()]);
    expect(isAlive(pid)).toBe(false);
    const left = [
      pidFile,
      embedded.connection.host,
      ...['postgres.json', 'owner.json'].map((f) => path.join(dataDir, f)),
    ];
    expect(left.filter((file) => existsSync(file))).toEqual([]);
  });
});

describe('a crash', () => {
  let database: Database;
  beforeEach(async () => {
    database = await connect(await start());
  });

  it.each<[string, () => Promise<number>]>([
    ['the server', async () => postmaster()],
    ['one backend', async () => Number((await rowsOf(database, 'select pg_backend_pid()'))[0]?.[0])],
  ])('of %s is overcome in the same process', async (_what, victim) => {
    const pid = await victim();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
    const read = () => database.read('a', [statement(sql`select a from kept`)]).catch(() => []);
    await expect.poll(read, { timeout: 15_000 }).toEqual([{ rows: [['1']], count: 1 }]);
    const write = () => database.transaction('a', (tx) => tx.run(statement(sql`select 1`))).catch(() => undefined);
    await expect.poll(write, { timeout: 15_000 }).toEqual({ rows: [['1']], count: 1 });
  });

  it('of a server whose socket directory is gone is overcome too', async () => {
    const host = started[0]?.connection.host ?? '';
    rmSync(host, { recursive: true });
    process.kill(postmaster(), 'SIGKILL');
    const read = () => rowsOf(database, 'select a from kept').catch(() => []);
    // A backend of the killed server may answer once more.
    const modeAfterRead = async () => [await read(), (statSync(host, { throwIfNoEntry: false })?.mode ?? 0) & 0o777];
    await expect.poll(modeAfterRead, { timeout: 15_000 }).toEqual([[['1']], 0o700]);
  });

  it('leaves nothing of an open transaction and all of a committed one', async () => {
    await database.run('', statement(sql`insert into kept values (2)`));
    const interrupted = database.transaction('a', async (tx) => {
      await tx.run(statement(sql`insert into kept values (3)`));
      process.kill(postmaster(), 'SIGKILL');
      await tx.run(statement(sql`select pg_sleep(5)`));
    });
    await expect(interrupted).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const read = () => rowsOf(database, 'select a from kept order by a').catch(() => []);
    await expect.poll(read, { timeout: 15_000 }).toEqual([['1'], ['2']]);
  });
});

describe('what an earlier run left', () => {
  it('as a server that lives on is stopped, and its data is there', async () => {
    const owner = spawn(process.execPath, [fileURLToPath(import.meta.resolve('./owner.ts')), dataDir], {
      stdio: 'pipe',
    });
    await once(owner.stdout, 'data');
    const orphan = postmaster();
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(isAlive(orphan)).toBe(true);
    const database = await connect(await start());
    expect(isAlive(orphan)).toBe(false);
    expect(await rowsOf(database, 'select a from kept order by a')).toEqual([['1'], ['2']]);
  });

  it.each<[string, (stranger: number) => string]>([
    ['is empty', () => ''],
    ['names a living stranger', (stranger) => `${stranger}\n${path.dirname(pidFile)}\n`],
    ['names a dead process', () => `4194304\n${path.dirname(pidFile)}\n`],
    ['is no pid file', () => 'nonsense'],
  ])('as a pid file that %s does not matter', async (_what, content) => {
    // PostgreSQL minds only processes of its own account.
    const { uid, gid } = statSync(path.dirname(pidFile));
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { uid, gid, cwd: '/' });
    onTestFinished(() => void stranger.kill());
    await once(stranger, 'spawn');
    writeFileSync(pidFile, content(stranger.pid ?? 0));
    chownSync(pidFile, uid, gid);
    expect(await rowsOf(await connect(await start()), 'select a from kept order by a')).toEqual([['1'], ['2']]);
    expect(stranger.exitCode ?? stranger.signalCode).toBe(null);
  });

  it('as half a cluster is made again', async () => {
    const other = temporaryDir();
    cpSync(path.join(dataDir, 'pg18', 'base'), path.join(other, 'pg18.new', 'base'), { recursive: true });
    const embedded = await startEmbedded({ ...options, dataDir: other });
    await embedded.stop();
    expect(readdirSync(other).toSorted()).toEqual([
      'pg18',
      'pg18.lock',
      'postgres-password',
      'postgres.log',
      'service-password',
    ]);
    rmSync(other, { recursive: true });
  });
});

describe('a start that fails', () => {
  const passwordFile = path.join(dataDir, 'postgres-password');
  const servicePasswordFile = path.join(dataDir, 'service-password');

  it.each([
    ['the cluster', path.dirname(pidFile)],
    ['the version of the cluster', path.join(path.dirname(pidFile), 'PG_VERSION')],
  ])('because %s is away keeps its password and makes nothing', async (_what, file) => {
    const password = readFileSync(passwordFile, 'utf8');
    renameSync(file, `${dataDir}.away`);
    const names = readdirSync(dataDir);
    await expect(startEmbedded(options)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(`or remove ${passwordFile} and ${servicePasswordFile} to begin anew`),
    });
    expect(readFileSync(passwordFile, 'utf8')).toBe(password);
    expect(readdirSync(dataDir)).toEqual(names);
    renameSync(`${dataDir}.away`, file);
    expect(await rowsOf(await connect(await start()), 'select a from kept order by a')).toEqual([['1'], ['2']]);
  });

  it.each([
    ['of the superuser is empty', passwordFile, '', 'postgres-password does not hold a password'],
    ['of the superuser is cut off', passwordFile, 'abc\n', 'postgres-password does not hold a password'],
    ['of the superuser is another', passwordFile, 'x'.repeat(32), 'postgres-password is not the password of'],
    ['of the service is empty', servicePasswordFile, '', 'service-password does not hold a password'],
  ])('because the password %s says so and leaves no server', async (_what, file, content, message) => {
    const password = readFileSync(file, 'utf8');
    onTestFinished(() => writeFileSync(file, password));
    writeFileSync(file, content);
    await expect(attachOrStart(options)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(message),
    });
    expect(existsSync(pidFile)).toBe(false);
    expect(existsSync(path.join(dataDir, 'owner.json'))).toBe(false);
  });

  it('when the server runs already takes it along, and leaves the directory free', async () => {
    const record = path.join(dataDir, 'postgres.json');
    writeFileSync(pidFile, '');
    // The empty pid file is told of just before the server starts.
    const log = { ...silentLog, warn: () => void mkdirSync(record, { recursive: true }) };
    await expect(startEmbedded({ ...options, log })).rejects.toMatchObject({ code: 'EISDIR' });
    expect(existsSync(pidFile)).toBe(false);
    rmSync(record, { recursive: true });
    expect(await rowsOf(await connect(await start()), 'select a from kept order by a')).toEqual([['1'], ['2']]);
  });
});

describe('an owner on another machine', () => {
  const file = path.join(dataDir, 'owner.json');
  beforeEach(() => writeFileSync(file, JSON.stringify({ pid: 1, host: 'elsewhere', machine: 'another' })));

  it('keeps the directory while its heart beats', async () => {
    const beat = setInterval(() => utimesSync(file, new Date(), new Date()), 100);
    await expect(own(dataDir, path.dirname(pidFile))).rejects.toMatchObject({
      message: expect.stringContaining('elsewhere'),
    });
    clearInterval(beat);
  });

  it('loses it when its heart stopped', async () => {
    const ownership = await own(dataDir, path.dirname(pidFile));
    expect(readFileSync(file, 'utf8')).toContain(`"pid":${process.pid}`);
    ownership?.release();
    expect(existsSync(file)).toBe(false);
  });
});

describe('the binaries', () => {
  const base = temporaryDir();
  const installed = path.join(base, 'package');
  beforeAll(() => {
    cpSync(installedPackage(), installed, { recursive: true, filter: (file) => !lstatSync(file).isSymbolicLink() });
  });
  afterAll(() => rmSync(base, { recursive: true }));
  const version = (program: string) => execFileSync(program, ['--version'], { encoding: 'utf8' });

  it('run without the links that an install script makes', () => {
    const lib = path.join(installed, 'native', 'lib');
    expect(readdirSync(lib)).not.toContain('libpq.so.5');
    const runtime = findRuntime(undefined, path.join(base, 'copies'), installed);
    expect(runtime.initdb.startsWith(installed)).toBe(true);
    expect(version(runtime.initdb)).toContain('18');
    expect(readdirSync(lib)).toContain('libpq.so.5');
  });

  it('are copied, once, when the server cannot reach them', () => {
    const stranger = { uid: 65_533, gid: 65_533 };
    execFileSync('chmod', ['700', installed]);
    const runtime = findRuntime(stranger, path.join(base, 'copies'), installed);
    expect(runtime.postgres.startsWith(path.join(base, 'copies'))).toBe(true);
    expect(version(runtime.postgres)).toContain('18');
    const made = statSync(runtime.postgres).ctimeMs;
    expect(statSync(findRuntime(stranger, path.join(base, 'copies'), installed).postgres).ctimeMs).toBe(made);
  });
});
