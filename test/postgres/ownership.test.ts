/** Who has a data directory: of many at once one, and nobody else of this machine can say that it is taken. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePrivateDir, refuseShared } from '../../src/lib/private-dir.ts';
import { own } from '../../src/postgres/embedded/ownership.ts';
import { isSocketDir, makeSocketDir } from '../../src/postgres/embedded/cluster-files.ts';
import { startEmbedded } from '../../src/postgres/embedded/supervisor.ts';
import { temporaryDir, unsafeAndFast } from '../support/embedded.ts';
import { silentLog } from '../support/log.ts';

const isRoot = process.getuid?.() === 0;
const claimant = fileURLToPath(import.meta.resolve('./claimant.ts'));
/** Somebody else with an account here. */
const stranger = 65_533;

let dataDir: string;
let clusterDir: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  dataDir = temporaryDir();
  clusterDir = path.join(dataDir, 'pg18');
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(dataDir, { recursive: true, force: true });
});

function run(options: { readonly uid?: number; readonly cwd?: string }, ...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

async function told(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('A child without output');
  return String((await once(child.stdout, 'data'))[0]).trim();
}

describe('many starts at once', () => {
  it('have one owner, and the next one when that is killed', { timeout: 60_000 }, async () => {
    mkdirSync(clusterDir);
    for (let round = 0; round < 3; round++) {
      const started = Array.from({ length: 8 }, () => run({}, claimant, dataDir, clusterDir));
      const outcomes = await Promise.all(started.map(told));
      expect(outcomes.toSorted()).toEqual(['owner', ...Array<string>(7).fill('taken')]);
      const owner = started[outcomes.indexOf('owner')];
      expect(await own(dataDir, clusterDir)).toBe(undefined);
      expect(readFileSync(path.join(dataDir, 'owner.json'), 'utf8')).toContain(`"pid":${owner?.pid}`);
      owner?.kill('SIGKILL');
      if (owner) await once(owner, 'exit');
      // Those who asked in vain still live: they hold nothing.
    }
    const ownership = await own(dataDir, clusterDir);
    expect(await own(dataDir, clusterDir)).toBe(undefined);
    ownership?.release();
    (await own(dataDir, clusterDir))?.release();
  });

  it('go on with one cluster, even from a copy of the data directory that points to it', async () => {
    const copy = temporaryDir();
    const ownership = await own(dataDir, clusterDir);
    expect(await own(copy, clusterDir)).toBe(undefined);
    ownership?.release();
    rmSync(copy, { recursive: true });
  });
});

describe.skipIf(!isRoot)('somebody else on this machine', () => {
  it('keeps no service from starting, with a socket of any name or a lock', { timeout: 60_000 }, async () => {
    // A name that anybody can take, and that can be known beforehand.
    const name = createHash('sha256').update(clusterDir).digest('hex').slice(0, 32);
    const squat = `require('net').createServer().listen('\\0kith-${name}', () => console.log('taken'))`;
    expect(await told(run({ uid: stranger, cwd: '/' }, '-e', squat))).toBe('taken');
    (await own(dataDir, clusterDir))?.release();
    const lock = `
      const { DatabaseSync } = require('node:sqlite');
      try { new DatabaseSync('${clusterDir}.lock').exec('begin exclusive'); console.log('locked'); }
      catch (error) { console.log(error.message); }`;
    expect(await told(run({ uid: stranger, cwd: '/' }, '-e', lock))).toMatch(/unable to open/);
    const embedded = await startEmbedded({ dataDir, log: silentLog, settings: unsafeAndFast });
    await embedded.stop();
  });

  it(
    'gets no connection, and loses nothing, by a directory that it lays where a socket was',
    { timeout: 60_000 },
    async () => {
      const laid = path.join(tmpdir(), `kith-pg-${path.basename(dataDir)}`);
      mkdirSync(laid, { mode: 0o700 });
      chownSync(laid, stranger, stranger);
      const link = `${laid}-link`;
      const made = makeSocketDir(undefined);
      symlinkSync(made, link);
      expect([made, laid, link].map((directory) => isSocketDir(undefined, directory))).toEqual([true, false, false]);
      for (const host of [laid, link]) {
        const record = { host, port: 5432, user: 'kith', database: 'postgres', serverVersion: 180_000 };
        writeFileSync(path.join(dataDir, 'postgres.json'), JSON.stringify(record));
        const embedded = await startEmbedded({ dataDir, log: silentLog, settings: unsafeAndFast });
        expect([embedded.connection.host === host, existsSync(laid), existsSync(made)]).toEqual([false, true, true]);
        await embedded.stop();
      }
      for (const left of [link, made, laid]) rmSync(left, { recursive: true });
    },
  );

  it('lays no data directory ready', () => {
    const open = path.join(dataDir, 'open');
    mkdirSync(open);
    chmodSync(open, 0o1777);
    const laid = path.join(open, 'kith');
    mkdirSync(laid, { mode: 0o700 });
    chownSync(laid, stranger, stranger);
    expect(() => makePrivateDir(laid)).toThrow(/belongs to the account with uid 65533: start Kith as that account/);
    expect(() => makePrivateDir(open)).toThrow(/Others can write in .*open: look at what is in it, then chmod go-w it/);
    symlinkSync(laid, path.join(open, 'link'));
    expect(() => makePrivateDir(path.join(open, 'link'))).toThrow(/belongs to the account/);
    // An administrator may look after a service that runs as another account, and leaves nothing there.
    chmodSync(open, 0o755);
    refuseShared(laid);
    expect(() => makePrivateDir(laid)).toThrow(/belongs to the account with uid 65533, and root puts nothing there/);
  });

  it('cannot put another directory in the place of one', () => {
    const parent = path.join(dataDir, 'parent');
    const mine = path.join(parent, 'inside', 'kith');
    mkdirSync(parent);
    chownSync(parent, stranger, stranger);
    const theirs = new RegExp(`${parent} belongs to the account with uid 65533, so that ${mine} could be replaced`);
    expect(() => makePrivateDir(mine)).toThrow(theirs);
    expect(existsSync(path.join(parent, 'inside'))).toBe(false);
    chownSync(parent, 0, stranger);
    chmodSync(parent, 0o775);
    expect(() => makePrivateDir(mine)).toThrow(/Others can write in .*parent, so that/);
    chmodSync(parent, 0o1775);
    expect(makePrivateDir(mine)).toBe(mine);
    // Nor can it point a name of its own elsewhere later.
    const link = path.join(dataDir, 'link');
    symlinkSync(mine, link);
    expect(makePrivateDir(link)).toBe(mine);
    lchownSync(link, stranger, stranger);
    expect(() => makePrivateDir(link)).toThrow(/link belongs to the account with uid 65533, so that/);
    // A group of one's own, as many systems give each account, is nobody else.
    chmodSync(parent, 0o775);
    chownSync(parent, 0, process.getgid?.() ?? 0);
    expect(makePrivateDir(mine)).toBe(mine);
  });
});
