/** [safety: faults] A second cluster that goes away, hangs or has no room left while organizations come to it or leave it. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Datasource } from '../../src/directory/datasources.ts';
import { startEmbedded } from '../../src/postgres/embedded/supervisor.ts';
import { backUp } from '../../src/transfer/backup.ts';
import { moveOrganization } from '../../src/transfer/move.ts';
import { restore } from '../../src/transfer/restore.ts';
import { gateTo, type Gate } from '../app/gate.ts';
import { childrenOf } from '../app/worker-processes.ts';
import { randomFrom } from '../query/random.ts';
import { temporaryDir, unsafeAndFast } from '../support/embedded.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { silentLog } from '../support/log.ts';
import { statementProxy, type Moment, type StatementProxy } from './statement-proxy.ts';

const deep = process.env['KITH_DEEP'] === '1';
const seed = Number(process.env['KITH_SEED'] ?? 20_261_122);
const isRoot = process.getuid?.() === 0;
const patient = { timeout: 20_000 };

let disk: string;
let cluster: Awaited<ReturnType<typeof startEmbedded>>;
let kith: TestKith;
let proxy: StatementProxy;
let gate: Gate;
let island: Datasource;

beforeAll(async () => {
  disk = temporaryDir();
  // A disk of its own; only root can have one.
  if (isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=250m,mode=0711', 'tmpfs', disk]).status !== 0)
    throw new Error('No small disk could be mounted');
  cluster = await startEmbedded({ dataDir: disk, log: silentLog, settings: unsafeAndFast });
  const { host, port, user, password, database } = cluster.connection;
  const url = new URL(`postgres://localhost:${port}/${database}`);
  Object.assign(url, { username: user, password });
  url.searchParams.set('host', host);
  proxy = await statementProxy(url.href);
  gate = gateTo(proxy);
  await gate.open();
  kith = await startKith();
  island = await kith.deps.directory.addDatasource('island', gate.url());
});
afterAll(async () => {
  await kith?.stop();
  gate?.shut();
  proxy?.close();
  await cluster?.stop();
  if (isRoot) spawnSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

async function placeOf({ id }: TestOrganization): Promise<string> {
  const { directory } = kith.deps;
  directory.forget(id);
  const { datasourceId } = await directory.requireOrganization(id);
  return (await directory.datasources()).find((one) => one.id === datasourceId)?.name ?? '';
}

/** The movers' own connections take a moment to notice. */
async function untilBack(): Promise<void> {
  const database = await kith.deps.directory.databaseOf({ datasourceId: island.id });
  const isBack = () => database.transaction('', async () => true).catch(() => false);
  await expect.poll(isBack, patient).toBe(true);
}

/** Moves it where it is not: a command that came too early is given again. */
async function moveAfterwards(organization: TestOrganization): Promise<void> {
  const move = async () => (await moveWith(organization, Infinity, 'beside', () => {})).moved;
  await expect.poll(move, patient).toBe(true);
}

/** Writes once more and counts, as soon as that can be. */
async function expectWhole({ admin }: TestOrganization, written: number): Promise<void> {
  const key = { 'idempotency-key': crypto.randomUUID() };
  const write = async () => (await admin.post('/records/contacts', { last_name: 'after' }, key)).status;
  await expect.poll(write, patient).toBe(200);
  expect((await admin.get('/records/contacts', { limit: 1 })).json?.total).toBe(written + 1);
}

/** Moves it where it is not, with `act` at a statement of the island's; how that ended. */
async function moveWith(organization: TestOrganization, n: number, moment: Moment, act: () => void) {
  const to = (await placeOf(organization)) === 'main' ? 'island' : 'main';
  proxy.arm(n, moment, act);
  const [outcome] = await Promise.allSettled([moveOrganization(kith.deps, organization.id, to)]);
  return { outcome, statements: proxy.disarm(), moved: (await placeOf(organization)) === to };
}

