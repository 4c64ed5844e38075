/** The caller of a job that a user asked for. */
import { KithError } from '../../errors.ts';
import { JobRefused, type Job } from '../../jobs/job.ts';
import type { Session, Sessions } from '../door/sessions.ts';

/** The user as it is now: its role, its rights. Refuses the job, for good, when it may not call any more. Only for kinds of jobs that have a user. */
export async function sessionOf(sessions: Pick<Sessions, 'ofUser'>, job: Job<unknown>): Promise<Session> {
  const { organization, inNameOf } = job;
  if (!inNameOf) throw new Error("This kind of job runs in a user's name");
  try {
    return await sessions.ofUser(organization.id, inNameOf);
  } catch (error) {
    if (error instanceof KithError && error.code === 'UNAUTHORIZED') throw new JobRefused(error.message);
    throw error;
  }
}
