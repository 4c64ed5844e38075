/** A mover that dies at any statement, a cluster that hangs, a cluster that is gone. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDirectory } from '../../src/directory/directory.ts';
import { connectDatabase } from '../../src/postgres/connect.ts';
import { startEmbedded } from '../../src/postgres/embedded/supervisor.ts';
import { createOrganization } from '../../src/provision/create-organization.ts';
import { moveOrganization } from '../../src/transfer/move.ts';
import { statementProxy, type Moment } from '../faults/statement-proxy.ts';
import { secondTestDatabase, type TestDatabase } from '../support/database.ts';
import { temporaryDir, unsafeAndFast } from '../support/embedded.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { silentLog } from '../support/log.ts';

let kith: TestKith;
let second: TestDatabase;

beforeAll(async () => {
  second = await secondTestDatabase();
  kith = await startKith();
  await kith.deps.directory.addDatasource('second', second.url);
});

afterAll(async () => {
  await kith?.stop();
  await second?.drop();
});

/** Another process, which reaches both clusters through relays. */
async function startMover() {
  const near = await statementProxy(kith.database.url);
  const far = await statementProxy(second.url);
  const main = await connectDatabase({ connection: near.url, log: silentLog });
  const connect = () => connectDatabase({ connection: far.url, log: silentLog });
  const directory = createDirectory({ main, keyring: kith.deps.keyring, connect, clock: kith.deps.clock });
  const die = () => {
    near.close();
    far.close();
  };
  return {
    near,
    far,
    die,
    deps: { ...kith.deps, directory },
    async stop() {
      die();
      await directory.close();
      await main.close();
    },
  };
}

async function placeOf(id: string): Promise<string> {
  const { directory } = kith.deps;
  directory.forget(id);
  const { datasourceId } = await directory.requireOrganization(id);
  const all = await directory.datasources();
  return all.find((datasource) => datasource.id === datasourceId)?.name ?? '';
}

type Side = 'near' | 'far';

/** Counted from the last statement of a move: the end is where it matters. */
const deaths: readonly (readonly [Moment, Side, number])[] = process.env['KITH_DEEP']
  ? (['before', 'after'] as const).flatMap((moment) =>
      (['near', 'far'] as const).flatMap((side) =>
        Array.from({ length: 40 }, (_, n) => [moment, side, n < 20 ? n : (n - 15) * 5] as const),
      ),
    )
  : [
      ['before', 'near', 60],
      ['before', 'near', 4],
      ['after', 'near', 4],
      ['after', 'near', 3],
      ['after', 'near', 2],
      ['after', 'near', 1],
      ['before', 'far', 1],
      ['after', 'far', 0],
    ];

it('loses nothing when the mover dies, wherever that is', { timeout: 300_000 }, async () => {
  const { admin, id } = await kith.organization();
  const counts = new Map<string, number>();
  let written = 0;
  const write = async () => {
    const reply = await admin.post('/records/contacts', { last_name: `n${++written}` });
    expect(reply.status, reply.text).toBe(200);
  };
  const check = async () => {
    await write();
    const { json, text } = await admin.get('/records/contacts', { limit: 1 });
    expect(json?.total, text).toBe(written);
  };
  const move = async (trap?: { side: Side; n: number; moment: Moment }) => {
    const mover = await startMover();
    const to = (await placeOf(id)) === 'main' ? 'second' : 'main';
    mover.near.arm(Infinity, 'before', () => {});
    mover.far.arm(Infinity, 'before', () => {});
    if (trap) mover[trap.side].arm(trap.n, trap.moment, mover.die);
    const [outcome] = await Promise.allSettled([moveOrganization(mover.deps, id, to), trap ? write() : undefined]);
    if (!trap) for (const side of ['near', 'far'] as const) counts.set(`${side} ${to}`, mover[side].disarm());
    await mover.stop();
    return outcome.status;
  };
  await write();
  expect([await move(), await move()]).toEqual(['fulfilled', 'fulfilled']);
  await check();

  const outcomes = new Map<string, number>();
  for (const [moment, side, back] of deaths) {
    const from = await placeOf(id);
    const n = (counts.get(`${side} ${from === 'main' ? 'second' : 'main'}`) ?? 0) - back;
    const status = await move({ side, n: Math.max(1, n), moment });
    await check();
    const outcome = `${status}, ${from === (await placeOf(id)) ? 'stays' : 'moved'}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  expect(outcomes.get('rejected, stays')).toBeGreaterThan(0);
  expect(outcomes.get('rejected, moved')).toBeGreaterThan(0);
  expect(await move()).toBe('fulfilled');
  await check();
});

it('stays where it is when the other cluster hangs at the cut-over', { timeout: 60_000 }, async () => {
  const { admin, id } = await kith.organization();
  const mover = await startMover();
  mover.far.arm(Infinity, 'before', () => {});
  await moveOrganization(mover.deps, id, 'second');
  await moveOrganization(kith.deps, id, 'main');
  mover.deps.directory.forget(id);
  mover.far.arm(mover.far.disarm() - 3, 'before', () => {}); // never arrives, and nothing is closed
  await expect(moveOrganization(mover.deps, id, 'second')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect((await admin.post('/records/contacts', { last_name: 'Still here' })).status).toBe(200);
  expect(await placeOf(id)).toBe('main');
  await mover.stop();
});

it('serves the organizations of one cluster while another one is gone', { timeout: 90_000 }, async () => {
  const dataDir = temporaryDir();
  const cluster = await startEmbedded({ dataDir, log: silentLog, settings: unsafeAndFast });
  try {
    const { host, port, user, password, database } = cluster.connection;
    const url = new URL(`postgres://localhost:${port}/${database}`);
    Object.assign(url, { username: user, password });
    url.searchParams.set('host', host);
    await kith.deps.directory.addDatasource('island', url.href);
    const near = await kith.organization();
    const far = await createOrganization(kith.deps, {
      name: 'Far',
      adminName: 'Bo',
      adminEmail: 'bo@far.test',
      datasource: 'island',
    });
    const there = kith.client(far.token);
    expect((await there.post('/records/contacts', { last_name: 'Far' })).status).toBe(200);
    const leaving = await kith.organization();
    await moveOrganization(kith.deps, leaving.id, 'island');
    expect((await leaving.admin.post('/records/contacts', { last_name: 'Away' })).status).toBe(200);
    await moveOrganization(kith.deps, leaving.id, 'main');

    await cluster.stop();
    const away = await Promise.all([
      there.get('/records/contacts'),
      there.post('/records/contacts', { last_name: 'x' }),
    ]);
    expect(away.map(({ status }) => status)).toEqual([503, 503]);
    // The service last saw it on the cluster that is gone: the first failure makes it look again.
    expect([200, 503]).toContain((await leaving.admin.get('/records/contacts')).status);
    for (const { admin } of [near, leaving]) {
      const made = await admin.post('/records/contacts', { last_name: 'Near' });
      expect([made.status, (await admin.get('/records/contacts')).status], made.text).toEqual([200, 200]);
    }
    expect((await leaving.admin.get('/records/contacts')).json.total).toBe(2);
    await expect(moveOrganization(kith.deps, near.id, 'island')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect((await near.admin.post('/records/contacts', { last_name: 'Still' })).status).toBe(200);
  } finally {
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
