/** Requesting jobs, and running them in this process. */
import type { OrganizationRef } from '../model/definition.ts';
import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/sql.ts';
import type { WantedJob } from './job.ts';
import { startRunner, type Runner, type RunnerParts } from './runner.ts';
import { insertJob } from './table.ts';

/** Requests a job in the transaction `at` of the change that needs it. */
export type Ask = (at: Queryable, wanted: WantedJob) => Promise<void>;

export interface Jobs {
  /** Runs `body`, which may request jobs; they are started after it resolves, by this process or another. */
  asking<T>(organization: OrganizationRef, body: (ask: Ask) => Promise<T>): Promise<T>;
  /** Has the organization's jobs checked by `at` (milliseconds), for jobs requested without `asking`. Does not wait. */
  wake(organizationId: string, at: number): void;
  /** Resolves when all pending wake-ups are announced; a process that ends earlier leaves them for later. */
  announced(): Promise<void>;
  /** Starts running jobs of every organization; returns a function that stops. */
  start(): () => Promise<void>;
}

/** Creates the process's job service: takes requests, and runs jobs once started. */
export function createJobs(parts: RunnerParts): Jobs {
  const { directory, clock, log } = parts;
  let runner: Runner | undefined;
  const announcing = new Set<Promise<void>>();

  /** If this fails, an announcement or the next poll finds the job. */
  function wake(id: string, at: number): void {
    const announcement = directory
      .wake(id, at)
      .catch((error: unknown) => {
        log.warn({ organization: id, error }, 'A job could not be announced; it begins later');
      })
      .finally(() => announcing.delete(announcement));
    announcing.add(announcement);
    if (at <= clock.now()) runner?.kick(id);
  }

  return {
    wake,
    async announced() {
      await Promise.all(announcing);
    },
    async asking(organization, body) {
      await directory.announce(organization.id).catch((error: unknown) => {
        log.warn({ organization: organization.id, error }, 'A job could not be announced ahead');
      });
      let earliest = Infinity;
      const outcome = await body(async (at, wanted) => {
        const now = clock.now();
        await at.run(statement(insertJob(organization, wanted, now)));
        earliest = Math.min(earliest, wanted.runAt ?? now);
      });
      if (earliest < Infinity) wake(organization.id, earliest);
      return outcome;
    },
    start() {
      const started = startRunner(parts);
      runner = started;
      return async () => {
        runner = undefined;
        await started.stop();
      };
    },
  };
}
