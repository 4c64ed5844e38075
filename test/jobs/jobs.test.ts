/** Jobs in one process, at a time that the tests move. */
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineJob, JobRefused, type Job, type JobKind, type WantedJob } from '../../src/jobs/job.ts';
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts';
import type { RunnerParts } from '../../src/jobs/runner.ts';
import { forgetFinished } from '../../src/jobs/table.ts';
import { sweeping } from '../../src/operations/background/sweep.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { acme, rowsOf, setUp, type Setup } from '../provision/setup.ts';
import { silentLog } from '../support/log.ts';
import { jobsOf, type JobRow } from './steps.ts';

let setup: Setup;
let stops: (() => Promise<void>)[];

beforeEach(async () => {
  setup = await setUp();
  stops = [];
});
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  await setup.drop();
});

interface Place {
  readonly id: string;
  readonly schema: string;
}

async function organization(): Promise<Place> {
  const { organizationId, schemaName } = await acme(setup.deps);
  return { id: organizationId, schema: schemaName };
}

function carryOut(kinds: readonly JobKind[], parts: Partial<RunnerParts> = {}): Jobs {
  const { directory } = setup.deps;
  const jobs = createJobs({ directory, clock: setup.clock, log: silentLog, kinds, ...parts });
  stops.push(jobs.start());
  return jobs;
}

/** By a process that carries out nothing. */
function askFor(place: Place, ...wanted: readonly WantedJob[]): Promise<void> {
  const jobs = createJobs({ directory: setup.deps.directory, clock: setup.clock, log: silentLog, kinds: [] });
  return asking(jobs, place, ...wanted);
}

async function asking(jobs: Jobs, place: Place, ...wanted: readonly WantedJob[]): Promise<void> {
  await jobs.asking(place, (ask) =>
    setup.main.transaction(place.id, async (tx) => {
      for (const job of wanted) await ask(tx, job);
    }),
  );
}

const rows = (place: Place, kind = 'test') => jobsOf(setup.main, place.schema, kind);
const patience = { timeout: 10_000, interval: 10 };
const until = (place: Place, wanted: Partial<JobRow>, kind = 'test') =>
  expect.poll(async () => (await rows(place, kind))[0], patience).toMatchObject(wanted);
const job = (run: (job: Job<unknown>, signal: AbortSignal) => Promise<number | void>, attempts = 3) =>
  defineJob({ kind: 'test', input: Type.Unknown(), attempts, run });
const wanted = { kind: 'test', input: null };
const dueAt = async ({ id }: Place) =>
  Number(
    (
      await rowsOf(
        setup.main,
        sql`select extract(epoch from run_at) * 1000 from kith.due where organization_id = ${id}::uuid`,
      )
    )[0]?.[0],
  );

