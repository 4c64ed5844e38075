/** [safety: server killed] An import of 100,000 rows whose service is killed ten times: each row ends once, and is counted where it is. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { expectState, type Storage } from '../writes/invariants.ts';
import { ask, serve, type ServiceProcess } from './service.ts';
import { faultStage, type FaultStage } from './stage.ts';
import type { StatementProxy } from './statement-proxy.ts';

const rows = 100_000;
const kills = 10;
/** Of so many rows one cannot come in, and another one is somebody who is there already. */
const every = 1_000;
const [badAt, doubleAt] = [3, 7];

let stage: FaultStage;
let proxy: StatementProxy;
let storage: Storage;
let token: string;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  stage = await faultStage();
  ({ proxy, storage, token } = stage);
});
afterEach(async () => {
  proxy.disarm();
  service?.kill('SIGTERM');
  await service?.outcome;
});
afterAll(() => stage.drop());

async function start(): Promise<ServiceProcess> {
  service = await serve({ ...stage.env, KITH_JOBS: 'on' });
  return service;
}

async function send(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const reply = await ask(service?.url ?? '', token, method, `/api/v1${path}`, body);
  expect([200, 201], JSON.stringify(reply?.json)).toContain(reply?.status);
  return reply?.json ?? {};
}

function csv(): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const rest = at % every;
    return `P${at},${rest === badAt ? 'no address' : `p${rest === doubleAt ? at - 1 : at}@x.test`}`;
  });
  return `first_name,emails\n${lines.join('\n')}\n`;
}

/** As if the half minute had passed in which nobody takes the work of somebody who may still be at it. */
async function endLeases(): Promise<void> {
  const past = sql`now() - interval '1 second'`;
  await storage.rows(sql`update ${storage.table('_jobs')} set leased_until = ${past} where leased_until is not null`);
  await storage.rows(sql`update ${identifier('kith', 'due')} set run_at = ${past}`);
}

/** How many rows of the import have ended by what is stored. */
async function settled(): Promise<number> {
  const [row] = await storage.rows(sql`select outcome from ${storage.table('_import_jobs')}`);
  const { created, updated, skipped, failed } = JSON.parse(row?.[0] ?? '{}') as Record<string, number>;
  return (created ?? 0) + (updated ?? 0) + (skipped ?? 0) + (failed ?? 0);
}

/** How many of the first rows are new contacts. */
function createdOf(first: number): number {
  const having = (rest: number) => Math.max(0, Math.ceil((first - rest) / every));
  return first - having(badAt) - having(doubleAt);
}

async function countOf(table: string): Promise<number> {
  const [row] = await storage.rows(sql`select count(*) from ${storage.table(table)}`);
  return Number(row?.[0]);
}

it('IJ-03, CIR-19: is whole, and nothing is there twice', { timeout: 900_000 }, async () => {
  await start();
  const { import_job_id: id } = await send('POST', '/import-jobs', {
    object_name: 'contacts',
    format: 'csv',
    data: csv(),
  });
  const options = { duplicate_strategy: 'update', duplicate_fields: ['emails'], bad_cells: 'fail' };
  expect(await send('POST', `/import-jobs/${String(id)}/execute`, { import_options: options })).toMatchObject({
    mode: 'queued',
  });

  const places: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const killed = service;
    // Anywhere in a step, and between steps: of some the answer is lost, others never arrive.
    proxy.arm(40 + ((kill * 83) % 160), kill % 2 === 0 ? 'after' : 'before', () => killed?.kill('SIGKILL'));
    expect((await killed?.outcome)?.code).toBeNull();
    proxy.cut();
    await stage.untilAlone();
    places.push(await settled());
    expect(await countOf('contacts'), 'what is there is what is counted').toBe(createdOf(places.at(-1) ?? 0));
    await endLeases();
    await start();
  }
  expect(places, 'in the order of time').toEqual(places.toSorted((a, b) => a - b));
  expect(new Set(places).size, `killed in the middle: ${places.join()}`).toBeGreaterThan(kills / 2);
  expect(places.at(-1)).toBeLessThan(rows);

  const path = `/import-jobs/${String(id)}`;
  await expect
    .poll(async () => (await send('GET', path))['status'], { timeout: 600_000, interval: 200 })
    .toMatch(/^completed/);
  const [created, some] = [createdOf(rows), rows / every];
  expect(await send('GET', path)).toMatchObject({
    status: 'completed_with_errors',
    done: rows,
    outcome: { created, updated: some, skipped: 0, failed: some },
  });
  const table = storage.table('contacts');
  const [distinct] = await storage.rows(sql`select count(*), count(distinct emails::text) from ${table}`);
  expect(distinct).toEqual([String(created), String(created)]);
  const entries = sql`select h.action, count(*), count(distinct h.record_id) from ${storage.table('_history')} h group by 1 order by 1`;
  expect(await storage.rows(entries)).toEqual([
    ['create', String(created), String(created)],
    ['update', String(some), String(some)],
  ]);
  await expectState(storage, ['contacts']);
});
