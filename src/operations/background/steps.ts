/** Jobs of several steps, each of which is performed in the name of the user who asked for the job. */
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
  /** A door whose operations have no deadline: a job has the time that it takes. */
  readonly perform: Perform;
  readonly log: Log;
}

/** What such a job keeps of the request that asked for it; of one that an earlier release was asked for, the change set is its id. */
export const asking = { time_zone: Type.String(), change_set: Type.Optional(Type.String()) };
type Asking = Static<TObject<typeof asking>>;

/** The same of the call. */
export function askedBy({ timeZone, changeSet }: Call): Asking {
  return { time_zone: timeZone, change_set: changeSet };
}

/** What a step takes: it knows its job. */
export const noInput: TObject = Type.Object({});

/** Failures that another attempt may not meet. */
const passing: ReadonlySet<string> = new Set(['UNAVAILABLE', 'INTERNAL_ERROR', 'CONFLICT', 'WRITE_FAILED']);

/** Performs a step as the user is by then. Throws JobRefused for a failure that each further attempt would meet, too. */
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