describe(`the island goes away at any statement of a move (seed ${seed})`, () => {
  it(
    'and the organization is whole where it was, or where it goes',
    { timeout: deep ? 1_800_000 : 90_000 },
    async () => {
      const random = randomFrom(seed);
      const organization = await kith.organization();
      const counted = [];
      for (let there = 0; there < 2; there++) counted.push(await moveWith(organization, Infinity, 'beside', () => {}));
      let written = 0;
      for (let round = 0; round < (deep ? 60 : 3); round++) {
        const isLeaving = (await placeOf(organization)) === 'island';
        const n = 1 + random.below(counted[isLeaving ? 1 : 0]?.statements ?? 1);
        const moment = random.below(2) === 0 ? 'before' : 'after';
        const { outcome, moved } = await moveWith(organization, n, moment, () => gate.shut());
        const what = `round ${round}: ${moment} statement ${n}, ${isLeaving ? 'from' : 'to'} the island`;
        if (outcome.status === 'rejected') expect(outcome.reason, what).toMatchObject({ code: 'UNAVAILABLE' });
        else expect(moved, what).toBe(true);
        // Where it lies on the other one, nobody of it has to wait for the island.
        if ((await placeOf(organization)) === 'main' && !isLeaving) await expectWhole(organization, written++);
        await gate.open();
        await expectWhole(organization, written++);
      }
      await moveAfterwards(organization);
      await expectWhole(organization, written);
    },
  );
});

describe('the island hangs', () => {
  const processes = () => {
    const postmaster = Number(readFileSync(join(clusterDir(), 'postmaster.pid'), 'utf8').split('\n')[0]);
    return [postmaster, ...childrenOf(postmaster)];
  };
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of processes()) process.kill(pid, name);
  };

  it.each(['to', 'from'])('in the middle of a move %s it', { timeout: 60_000 }, async (direction) => {
    const organization = await kith.organization();
    if (direction === 'from') await moveAfterwards(organization);
    onTestFinished(() => signal('SIGCONT'));
    const { outcome, moved } = await moveWith(organization, 20, 'beside', () => signal('SIGSTOP'));
    expect([outcome, moved]).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ code: 'UNAVAILABLE' }) },
      false,
    ]);
    const write = () => organization.admin.post('/records/contacts', { last_name: 'meanwhile' });
    expect((await write()).status).toBe(direction === 'to' ? 200 : 503);
    signal('SIGCONT');
    await untilBack();
    await expectWhole(organization, direction === 'to' ? 1 : 0);
    await moveAfterwards(organization);
    await expectWhole(organization, direction === 'to' ? 2 : 1);
  });
});

function clusterDir(): string {
  const name = readdirSync(disk).find((each) => existsSync(join(disk, each, 'postmaster.pid')));
  if (name === undefined) throw new Error(`There is no cluster in ${disk}`);
  return join(disk, name);
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

describe.skipIf(!isRoot)('there is no room left', () => {
  it('for a move, a restore or a backup: each says so, and leaves nothing', { timeout: 60_000 }, async () => {
    const organization = await kith.organization();
    const records = Array.from({ length: 5_000 }, () => ({ last_name: crypto.randomUUID().repeat(8) }));
    expect((await organization.admin.post('/import/contacts', { records })).json.created).toBe(5_000);
    const elsewhere = temporaryDir();
    const path = join(elsewhere, 'one.kith');
    const here = join(disk, 'one.kith');
    onTestFinished(() => rmSync(elsewhere, { recursive: true }));
    const { organizations } = await backUp(kith.deps, { path, organizationId: organization.id });
    await backUp(kith.deps, { path: here, organizationId: organization.id });
    const kept = readFileSync(here);
    const ballast = join(disk, 'ballast');
    fill(ballast);

    const full = { code: 'UNAVAILABLE', message: 'The disk of the database is full' };
    await expect(moveOrganization(kith.deps, organization.id, 'island')).rejects.toMatchObject(full);
    await expectWhole(organization, 5_000);
    const request = { path, as: 'new', datasource: 'island' };
    await expect(restore(kith.deps, request)).rejects.toMatchObject(full);
    const another = join(disk, 'another.kith');
    await expect(backUp(kith.deps, { path: another, organizationId: organization.id })).rejects.toMatchObject({
      code: 'INVALID_OPERATION',
      message: expect.stringContaining('the disk is full'),
    });
    expect(readdirSync(disk).filter((name) => name.includes('another'))).toEqual([]);
    expect(readdirSync(disk)).toContain('one.kith');
    expect(readFileSync(here).equals(kept)).toBe(true);

    rmSync(ballast);
    expect((await restore(kith.deps, request))[0]?.checksum).toBe(organizations[0]?.checksum);
    expect((await moveOrganization(kith.deps, organization.id, 'island')).rows).toBeGreaterThan(10_000);
    await expectWhole(organization, 5_001);
  });
});
