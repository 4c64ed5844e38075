/** Performs operations of jobs in the name of the user who requested them. */
import type { TSchema } from 'typebox';
import { KithError } from '../../errors.ts';
import { JobRefused, type Job } from '../../jobs/job.ts';
import type { Log } from '../../lib/log.ts';
import type { Answer, Operation } from '../door/operation.ts';
import type { Perform } from '../door/perform.ts';
import type { Sessions } from '../door/sessions.ts';

interface Parts {
  readonly sessions: Pick<Sessions, 'ofUser'>;
  /** A door without deadlines, as jobs may take long. */
  readonly perform: Perform;
  readonly log: Log;
}

/** Settings of the request that enqueued the job. */
export interface AskedBy {
  /** Defaults to the organization's. */
  readonly timeZone?: string | undefined;
  /** Defaults to the job's id. */
  readonly changeSet?: string | undefined;
}

/**
 * Performs the operation with the user's current role and rights. `signal` is the job's own. Throws JobRefused if the user
 * may not call any more, and what the operation throws. Only for kinds of jobs that have a user.
 */
export async function performInNameOf<Result extends Answer>(
  { sessions, perform, log }: Parts,
  { id, organization, inNameOf }: Job<unknown>,
  operation: Operation<TSchema, Result>,
  input: unknown,
  signal: AbortSignal,
  { timeZone, changeSet = id }: AskedBy = {},
): Promise<Result> {
  if (!inNameOf) throw new Error("This kind of job runs in a user's name");
  const warnings: string[] = [];
  try {
    const session = await sessions.ofUser(organization.id, inNameOf);
    return await perform(operation, session, () => input, {
      source: 'job',
      ...(timeZone !== undefined && { timeZone }),
      changeSet,
      isChangeSetChosen: changeSet !== id,
      signal,
      limitDecisions: [],
      warnings,
      report: ({ message, cause }) => log.error({ job: id, error: cause }, message),
    });
  } catch (error) {
    if (error instanceof KithError && error.code === 'UNAUTHORIZED') throw new JobRefused(error.message);
    throw error;
  } finally {
    for (const warning of warnings) log.warn({ job: id }, warning);
  }
}
