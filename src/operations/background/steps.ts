/** Jobs of several steps, each performed in the name of the user who requested the job. */
import { Type, type Static, type TObject } from 'typebox';
import type { Call } from '../../access/call.ts';
import { KithError } from '../../errors.ts';
import { JobRefused, type Job } from '../../jobs/job.ts';
import type { Log } from '../../lib/log.ts';
import type { Answer, Operation } from '../door/operation.ts';
import type { Perform } from '../door/perform.ts';
import type { Sessions } from '../door/sessions.ts';
import { performInNameOf } from './in-name-of.ts';

export interface StepParts {
  readonly sessions: Pick<Sessions, 'ofUser'>;
  /** A door without deadlines, as jobs may take long. */
  readonly perform: Perform;
  readonly log: Log;
}

/** Settings of the request that a job keeps; without `change_set`, as in jobs of earlier releases, it is the job's id. */
export const asking = { time_zone: Type.String(), change_set: Type.Optional(Type.String()) };
type Asking = Static<TObject<typeof asking>>;

/** The settings to keep of a call. */
export function askedBy({ timeZone, changeSet }: Call): Asking {
  return { time_zone: timeZone, change_set: changeSet };
}

/** The input of a step; it knows its job. */
export const noInput: TObject = Type.Object({});

/** Errors that another attempt may not meet. */
const passing: ReadonlySet<string> = new Set(['UNAVAILABLE', 'INTERNAL_ERROR', 'CONFLICT', 'WRITE_FAILED']);

/** Performs a step with the user's current rights. Throws JobRefused for an error that every further attempt would meet. */
export async function performStep<Step extends Answer>(
  parts: StepParts,
  job: Job<Asking>,
  step: Operation<typeof noInput, Step>,
  signal: AbortSignal,
): Promise<Step> {
  try {
    return await performInNameOf(parts, job, step, {}, signal, {
      timeZone: job.input.time_zone,
      changeSet: job.input.change_set,
    });
  } catch (error) {
    throw error instanceof KithError && !passing.has(error.code) ? new JobRefused(error.message) : error;
  }
}
