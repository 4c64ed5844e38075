/** Ends a transcript: makes a message in the meeting channel and a meeting, as if they came from a mailbox and a calendar. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { sliceIsOver, nextSlice } from '../../lib/slices.ts';
import { sql } from '../../postgres/sql.ts';
import { keepMessage } from '../../records/conversations/ingest.ts';
import { keepEvents } from '../../records/conversations/ingest-events.ts';
import {
  enterStopped,
  segmentsOf,
  type Participant,
  type Segment,
  type Transcript,
} from '../../records/conversations/transcripts.ts';

/** Ends the locked transcript unless it has ended. Without segments it makes a meeting only. */
export async function endedTranscript(
  call: Call,
  tx: WorkspaceTransaction,
  transcript: Transcript,
): Promise<Transcript> {
  if (transcript.stoppedAt !== null) return transcript;
  const { id, owner, meetingId, about, startedAt } = transcript;
  const externalId = `extension:${id}`;
  const email = await emailOf(call, tx, owner);
  const segments = await segmentsOf(call, tx, id);
  const date = new Date(startedAt).toISOString();
  const text = await textOf(segments);
  let threadId: string | null = null;
  if (segments.length > 0)
    threadId = await keepMessage(call, tx, {
      ...{ kind: 'interaction', owner, channel: 'meeting', threadId: meetingId, externalId, subject: about.title },
      ...{ direction: 'outbound', date, participants: participantsOf(email, about.attendees, segments) },
      ...{ text, html: null, plain: text, visibility: undefined },
    });
  await keepEvents(call, tx, [
    {
      ...{ kind: 'event', owner, externalId, title: about.title, start: date, end: endOf(call, transcript, segments) },
      ...{ allDay: false, status: 'confirmed', organizer: null, location: about.platform, meetingUrl: about.url },
      attendees: about.attendees.flatMap(({ email: address, name = null }) =>
        address ? [{ email: address, name, response: null }] : [],
      ),
    },
  ]);
  await enterStopped(call, tx, id, threadId);
  return { ...transcript, stoppedAt: call.now, threadId };
}

/** The end time: now, or for a transcript that nobody stopped, that of its last activity. */
function endOf({ now }: Call, { startedAt, lastAt }: Transcript, segments: readonly Segment[]): string {
  const said = startedAt + 1_000 * Math.max(0, ...segments.slice(-1).map(({ end = 0 }) => end));
  return new Date(Math.min(now, Math.max(lastAt, said))).toISOString();
}

async function emailOf(call: Call, tx: WorkspaceTransaction, owner: string): Promise<string> {
  const { rows } = await tx.run(
    sql`select u.email from ${call.workspace.table('_users')} u where u.id = ${owner}::uuid`,
  );
  return rows[0]?.[0] ?? '';
}

/** The user first, then the named participants, then other speakers. */
function participantsOf(
  email: string,
  attendees: readonly Participant[],
  segments: readonly Segment[],
): readonly string[] {
  const participants = attendees.map(({ name, email: address }) =>
    address && name ? `${name} <${address}>` : (address ?? name),
  );
  const named = new Set(attendees.map(({ name }) => name));
  const speakers = segments.map(({ speaker }) => speaker).filter((speaker) => !named.has(speaker));
  const all = [email, ...participants, ...speakers].map((one) => (one ?? '').replaceAll(/\s+/g, ' ').trim());
  return [...new Set(all)].filter((one) => one !== '').slice(0, mostParticipants);
}

const mostParticipants = 1_000;

/** One line per segment: time, speaker, text. */
async function textOf(segments: readonly Segment[]): Promise<string> {
  const lines: string[] = [];
  for (const { speaker, text, start } of segments) {
    if (sliceIsOver()) await nextSlice();
    lines.push(`${start === undefined ? '' : `[${clockOf(start)}] `}${speaker === '' ? '' : `${speaker}: `}${text}`);
  }
  return lines.join('\n');
}

function clockOf(seconds: number): string {
  const parts = [seconds / 3_600, (seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}
