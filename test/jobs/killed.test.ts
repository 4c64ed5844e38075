/** Workers as processes of their own: killed at every point of a job, stopped, or so slow that another one takes over. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createOrganization } from '../../src/provision/create-organization.ts';
import { migrate } from '../../src/provision/migrate.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, type Engine } from '../support/engine.ts';
import { silentLog } from '../support/log.ts';
import { allSteps, createSteps, jobsOf, stepsOf } from './steps.ts';
import type { FromWorker, ToWorker, WorkerOptions } from './worker.ts';

let database: TestDatabase;
let engine: Engine;
let organization: { id: string; schema: string };
const workers = new Set<Worker>();

beforeAll(async () => {
  database = await testDatabase();
  engine = createEngine(database.database);
  await migrate({ main: database.database, directory: engine.deps.directory, clock: systemClock });
  const { organizationId, schemaName } = await createOrganization(engine.deps, {
    name: 'Test',
    adminName: 'Ada Admin',
    adminEmail: 'ada@kith.test',
  });
  organization = { id: organizationId, schema: schemaName };
  await createSteps(database.database, schemaName);
});
afterAll(() => database.drop());
afterEach(async () => {
  await Promise.all([...workers].map((worker) => worker.kill()));
});

interface Worker {
  /** Resolves when some job of it has come to the place. */
  comes(place: string): Promise<void>;
  tell(message: ToWorker): void;
  kill(): Promise<void>;
}

/** Longer than a lease. */
const later = 31_000;

async function work(options: Partial<WorkerOptions> = {}): Promise<Worker> {
  const told: WorkerOptions = { url: database.url, aheadMs: 0, holds: [], ...options };
  const child: ChildProcess = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [JSON.stringify(told)]);
  const places: string[] = [];
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const comes = (place: string) => {
    if (places.includes(place)) return Promise.resolve();
    const wait = waiting.get(place) ?? Promise.withResolvers<void>();
    waiting.set(place, wait);
    return wait.promise;
  };
  child.on('message', ({ place }: FromWorker) => {
    places.push(place);
    waiting.get(place)?.resolve();
  });
  const worker: Worker = {
    comes,
    tell: (message) => void child.send(message),
    async kill() {
      workers.delete(worker);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
  workers.add(worker);
  await comes('ready');
  return worker;
}

async function askFor(...names: readonly string[]): Promise<void> {
  const jobs = createJobs({ directory: engine.deps.directory, clock: systemClock, log: silentLog, kinds: [] });
  await jobs.asking(organization, async (ask) => {
    await database.database.transaction(organization.id, async (tx) => {
      for (const name of names) await ask(tx, { kind: 'test.steps', input: { name } });
    });
  });
}

const untilDone = () =>
  expect
    .poll(
      async () => new Set((await jobsOf(database.database, organization.schema, 'test.steps')).map((job) => job.state)),
      {
        timeout: 20_000,
        interval: 20,
      },
    )
    .toEqual(new Set(['done']));
const stepsNow = (name: string) => stepsOf(database.database, organization.schema, name);

it.each(['begun', 'in 1', 'after 1', 'in 2', 'after 3'])(
  'a job goes on where its worker was killed: %s',
  async (place) => {
    const killed = await work({ holds: [place] });
    await askFor(place);
    await killed.comes(place);
    await killed.kill();
    await work({ aheadMs: later });
    await untilDone();
    expect(await stepsNow(place)).toEqual(allSteps);
  },
);

it('a worker that another one took for dead writes nothing more', async () => {
  const slow = await work({ holds: ['in 2'] });
  await askFor('slow');
  await slow.comes('in 2');
  const other = await work({ aheadMs: later, holds: ['after 3'] });
  await other.comes('begun');
  slow.tell('on');
  await other.comes('after 3');
  other.tell('on');
  await untilDone();
  expect(await stepsNow('slow')).toEqual(allSteps);
  slow.tell('stop');
  await slow.comes('stopped');
  expect(await stepsNow('slow')).toEqual(allSteps);
});

it('a stop waits for the step at hand, and another worker goes on at once', async () => {
  const stopped = await work({ holds: ['in 2'] });
  await askFor('stopped');
  await stopped.comes('in 2');
  stopped.tell('stop');
  stopped.tell('on');
  await stopped.comes('stopped');
  const job = (await jobsOf(database.database, organization.schema, 'test.steps')).at(-1);
  expect(job).toMatchObject({ state: 'waiting', progress: '2', attempts: 0 });
  await work();
  await untilDone();
  expect(await stepsNow('stopped')).toEqual(allSteps);
});

it('two processes do each step once', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `job ${index}`);
  await Promise.all([work(), work()]);
  await askFor(...names);
  await untilDone();
  for (const name of names) expect(await stepsNow(name)).toEqual(allSteps);
});
