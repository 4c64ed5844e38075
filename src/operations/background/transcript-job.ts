/** Ends transcripts that nobody stops: some hours after something came last, or at the end of a long day. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { KithError } from '../../errors.ts';
import { defineJob, type Job, type JobKind, type WantedJob } from '../../jobs/job.ts';
import { identifier, sql, statement } from '../../postgres/sql.ts';
import { lockedTranscript, transcriptIn } from '../../records/conversations/transcripts.ts';
import { defineOperation } from '../door/operation.ts';
import type { Sessions, Session } from '../door/sessions.ts';
import { endedTranscript } from '../transcript-ending.ts';
import type { StepParts } from './steps.ts';

const hourMs = 3_600_000;
/** Without anything that was said. */
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

/** Carries such jobs out; each comes again until its transcript is due, or was stopped. */
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

/** In the owner's name, else in that of the machine: what was said is not lost because its owner has left. */
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

/** The job's own. */
const endTranscript = defineOperation({
  id: 'transcript.end',
  summary: 'End a transcript that nobody has stopped',
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
