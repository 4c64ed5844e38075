/** Synchronises connected accounts, with one recurring job each. [contract: Accounts] */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import type { Rhythm } from '../../channels/provider.ts';
import { failuresOfError, synchronise } from '../../channels/synchronise.ts';
import { createWatch } from '../../channels/watch.ts';
import type { Organization } from '../../directory/directory.ts';
import { defineJob, JobRefused, type Job, type JobKind, type WantedJob } from '../../jobs/job.ts';
import { identifier, sql, statement } from '../../postgres/sql.ts';
import { createConcurrencyLimit } from '../../jobs/concurrency-limit.ts';
import { defineOperation } from '../door/operation.ts';
import { performInNameOf } from './in-name-of.ts';
import type { StepParts } from './steps.ts';

const accountKind = 'account';

/** The job of an account. */
export function accountJob(integrationId: string, owner: string): WantedJob {
  return {
    kind: accountKind,
    key: integrationId,
    input: { integration_id: integrationId },
    inNameOf: { workspaceUserId: owner, tokenId: null },
  };
}

/** The most accounts that a process synchronises at a time; failing accounts and those of one organization get only some of the slots. */
const places = { most: 8, mostTroubled: 4, mostOfOne: 4 };
/** A job that still has more to fetch after this time goes to the end of the queue, so that a large account does not block others. */
const mostMs = 600_000;
/** Delay before the next try if all slots are taken. */
const placelessMs = 1_000;
/** Delay before checking again whether the user is active. */
const awayMs = 3_600_000;

interface Parts extends StepParts {
  readonly clock: { now(): number };
  /** The public address of the service, if configured. */
  readonly publicUrl: string | undefined;
  /** Enqueues a job that is due at once. */
  ask(organization: Organization, wanted: WantedJob): Promise<void>;
}

/** An idle mailbox connection is kept for this many sync intervals. */
const roundsOfPatience = 3;

/**
 * The job kind. It synchronises each account every `everyMs`, sooner on news from its server, later after failures. `stop`
 * closes the idle connections.
 */
export function synchronising(parts: Parts, everyMs: number): { readonly kind: JobKind; stop(): void } {
  const { clock, log, publicUrl } = parts;
  const watch = createWatch(roundsOfPatience * everyMs);
  const own = createConcurrencyLimit(places);
  const kind = defineJob({
    kind: accountKind,
    input: Type.Object({ integration_id: Type.String() }),
    attempts: Infinity,
    async run(job, signal) {
      const { integration_id: id } = job.input;
      const failures = await failuresOf(job, id);
      if (failures === undefined) return undefined;
      const place = own.take(failures >= failuresOfError, job.organization.id);
      if (!place) return clock.now() + placelessMs;
      const wanted = accountJob(id, job.inNameOf?.workspaceUserId ?? '');
      const onNews = () =>
        void parts.ask(job.organization, wanted).catch((error: unknown) => {
          log.debug(
            { organization: job.organization.id, error },
            'News of an account could not be announced; they come later',
          );
        });
      const step = syncing(id, { everyMs, publicUrl, watch, onNews });
      const slice = AbortSignal.timeout(mostMs);
      const either = AbortSignal.any([signal, slice]);
      try {
        const { next_at: nextAt } = await job.aside(() => performInNameOf(parts, job, step, {}, either));
        return nextAt ?? undefined;
      } catch (error) {
        if (slice.aborted && !signal.aborted) return clock.now();
        // An inactive user may become active again.
        if (error instanceof JobRefused) return clock.now() + awayMs;
        throw error;
      } finally {
        place.free();
      }
    },
  });
  return { kind, stop: () => watch.close() };
}

/** How often the account has failed since its last success; undefined if the account is gone. */
async function failuresOf({ database, organization }: Job<unknown>, id: string): Promise<number | undefined> {
  const query = sql`select failures from ${identifier(organization.schema, '_integrations')} where id = ${id}::uuid`;
  const { rows } = await database.run(organization.id, statement(query));
  return rows[0] && Number(rows[0][0]);
}

function syncing(integrationId: string, rhythm: Rhythm) {
  return defineOperation({
    id: 'account.keep-in-step',
    summary: 'Synchronise an account',
    input: Type.Object({}),
    output: Type.Object({ next_at: Type.Union([Type.Number(), Type.Null()]) }),
    effect: 'write',
    cost: 'bulk',
    run: async (call: Call) => ({ next_at: (await synchronise(call, integrationId, rhythm))?.nextAt ?? null }),
  });
}