describe('a job', () => {
  it('is there when the change that asks for it is, and is not when that was undone', async () => {
    const place = await organization();
    const jobs = carryOut([job(async () => {})]);
    const undone = jobs.asking(place, (ask) =>
      setup.main.transaction(place.id, async (tx) => {
        await ask(tx, wanted);
        throw new Error('undone');
      }),
    );
    await expect(undone).rejects.toThrow('undone');
    expect(await rows(place)).toEqual([]);
    await asking(jobs, place, wanted);
    await until(place, { state: 'done' });
  });

  it('begins at its time', async () => {
    const place = await organization();
    const runAt = setup.clock.time + 3_600_000;
    await askFor(place, { ...wanted, runAt });
    await askFor(place, { ...wanted, input: 'now' });
    carryOut([job(async () => {})]);
    await expect.poll(async () => (await rows(place)).map(({ state }) => state), patience).toEqual(['waiting', 'done']);
    setup.clock.time = runAt;
    await until(place, { state: 'done' });
  });

  it('is tried again, later each time, and fails with its reason after the last time', async () => {
    const place = await organization();
    let count = 0;
    await askFor(place, wanted);
    carryOut([
      job(async () => {
        count++;
        throw new Error('The mail server is away');
      }),
    ]);
    await until(place, { state: 'waiting', attempts: 1, error: 'The mail server is away' });
    const [first] = await rows(place);
    expect(first?.runAt).toBeGreaterThan(setup.clock.time + 1_000);
    setup.clock.time = Math.ceil(first?.runAt ?? 0);
    await until(place, { state: 'waiting', attempts: 2 });
    const [second] = await rows(place);
    expect((second?.runAt ?? 0) - setup.clock.time).toBeGreaterThan(2_900);
    setup.clock.time = Math.ceil(second?.runAt ?? 0);
    await until(place, { state: 'failed', attempts: 3 });
    expect(count).toBe(3);
  });

  it('has all its attempts again when it has come a step further', async () => {
    const place = await organization();
    await askFor(place, wanted);
    carryOut([
      job(async ({ step }) => {
        await step(async () => 'on');
        throw new Error('no further');
      }),
    ]);
    await until(place, { state: 'waiting', attempts: 1, progress: '"on"' });
    setup.clock.time = Math.ceil((await rows(place))[0]?.runAt ?? 0);
    await expect.poll(async () => (await rows(place))[0]?.runAt, patience).toBeGreaterThan(setup.clock.time);
    expect(await rows(place)).toMatchObject([{ state: 'waiting', attempts: 1 }]);
  });

  it('that ends its worker each time is not begun for ever', async () => {
    const place = await organization();
    await askFor(place, wanted);
    await rowsOf(setup.main, sql`update ${identifier(place.schema, '_jobs')} set attempts = 3`);
    let begun = false;
    carryOut([job(async () => void (begun = true))]);
    await until(place, { state: 'failed', error: 'Each worker that began it ended before it came a step further' });
    expect(begun).toBe(false);
  });

  it('is refused without another attempt where none would help, and for an input that is none', async () => {
    const place = await organization();
    await askFor(place, wanted);
    carryOut([
      defineJob({
        kind: 'test',
        input: Type.Null(),
        run: () => Promise.reject(new JobRefused('The user is gone')),
      }),
    ]);
    await until(place, { state: 'failed', attempts: 1, error: 'The user is gone' });
    await askFor(place, { ...wanted, input: 'text' });
    await expect
      .poll(async () => (await rows(place))[1], patience)
      .toMatchObject({ state: 'failed', error: 'Its input is none of this kind of job' });
  });

  it('with the key of one that waits is that one; with that of one that runs, it runs once more', async () => {
    const place = await organization();
    const keyed = { ...wanted, key: 'the same' };
    await askFor(place, { ...keyed, runAt: setup.clock.time + 60_000 }, keyed, keyed);
    expect(await rows(place)).toMatchObject([{ state: 'waiting', runAt: setup.clock.time }]);
    const began = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const goOn = Promise.withResolvers<void>();
    let count = 0;
    carryOut([
      job(async () => {
        began[count++]?.resolve();
        await goOn.promise;
      }),
    ]);
    await began[0]?.promise;
    await askFor(place, keyed, keyed);
    expect(await rows(place)).toHaveLength(1);
    goOn.resolve();
    await began[1]?.promise;
    await until(place, { state: 'done' });
    expect(count).toBe(2);
  });

  it('of a kind that this program does not know waits for another one', async () => {
    const place = await organization();
    await askFor(place, { kind: 'unknown', input: null }, wanted);
    carryOut([job(async () => {})]);
    await until(place, { state: 'done' });
    expect(await rows(place, 'unknown')).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  });

  it('is forgotten after a day, and after thirty where it failed', async () => {
    const place = await organization();
    await askFor(place, wanted, { ...wanted, input: 'fails' });
    carryOut([job(async ({ input }) => (input === null ? undefined : Promise.reject(new JobRefused('no'))))]);
    await expect.poll(async () => (await rows(place)).map(({ state }) => state), patience).toEqual(['done', 'failed']);
    const day = 86_400_000;
    const { time } = setup.clock;
    expect(await forgetFinished(setup.main, place, time + day - 1)).toBe(0);
    expect(await forgetFinished(setup.main, place, time + day)).toBe(1);
    expect(await forgetFinished(setup.main, place, time + 30 * day)).toBe(1);
  });
});

