/** What the interleaving tests play on: one organization, two processes on it, and what must hold after every scene. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operation } from '../../src/operations/door/operation.ts';
import { createRecord, listRecords, updateRecord } from '../../src/operations/records/records.ts';
import { connectDatabase } from '../../src/postgres/connect.ts';
import type { Database } from '../../src/postgres/database.ts';
import { sql } from '../../src/postgres/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { codeOf, createEngine, firstOrganization, type Engine } from '../support/engine.ts';
import { silentLog } from '../support/log.ts';
import { explore, gated, interleaver, type Choose, type Interleaver } from './interleave.ts';
import { monitorOf, type Monitor } from './monitor.ts';
import { expectHistory, expectState, makeUnique, storageOf, type Storage } from './invariants.ts';

const deep = process.env['KITH_DEEP'] === '1';
export const seed = Number(process.env['KITH_SEED'] ?? 20_260_301);
const objectNames = ['companies', 'contacts', 'opportunities'];
const processes = ['kith_a', 'kith_b'];

let database: TestDatabase;
let connections: readonly Database[] = [];
let engines: readonly Engine[];
let monitor: Monitor;
let both: Interleaver;
let token: string;

/** Set once the tests run. */
export let storage: Storage;
export let organizationId: string;

/** Gives the tests of a file their organization; `companies.domain` is unique in it. */
export function useStage(): void {
  beforeAll(async () => {
    database = await testDatabase();
    connections = await Promise.all(processes.map(connectAs));
    monitor = await monitorOf(database);
    both = interleaver(processes, monitor);
    engines = connections.map((connection, index) => createEngine(gated(connection, both.turnstiles[index]!)));
    const organization = await firstOrganization(engines[0]!, database.database);
    ({ organizationId, token } = organization);
    storage = storageOf(database.database, organization.schemaName);
    await makeUnique(storage, 'companies', 'domain');
  });
  afterAll(async () => {
    await Promise.all([monitor, ...connections].map((connection) => connection.close()));
    await database.drop();
  });
}

function connectAs(name: string): Promise<Database> {
  const url = new URL(database.url);
  url.searchParams.set('application_name', name);
  return connectDatabase({
    connection: url.href,
    log: silentLog,
    pipelinedClients: 1,
    writingClients: 1,
    plainClients: 2,
  });
}

export type Step = readonly [operation: Operation, input: object] | ((engine: Engine) => Promise<unknown>);

export interface Ending {
  /** `ok`, or the code of the refusal. */
  readonly codes: readonly [string, string];
  /** What each one answered. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as an operation answers
  readonly answers: readonly [any, any];
  /** Whose turn each step was. */
  readonly turns: readonly number[];
}

/** Fresh records, two steps, and what must hold once both are through. */
export interface Scene {
  readonly steps: readonly [Step, Step];
  check(ending: Ending): Promise<void> | void;
}

/** What provisioning needs, in the first process. */
export const deps = () => engines[0]!.deps;

/** In the first process, with nobody in between. */
export const performAs: Engine['perform'] = (as, operation, input) => engines[0]!.perform(as, operation, input);

/** As the admin in one of the two processes, with nobody in between. */
export const performIn = (process: number, operation: Operation, input: object): ReturnType<Engine['perform']> =>
  engines[process]!.perform(token, operation, input);

/** The processes that wait for a lock. */
export const blocked = (): Promise<string[]> => monitor.blocked();

/** For a step that is more than an operation with its input. */
export const tokenOfAdmin = () => token;

/** By what they show; each makes its own records. */
export type Scenes = Readonly<Record<string, () => Promise<Scene>>>;

/** As the admin. */
export const perform: (operation: Operation, input: object) => ReturnType<Engine['perform']> = (operation, input) =>
  performAs(token, operation, input);

export async function make(object: string, values: object): Promise<string> {
  return String((await perform(createRecord, { object, values })).id);
}

export function update(object: string, id: string, values: object): Step {
  return [updateRecord, { object, id, values }];
}

/** Matches codes that are one of `endings`. */
export function oneOf(...endings: readonly string[][]): unknown {
  return {
    asymmetricMatch: (codes: readonly string[]) => endings.some((ending) => ending.join() === codes.join()),
  };
}

/** A test for each scene, in every order of its statements, or in as many as there is time for. */
export function playAll(scenes: Scenes): void {
  it.each(Object.entries(scenes))('%s', async (_name, prepare) => {
    const bounds = { limit: deep ? 1_000 : 10, samples: deep ? 300 : 5, seed };
    const { tried } = await explore(bounds, async (choose) => play(await prepare(), choose));
    expect(tried).toBeGreaterThan(1);
  });
}

/** One test for a scene that takes long: in a few orders, drawn from the seed. */
export function playSome(name: string, samples: number, prepare: () => Promise<Scene>): void {
  it(name, async () => {
    const bounds = { limit: 1, samples: deep ? 10 * samples : samples, seed };
    const { tried } = await explore(bounds, async (choose) => play(await prepare(), choose));
    expect(tried).toBeGreaterThan(samples);
  });
}

async function play(scene: Scene, choose: Choose): Promise<void> {
  const versions = await Promise.all(objectNames.map(storage.version));
  const answers: [unknown, unknown] = [undefined, undefined];
  const codes: [string, string] = ['', ''];
  const works = scene.steps.map((step, index) => async () => {
    const engine = engines[index]!;
    const work = typeof step === 'function' ? step(engine) : engine.perform(token, ...step);
    codes[index] = await codeOf(work.then((answer) => (answers[index] = answer)));
  });
  const turns = await both.run(works, choose);
  await scene.check({ codes, answers, turns });
  await expectState(storage, objectNames);
  for (const name of objectNames) await expectHistory(storage, name);
  const after = await Promise.all(objectNames.map(storage.version));
  after.forEach((version, index) => expect(version).toBeGreaterThanOrEqual(versions[index] ?? 0n));
  await expectTotals();
}

/** What a process remembers of a filtered list's total is what a count says now. */
async function expectTotals(): Promise<void> {
  const where = { type: 'AND', conditions: [{ field: 'company_id.name', operator: 'starts_with', value: 'Target' }] };
  const [row] = await storage.rows(sql`select count(*) from ${storage.table('contacts')} c
    join ${storage.table('companies')} t on t.id = c.company_id where c.deleted_at is null and t.deleted_at is null and t.name like 'Target%'`);
  for (const engine of engines) {
    const { total } = await engine.perform(token, listRecords, {
      object: 'contacts',
      filters: JSON.stringify(where),
      limit: 1,
    });
    expect(total, 'the total of a filtered list').toBe(Number(row?.[0]));
  }
}
