/** The two sides of jobs: asking for them, and carrying them out in this process. */
import type { OrganizationRef } from '../model/definition.ts';
import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/sql.ts';
import type { WantedJob } from './job.ts';
import { startRunner, type Runner, type RunnerParts } from './runner.ts';
import { insertJob } from './table.ts';

/** Asks for a job, `at` the transaction of the change that wants it. */
export type Ask = (at: Queryable, wanted: WantedJob) => Promise<void>;

export interface Jobs {
  /** Runs `body`, which may ask for jobs; what it asked for is begun when it has resolved, here or elsewhere. */
  asking<T>(organization: OrganizationRef, body: (ask: Ask) => Promise<T>): Promise<T>;
  /** Has the organization's jobs looked at by `at`; where a job was asked for without `asking`. Nobody waits for it. */
  wake(organizationId: string, at: number): void;
  /** Resolves when all that was to be looked at is announced: whoever ends before leaves it for later. */
  announced(): Promise<void>;
  /** Carries out jobs of every organization from now on. Returned is what stops it. */
  start(): () => Promise<void>;
}

/** One for a process: asks for jobs, and carries them out once it is started. */
export function createJobs(parts: RunnerParts): Jobs {
  const { directory, clock, log } = parts;
  let runner: Runner | undefined;
  const announcing = new Set<Promise<void>>();

  /** Where it fails, an announcement or the next look finds the job. */
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
