/**
 * Transcripts received in segments: `segments` is the number of stored ones, which are numbered from 1; their
 * contents are sealed. A stopped transcript becomes a message and a meeting, and its segments are deleted.
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { Rows } from '../../postgres/database.ts';
import { identifier, instant, sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';
import { inSlices } from '../../lib/slices.ts';
import { vaultIn } from './contents.ts';

/** A participant, as stated by the client. */
export interface Participant {
  readonly name?: string;
  readonly email?: string;
}

/** Details of the meeting, given at the start. */
export interface About {
  readonly title: string | null;
  readonly url: string | null;
  readonly platform: string | null;
  readonly attendees: readonly Participant[];
}

export interface Transcript {
  readonly id: string;
  readonly owner: string;
  readonly meetingId: string;
  readonly about: About;
  /** The number of stored segments; the next one has the following number. */
  readonly segments: number;
  readonly characters: number;
  /** The thread of the resulting message; null before the stop, or where nothing was said. */
  readonly threadId: string | null;
  /** Milliseconds, like all times here. */
  readonly startedAt: number;
  /** The time of the last change. */
  readonly lastAt: number;
  readonly stoppedAt: number | null;
}

/** An utterance. `start` and `end` are seconds since the start of the meeting. */
export interface Segment {
  readonly seq: number;
  readonly speaker: string;
  readonly text: string;
  readonly start?: number;
  readonly end?: number;
}

const columns = sql`s.id, s.workspace_user_id, s.meeting_id, s.about, s.segments, s.characters, s.thread_id,
  extract(epoch from s.started_at) * 1000, extract(epoch from s.last_at) * 1000, extract(epoch from s.stopped_at) * 1000`;

/** Reads the transcript from a row of `columns`; undefined without one. */
export function transcriptIn({ rows: [row] }: Rows): Transcript | undefined {
  if (!row) return undefined;
  const [id, owner, meetingId, about, segments, characters, threadId = null, started, last, stopped = null] = row;
  return {
    id: id ?? '',
    owner: owner ?? '',
    meetingId: meetingId ?? '',
    about: JSON.parse(about ?? '{}') as About,
    segments: Number(segments),
    characters: Number(characters),
    threadId,
    startedAt: Math.round(Number(started)),
    lastAt: Math.round(Number(last)),
    stoppedAt: stopped === null ? null : Math.round(Number(stopped)),
  };
}

function ofOwner(call: Call, id: string, owner: string): Sql {
  return sql`select ${columns} from ${call.workspace.table('_transcripts')} s where s.id = ${id}::uuid
    and s.workspace_user_id = ${owner}::uuid`;
}

/** The owner's transcript with that id. */
export function selectTranscript(call: Call, id: string, owner: string): Statement {
  return statement(ofOwner(call, id, owner), call.model.version);
}

/** The owner's transcript with that id, locked until the end of the transaction. */
export function lockedTranscript(call: Call, id: string, owner: string): Sql {
  return sql`${ofOwner(call, id, owner)} for update`;
}

/** The caller's latest transcript of that meeting, locked until the end of the transaction. */
export function lockedOfMeeting(call: Call, meetingId: string): Sql {
  return sql`select ${columns} from ${call.workspace.table('_transcripts')} s
    where s.workspace_user_id = ${call.me}::uuid and s.meeting_id = ${meetingId}
    order by s.started_at desc, s.id desc limit 1 for update`;
}

/** Counts the transcripts that the caller has not stopped. */
export function countOpen(call: Call): Sql {
  return sql`select count(*) from ${call.workspace.table('_transcripts')} s
    where s.workspace_user_id = ${call.me}::uuid and s.stopped_at is null`;
}

/** Starts a transcript for the caller, unless the caller has an open one of that meeting. */
export function insertTranscript(call: Call, id: string, meetingId: string, about: About): Sql {
  return sql`insert into ${call.workspace.table('_transcripts')}
    (id, workspace_user_id, meeting_id, about, segments, characters, started_at, last_at)
    values (${id}::uuid, ${call.me}::uuid, ${meetingId}, ${JSON.stringify(about)}, 0, 0, ${instant(call.now)}, ${instant(call.now)})
    on conflict (workspace_user_id, meeting_id) where stopped_at is null do nothing`;
}

/** Appends segments, numbered from the stored count; the transcript is locked. */
export async function addSegments(
  call: Call,
  tx: WorkspaceTransaction,
  { id, segments: stored }: Transcript,
  added: readonly Segment[],
  characters: number,
): Promise<void> {
  const vault = await vaultIn(call, tx);
  const sealed = added.map(({ seq, ...utterance }) => vault.seal(JSON.stringify(utterance), placeOf(id, seq)));
  await tx.run(sql`insert into ${call.workspace.table('_transcript_segments')} (transcript_id, seq, body)
    select ${id}::uuid, n.seq, n.body
    from unnest(${added.map(({ seq }) => String(seq))}::integer[], ${sealed}::text[]) n (seq, body)`);
  await tx.run(sql`update ${call.workspace.table('_transcripts')} set segments = ${String(stored + added.length)}::integer,
    characters = ${String(characters)}::integer, last_at = ${instant(call.now)} where id = ${id}::uuid`);
}

/** The utterances of a transcript, in order. */
export async function segmentsOf(call: Call, tx: WorkspaceTransaction, id: string): Promise<readonly Segment[]> {
  const vault = await vaultIn(call, tx);
  const { rows } = await tx.run(sql`select s.seq, s.body from ${call.workspace.table('_transcript_segments')} s
    where s.transcript_id = ${id}::uuid order by s.seq`);
  const segments: Segment[] = [];
  await inSlices(rows, ([number, body]) => {
    const seq = Number(number);
    const utterance = JSON.parse(vault.open(body ?? '', placeOf(id, seq))) as Omit<Segment, 'seq'>;
    segments.push({ seq, ...utterance });
  });
  return segments;
}

/** Marks the transcript as stopped, with the thread of its message, and deletes its segments. */
export async function enterStopped(
  call: Call,
  tx: WorkspaceTransaction,
  id: string,
  threadId: string | null,
): Promise<void> {
  await tx.run(sql`delete from ${call.workspace.table('_transcript_segments')} where transcript_id = ${id}::uuid`);
  await tx.run(sql`update ${call.workspace.table('_transcripts')} set stopped_at = ${instant(call.now)}, thread_id = ${threadId}::uuid
    where id = ${id}::uuid`);
}

/** Deletes the transcripts that were stopped before a time. */
export function forgetStopped(schema: string, before: number): Sql {
  return sql`delete from ${identifier(schema, '_transcripts')} where stopped_at < ${instant(before)}`;
}

function placeOf(id: string, seq: number): string {
  return `_transcript_segments/${id}/${seq}/body`;
}
