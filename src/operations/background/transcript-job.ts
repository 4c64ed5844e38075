/** Ends transcripts that nobody stops: after some idle hours, or a day. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { KithError } from '../../errors.ts';
import { defineJob, type Job, type JobKind, type WantedJob } from '../../jobs/job.ts';
import { hourMs } from '../../lib/durations.ts';
import { identifier, sql, statement } from '../../postgres/sql.ts';
import { lockedTranscript, transcriptIn } from '../../records/conversations/transcripts.ts';
import { defineOperation } from '../door/operation.ts';
import type { Sessions, Session } from '../door/sessions.ts';
import { endedTranscript } from '../conversations/transcript-ending.ts';
import type { StepParts } from './steps.ts';

/** Without a new segment. */
const idleMs = 4 * hourMs;
const longestMs = 24 * hourMs;

const kind = 'end_transcript';

/** The job that ends the transcript if nobody does. */
export function endTranscriptJob({ now }: Call, id: string): WantedJob & { readonly runAt: number } {
  return { kind, key: id, input: { transcript_id: id }, runAt: now + idleMs };
}

interface Parts extends Pick<StepParts, 'perform' | 'log'> {
  readonly sessions: Pick<Sessions, 'ofUser' | 'ofAdmin'>;
  readonly clock: { now(): number };
}

/** The job kind; it runs again until its transcript is due or stopped. */
export function endingTranscripts(parts: Parts): JobKind {
  return defineJob({
    kind,
    input: Type.Object({ transcript_id: Type.String() }),
    async run(job, signal) {
      const { input, organization, database } = job;
      const table = identifier(organization.schema, '_transcripts');
      const [found] = await database.read(organization.id, [
        statement(sql`select s.workspace_user_id, extract(epoch from s.started_at) * 1000, extract(epoch from s.last_at) * 1000
          from ${table} s where s.id = ${input.transcript_id}::uuid and s.stopped_at is null`),
      ]);
      const [[owner, startedAt, lastAt] = []] = found?.rows ?? [];
      if (typeof owner !== 'string') return undefined;
      const dueAt = Math.min(Number(lastAt) + idleMs, Number(startedAt) + longestMs);
      if (dueAt > parts.clock.now()) return dueAt;
      await end(parts, job, owner, signal);
      return undefined;
    },
  });
}

/** Ends it in the owner's name, or in the machine's if the owner has left, so that nothing is lost. */
async function end(
  { sessions, perform, log }: Parts,
  { organization, id, input }: Job<{ transcript_id: string }>,
  owner: string,
  signal: AbortSignal,
): Promise<void> {
  const session = await sessionOf(sessions, organization.id, owner);
  await perform(endTranscript, session, () => ({ id: input.transcript_id, owner }), {
    source: 'job',
    changeSet: id,
    signal,
    limitDecisions: [],
    warnings: [],
    report: ({ message, cause }) => log.error({ job: id, error: cause }, message),
  });
}

async function sessionOf(sessions: Parts['sessions'], organizationId: string, owner: string): Promise<Session> {
  try {
    return await sessions.ofUser(organizationId, { workspaceUserId: owner, tokenId: null });
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== 'UNAUTHORIZED') throw error;
    return sessions.ofAdmin(organizationId);
  }
}

/** Performed by the job only. */
const endTranscript = defineOperation({
  id: 'transcript.end',
  summary: 'End a transcript that was not stopped',
  input: Type.Object({ id: Type.String(), owner: Type.String() }),
  output: Type.Object({}),
  effect: 'write',
  cost: 'long',
  run: (call, { id, owner }) =>
    call.workspace.transaction(async (tx) => {
      const transcript = transcriptIn(await tx.run(lockedTranscript(call, id, owner)));
      if (transcript) await endedTranscript(call, tx, transcript);
      return {};
    }),
});
