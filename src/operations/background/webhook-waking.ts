/**
 * Wakes webhooks after writes of this process. That an organization has none is cached for some seconds, so that a write
 * rarely costs a query.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Directory } from '../../directory/directory.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { hastenJobs } from '../../jobs/table.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { Lru } from '../../lib/lru.ts';
import { webhookKind } from './webhook-job.ts';

interface Parts {
  readonly directory: Pick<Directory, 'organization' | 'databaseOf'>;
  readonly jobs: Pick<Jobs, 'wake'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'debug'>;
}

/** How long an organization without webhooks is remembered as such. */
const noneMs = 5_000;
/** Minimum time between two wake-ups of one organization. */
const gapMs = 100;

/** Returns a function to call for every organization in which something may have been committed. */
export function createWebhookWaking({ directory, jobs, clock, log }: Parts): (organizationId: string) => void {
  const none = new Lru<string, number>({ name: 'webhooks', maxBytes: 1024 * 1024, bytesOf: () => 100 });
  /** Organizations being woken, and whether something was written since. */
  const waking = new Map<string, { isAskedAgain: boolean }>();

  async function wake(id: string): Promise<void> {
    const organization = await directory.organization(id);
    if (!organization) return;
    const database = await directory.databaseOf(organization);
    const isWaiting = await hastenJobs(database, organization, webhookKind, clock.now());
    if (isWaiting === undefined) none.set(id, clock.now() + noneMs);
    // A running job comes again by itself.
    else if (isWaiting) jobs.wake(id, clock.now());
  }

  async function goOn(id: string, state: { isAskedAgain: boolean }): Promise<void> {
    try {
      for (state.isAskedAgain = true; state.isAskedAgain && !isQuiet(id);) {
        state.isAskedAgain = false;
        await wake(id);
        await sleep(gapMs, undefined, { ref: false });
      }
    } catch (error) {
      log.debug({ organization: id, error }, 'Webhooks could not be woken; they look by themselves');
    } finally {
      waking.delete(id);
    }
  }

  const isQuiet = (id: string) => clock.now() < (none.get(id) ?? 0);

  return (id) => {
    const state = waking.get(id);
    if (state) state.isAskedAgain = true;
    else if (!isQuiet(id)) {
      const begun = { isAskedAgain: false };
      waking.set(id, begun);
      void goOn(id, begun);
    }
  };
}
