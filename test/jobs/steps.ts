/** A kind of job whose steps can be counted, and what the tests of jobs look at. */
import { Type } from 'typebox';
import { defineJob, type Job, type JobKind } from '../../src/jobs/job.ts';
import type { Database, Transaction } from '../../src/postgres/database.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';

const steps = 3;
export const allSteps = ['1', '2', '3'];

/** Where `step` says that it is: a test may hold it there. */
export type At = (place: string, job: Job<unknown>) => Promise<void>;

/** Enters its steps in a table of the organization, one by one. */
export function stepping(at: At): JobKind {
  return defineJob({
    kind: 'test.steps',
    input: Type.Object({ name: Type.String() }),
    async run(job) {
      await at('begun', job);
      for (let step = Number(job.progress ?? 0) + 1; step <= steps; step++) {
        await job.step(async (tx) => {
          await enter(tx, job.organization.schema, job.input.name, step);
          await at(`in ${step}`, job);
          return step;
        });
        await at(`after ${step}`, job);
      }
    },
  });
}

async function enter(tx: Transaction, schema: string, name: string, step: number): Promise<void> {
  await tx.run(statement(sql`insert into ${identifier(schema, 'steps')} (name, step) values (${name}, ${step}::int)`));
}

export async function createSteps(database: Database, schema: string): Promise<void> {
  await database.run('test', statement(sql`create table ${identifier(schema, 'steps')} (name text, step int)`));
}

/** What was entered for a job, in the order of its steps. */
export async function stepsOf(database: Database, schema: string, name: string): Promise<readonly (string | null)[]> {
  const query = sql`select step from ${identifier(schema, 'steps')} where name = ${name} order by step`;
  return (await database.run('test', statement(query))).rows.map(([step]) => step ?? null);
}

export interface JobRow {
  readonly state: string;
  readonly attempts: number;
  readonly progress: string | null;
  readonly error: string | null;
  /** Milliseconds. */
  readonly runAt: number;
}

/** The jobs of a kind, oldest first. */
export async function jobsOf(database: Database, schema: string, kind: string): Promise<readonly JobRow[]> {
  const query = sql`select state, attempts, progress::text, error, extract(epoch from run_at) * 1000
    from ${identifier(schema, '_jobs')} where kind = ${kind} order by id`;
  return (await database.run('test', statement(query))).rows.map(([state, attempts, progress, error, runAt]) => ({
    state: state ?? '',
    attempts: Number(attempts),
    progress: progress ?? null,
    error: error ?? null,
    runAt: Number(runAt),
  }));
}