describe('organizations', () => {
  it('take turns: the first job of one comes before the third of another', async () => {
    const [busy, other] = [await organization(), await organization()];
    const order: unknown[] = [];
    await askFor(busy, ...Array.from({ length: 100 }, () => ({ ...wanted, input: 'busy' })));
    setup.clock.time += 1;
    await askFor(other, { ...wanted, input: 'other' });
    setup.clock.time += 1;
    carryOut([job(async ({ input }) => void order.push(input))], { most: 1, mostOfOne: 1 });
    await until(other, { state: 'done' });
    expect(order.indexOf('other')).toBeLessThan(3);
  });

  it('do not wait for the end of long jobs: those go on from their step when others had their turn', async () => {
    const [busy, other] = [await organization(), await organization()];
    await askFor(busy, { ...wanted, input: 'busy' });
    const turn = { begun: Promise.withResolvers<void>(), on: Promise.withResolvers<void>() };
    const seen: unknown[] = [];
    carryOut(
      [
        job(async ({ input, progress, step }, signal) => {
          seen.push([input, progress]);
          if (input === 'other' || progress !== null) return;
          turn.begun.resolve();
          signal.addEventListener('abort', () => turn.on.resolve());
          await turn.on.promise;
          await step(async () => 'one');
          seen.push('went on');
        }),
      ],
      { most: 1, mostOfOne: 1 },
    );
    await turn.begun.promise;
    setup.clock.time += 11_000;
    await askFor(other, { ...wanted, input: 'other' });
    setup.clock.time += 1;
    await until(other, { state: 'done' });
    await until(busy, { state: 'done' });
    expect(seen).toEqual([
      ['busy', null],
      ['other', null],
      ['busy', 'one'],
    ]);
  });

  it('that cannot be looked at hold up no others', async () => {
    const [broken, other] = [await organization(), await organization()];
    await askFor(other, wanted);
    const unmigrated = await organization();
    await rowsOf(setup.main, sql`alter table ${identifier(broken.schema, '_jobs')} rename kind to other`);
    await rowsOf(setup.main, sql`drop table ${identifier(unmigrated.schema, '_jobs')}`);
    carryOut([job(async () => {})]);
    await until(other, { state: 'done' });
    await expect.poll(() => dueAt(broken), patience).toBe(setup.clock.time + 10_000);
    await expect.poll(() => dueAt(unmigrated), patience).toBe(setup.clock.time + 600_000);
  });

  it('are found again where a process died between a commit and its wake-up', async () => {
    const place = await organization();
    const { directory } = setup.deps;
    carryOut([job(async () => {})]);
    await expect.poll(() => dueAt(place), patience).toBeGreaterThan(setup.clock.time + 3_600_000);
    const dying = createJobs({
      directory: { ...directory, wake: () => Promise.reject(new Error('The process died')) },
      clock: setup.clock,
      log: silentLog,
      kinds: [],
    });
    await asking(dying, place, wanted);
    setup.clock.time += 60_000;
    await until(place, { state: 'done' });
  });

  it('that a clock planned which was ahead are looked at when it is set back, and so are their jobs', async () => {
    const place = await organization();
    const ahead = 40 * 86_400_000;
    setup.clock.time += ahead;
    await askFor(place, { ...wanted, runAt: setup.clock.time });
    await rowsOf(
      setup.main,
      sql`update kith.due set run_at = to_timestamp(${setup.clock.time / 1000}::double precision)`,
    );
    setup.clock.time -= ahead;
    carryOut([job(async () => {})]);
    await until(place, { state: 'done' });
    await expect.poll(() => dueAt(place), patience).toBeLessThan(setup.clock.time + ahead / 2);
  });

  it('without any wake-up get one', async () => {
    const place = await organization();
    await askFor(place, wanted);
    await rowsOf(setup.main, sql`delete from kith.due`);
    carryOut([job(async () => {})]);
    await until(place, { state: 'done' });
    expect(await dueAt(place)).toBeGreaterThan(0);
  });
});

describe('the sweep', () => {
  const sweepOf = (place: Place) => rows(place, 'sweep');
  const day = 86_400_000;

  it('comes to every organization, and again within a day where nothing is due', async () => {
    const place = await organization();
    carryOut([sweeping(setup.clock)]);
    await expect
      .poll(async () => (await sweepOf(place))[0]?.runAt, patience)
      .toBeGreaterThan(setup.clock.time + day / 2);
    expect((await sweepOf(place))[0]?.runAt).toBeLessThanOrEqual(setup.clock.time + day);
    await expect.poll(() => dueAt(place), patience).toBeGreaterThan(setup.clock.time);
  });

  it('comes when the next answer or record is due, after an hour at the earliest', async () => {
    const place = await organization();
    const at = (millis: number) => sql`to_timestamp(${millis / 1000}::double precision)`;
    await rowsOf(
      setup.main,
      sql`insert into ${identifier(place.schema, '_idempotency')} (workspace_user_id, key_hash, request_hash, role_id, created_at)
        values (gen_random_uuid(), 'k', 'r', gen_random_uuid(), ${at(setup.clock.time - day + 2 * 3_600_000)})`,
    );
    carryOut([sweeping(setup.clock)]);
    await expect.poll(async () => (await sweepOf(place))[0]?.runAt, patience).toBe(setup.clock.time + 2 * 3_600_000);
    setup.clock.time += 2 * 3_600_000;
    const kept = sql`select count(*) from ${identifier(place.schema, '_idempotency')}`;
    await expect.poll(() => rowsOf(setup.main, kept), patience).toEqual([['0']]);
  });

  it('comes again where it has failed', async () => {
    const place = await organization();
    const table = identifier(place.schema, '_idempotency');
    await rowsOf(setup.main, sql`alter table ${table} rename to other`);
    await askFor(place, { kind: 'sweep', key: 'standing', input: null });
    await rowsOf(setup.main, sql`update ${identifier(place.schema, '_jobs')} set attempts = 9`);
    carryOut([sweeping(setup.clock)]);
    await until(place, { state: 'waiting', attempts: 0, runAt: setup.clock.time + 3_600_000 }, 'sweep');
    await rowsOf(setup.main, sql`alter table ${identifier(place.schema, 'other')} rename to _idempotency`);
    setup.clock.time += 3_600_000;
    await until(place, { error: null }, 'sweep');
    expect(await sweepOf(place)).toHaveLength(1);
  });
});
