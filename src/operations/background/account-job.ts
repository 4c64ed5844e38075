/** Synchronises connected accounts: a job for each, which comes again for as long as the account is there. [contract: Accounts] */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { synchronise } from '../../channels/synchronise.ts';
import { defineJob, JobRefused, type JobKind, type WantedJob } from '../../jobs/job.ts';
import { createPlaces } from '../../webhooks/places.ts';
import { defineOperation } from '../door/operation.ts';
import { performInNameOf } from './in-name-of.ts';
import type { StepParts } from './steps.ts';

export const accountKind = 'account';

/** Asks for the job of an account. */
export function accountJob(integrationId: string, owner: string, runAt?: number): WantedJob {
  return {
    kind: accountKind,
    key: integrationId,
    input: { integration_id: integrationId },
    inNameOf: { workspaceUserId: owner, tokenId: null },
    ...(runAt !== undefined && { runAt }),
  };
}

/** Accounts that one process synchronises at a time; those in trouble have some of the places. */
const places = { most: 8, mostTroubled: 4 };
/** When to come again where all places are taken. */
const placelessMs = 1_000;
/** When to look again whether the user is active. */
const awayMs = 3_600_000;

/** Carries such jobs out: every account again after `everyMs`, later where it fails. */
export function synchronising(parts: StepParts & { readonly clock: { now(): number } }, everyMs: number): JobKind {
  const own = createPlaces(places);
  return defineJob({
    kind: accountKind,
    input: Type.Object({ integration_id: Type.String() }),
    attempts: Infinity,
    async run(job, signal) {
      const place = own.take(0);
      if (!place) return parts.clock.now() + placelessMs;
      const step = syncing(job.input.integration_id, everyMs);
      try {
        const { next_at: nextAt } = await job.aside(() => performInNameOf(parts, job, step, {}, signal));
        return nextAt ?? undefined;
      } catch (error) {
        // Whoever is not active any more may be again.
        if (error instanceof JobRefused) return parts.clock.now() + awayMs;
        throw error;
      } finally {
        place.free();
      }
    },
  });
}

function syncing(integrationId: string, everyMs: number) {
  return defineOperation({
    id: 'account.keep-in-step',
    summary: 'Bring in what is new in an account',
    input: Type.Object({}),
    output: Type.Object({ next_at: Type.Union([Type.Number(), Type.Null()]) }),
    effect: 'write',
    cost: 'bulk',
    run: async (call: Call) => ({ next_at: (await synchronise(call, integrationId, everyMs))?.nextAt ?? null }),
  });
}
