/** Synchronises connected accounts: a job for each, which comes again for as long as the account is there. [contract: Accounts] */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import type { Rhythm } from '../../channels/driver.ts';
import { failuresOfError, synchronise } from '../../channels/synchronise.ts';
import { createWatch } from '../../channels/watch.ts';
import type { Organization } from '../../directory/directory.ts';
import { defineJob, JobRefused, type Job, type JobKind, type WantedJob } from '../../jobs/job.ts';
import { identifier, sql, statement } from '../../postgres/sql.ts';
import { createPlaces } from '../../jobs/places.ts';
import { defineOperation } from '../door/operation.ts';
import { performInNameOf } from './in-name-of.ts';
import type { StepParts } from './steps.ts';

const accountKind = 'account';

/** Asks for the job of an account. */
export function accountJob(integrationId: string, owner: string): WantedJob {
  return {
    kind: accountKind,
    key: integrationId,
    input: { integration_id: integrationId },
    inNameOf: { workspaceUserId: owner, tokenId: null },
  };
}

/** Accounts that one process synchronises at a time; those in trouble have some of the places, and those of one organization. */
const places = { most: 8, mostTroubled: 4, mostOfOne: 4 };
/** After which whoever has more to bring in goes to the end of the line: servers that never come to an end hold up nobody. */
const mostMs = 600_000;
/** When to come again where all places are taken. */
const placelessMs = 1_000;
/** When to look again whether the user is active. */
const awayMs = 3_600_000;

interface Parts extends StepParts {
  readonly clock: { now(): number };
  /** The service's address as others see it; undefined where the operator has told none. */
  readonly publicUrl: string | undefined;
  /** Asks for a job at once. */
  ask(organization: Organization, wanted: WantedJob): Promise<void>;
}

/** An idle mailbox connection is kept for this many sync intervals. */
const roundsOfPatience = 3;

/**
 * Carries such jobs out: every account again after `everyMs`, sooner where its server tells of something new, later where it fails.
 * `stop` ends the waiting for what servers tell.
 */
export function synchronising(parts: Parts, everyMs: number): { readonly kind: JobKind; stop(): void } {
  const { clock, log, publicUrl } = parts;
  const watch = createWatch(roundsOfPatience * everyMs);
  const own = createPlaces(places);
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
        // Whoever is not active any more may be again.
        if (error instanceof JobRefused) return clock.now() + awayMs;
        throw error;
      } finally {
        place.free();
      }
    },
  });
  return { kind, stop: () => watch.close() };
}

/** How often it has failed since it worked last; undefined where the account is gone. */
async function failuresOf({ database, organization }: Job<unknown>, id: string): Promise<number | undefined> {
  const query = sql`select failures from ${identifier(organization.schema, '_integrations')} where id = ${id}::uuid`;
  const { rows } = await database.run(organization.id, statement(query));
  return rows[0] && Number(rows[0][0]);
}

function syncing(integrationId: string, rhythm: Rhythm) {
  return defineOperation({
    id: 'account.keep-in-step',
    summary: 'Bring in what is new in an account',
    input: Type.Object({}),
    output: Type.Object({ next_at: Type.Union([Type.Number(), Type.Null()]) }),
    effect: 'write',
    cost: 'bulk',
    run: async (call: Call) => ({ next_at: (await synchronise(call, integrationId, rhythm))?.nextAt ?? null }),
  });
}
