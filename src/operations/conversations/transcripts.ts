/**
 * [spec: Limits, extension session routes] Meetings recorded by a browser extension: a session is started, its socket
 * receives segments, and when it is stopped it becomes a message and a meeting of the user.
 */
import { Type, type Static } from 'typebox';
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { Keyring } from '../../auth/keys.ts';
import { errors, KithError, quoted } from '../../errors.ts';
import { insertJob } from '../../jobs/table.ts';
import { isUuid, newId } from '../../lib/id.ts';
import { unstorableText } from '../../lib/json.ts';
import {
  addSegments,
  countOpen,
  insertTranscript,
  lockedOfMeeting,
  lockedTranscript,
  selectTranscript,
  transcriptIn,
  type About,
  type Transcript,
} from '../../records/conversations/transcripts.ts';
import { endTranscriptJob } from '../background/transcript-job.ts';
import { defineOperation } from '../door/operation.ts';
import { endedTranscript } from './transcript-ending.ts';
import { newTranscriptToken } from './transcript-token.ts';
import { Id, Nullable, Time } from '../outputs.ts';

/** Open transcripts per user. */
const mostOpen = 10;
const mostSegments = 20_000;
/** Characters of all segments of a transcript, including speakers. */
const mostCharacters = 2_000_000;
const mostAtOnce = 100;

/** The path of the socket, below the service's address. */
export const transcriptSocketPath = '/api/extension/ws';

interface Parts {
  readonly keyring: Keyring;
  /** The public address of the service; defaults to the origin that the client called. */
  readonly publicUrl: string | undefined;
}

const MeetingId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "The meeting's id, as its platform has it",
});
const Access = Type.Object({
  sessionId: Id,
  wsUrl: Type.String({ description: 'Address of the WebSocket' }),
  wsToken: Type.String({ description: 'Opens it, for five minutes' }),
});

const Person = Type.Object(
  { name: Type.Optional(Type.String({ maxLength: 200 })), email: Type.Optional(Type.String({ maxLength: 320 })) },
  { additionalProperties: false },
);

const Text = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]));

/** `onStopped` is called when a transcript may have been stopped. */
const stopping = (onStopped: (id: string) => void) =>
  defineOperation({
    id: 'transcript.stop',
    summary: 'End the recording of a meeting: it becomes a message and a meeting',
    input: Type.Object({ meetingId: MeetingId }, { additionalProperties: false }),
    output: Type.Object({
      sessionId: Id,
      meetingId: Type.String(),
      segments: Type.Integer(),
      stoppedAt: Time,
      threadId: Nullable(Id),
    }),
    effect: 'write',
    cost: 'global',
    policies: ['extension:session-stop'],
    async run(call, { meetingId }) {
      const stopped = await call.workspace.transaction(async (tx) => {
        const transcript = await ofMeeting(call, tx, meetingId);
        return endedTranscript(call, tx, transcript);
      });
      const { id, segments, stoppedAt, threadId } = stopped;
      onStopped(id);
      const at = new Date(stoppedAt ?? call.now).toISOString();
      return { sessionId: id, meetingId: stopped.meetingId, segments, stoppedAt: at, threadId };
    },
  });

/** The operations with a route. They are not below /api/v1 and count against their own policies only. */
export function createTranscripts({ keyring, publicUrl }: Parts) {
  const accessTo = (call: Call, { id }: Transcript): Static<typeof Access> => ({
    sessionId: id,
    wsUrl: socketUrl(publicUrl ?? call.calledAt),
    wsToken: newTranscriptToken(keyring, call.caller, id, call.now),
  });
  const listeners = new Set<(id: string) => void>();
  return {
    /** Registers a listener for transcripts that may have been stopped in this process. */
    onStopped: (listener: (id: string) => void) => void listeners.add(listener),
    start: defineOperation({
      id: 'transcript.start',
      summary: 'Start or resume recording a meeting',
      input: Type.Object(
        {
          meetingId: MeetingId,
          title: Text(2_000),
          url: Text(2_000),
          platform: Text(100),
          attendees: Type.Optional(Type.Array(Person, { maxItems: 500 })),
        },
        { additionalProperties: false },
      ),
      output: Access,
      effect: 'write',
      cost: 'global',
      policies: ['extension:session-create', 'extension:session-create-org'],
      async run(call, { meetingId, title = null, url = null, platform = null, attendees = [] }) {
        return accessTo(call, await begun(call, readMeetingId(meetingId), { title, url, platform, attendees }));
      },
    }),
    stop: stopping((id) => listeners.forEach((listener) => listener(id))),
    refresh: defineOperation({
      id: 'transcript.refresh',
      summary: 'A new token for the socket of a meeting that is being recorded',
      input: Type.Object({ meetingId: MeetingId }, { additionalProperties: false }),
      output: Access,
      effect: 'write',
      cost: 'global',
      policies: ['extension:session-refresh-ws'],
      async run(call, { meetingId }) {
        const transcript = await call.workspace.transaction((tx) => ofMeeting(call, tx, meetingId));
        if (transcript.stoppedAt !== null)
          throw errors.conflict('The recording of this meeting was stopped: begin another');
        return accessTo(call, transcript);
      },
    }),
  };
}

export type Transcripts = ReturnType<typeof createTranscripts>;

async function begun(call: Call, meetingId: string, about: About): Promise<Transcript> {
  const id = newId(call.now);
  return call.workspace.transaction(async (tx) => {
    const { count } = await tx.run(insertTranscript(call, id, meetingId, about));
    if (count > 0) {
      const [[open] = []] = (await tx.run(countOpen(call))).rows;
      if (Number(open) > mostOpen)
        throw errors.conflict(`You record ${mostOpen} meetings already: stop one of them before you begin another`);
      const job = endTranscriptJob(call, id);
      await tx.run(insertJob(call.model, job, call.now));
      call.wake(job.runAt);
    }
    return ofMeeting(call, tx, meetingId);
  });
}

/** The caller's own transcript, also a stopped one. Throws RECORD_NOT_FOUND. */
async function ofMeeting(call: Call, tx: WorkspaceTransaction, meetingId: string): Promise<Transcript> {
  const transcript = transcriptIn(await tx.run(lockedOfMeeting(call, readMeetingId(meetingId))));
  if (transcript) return transcript;
  throw new KithError('RECORD_NOT_FOUND', `You record no meeting ${quoted(meetingId)}`);
}

function readMeetingId(meetingId: string): string {
  const problem = unstorableText(meetingId);
  if (problem !== undefined) throw errors.validation(`meetingId ${problem}`);
  return meetingId;
}

function socketUrl(address: string | undefined): string {
  const url = URL.parse(`${address ?? ''}${transcriptSocketPath}`);
  if (!url) throw errors.validation('The Host header is no name by which this service could be called again');
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

const SessionId = Type.Object({ id: Type.String() }, { additionalProperties: false });

/** The progress of a transcript. */
export interface TranscriptState {
  readonly meetingId: string;
  /** The number of the last stored segment; 0 before the first. */
  readonly stored: number;
  readonly isStopped: boolean;
}

/** For the socket; it has no route. */
export const lookAtTranscript = defineOperation({
  id: 'transcript.look',
  summary: 'Progress of a transcript of the caller',
  input: SessionId,
  output: Type.Object({}),
  effect: 'read',
  cost: 'global',
  async run(call, { id }): Promise<TranscriptState> {
    const [found] = isUuid(id) ? await call.workspace.read(selectTranscript(call, id, call.me)) : [];
    return stateOf(found && transcriptIn(found));
  },
});

const Seconds = Type.Optional(Type.Number({ minimum: 0, maximum: 7 * 86_400 }));

/** For the socket; it has no route. */
export const addToTranscript = defineOperation({
  id: 'transcript.add',
  summary: 'Add segments to a transcript of the caller; stored ones are skipped',
  input: Type.Object(
    {
      id: Type.String(),
      segments: Type.Array(
        Type.Object(
          {
            seq: Type.Integer({ minimum: 1, maximum: mostSegments }),
            speaker: Type.String({ maxLength: 200 }),
            text: Type.String({ maxLength: 5_000 }),
            start: Seconds,
            end: Seconds,
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: mostAtOnce },
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({}),
  effect: 'write',
  cost: 'global',
  async run(call, { id, segments }): Promise<TranscriptState> {
    return call.workspace.transaction(async (tx) => {
      const transcript = transcriptIn(await tx.run(lockedTranscript(call, id, call.me)));
      const state = stateOf(transcript);
      if (!transcript || state.isStopped) return state;
      // Segments after a gap are not stored: the answer says where to resume.
      const added = [];
      for (const segment of segments)
        if (segment.seq === transcript.segments + added.length + 1) added.push(segment);
        else if (segment.seq > transcript.segments) break;
      if (added.length === 0) return state;
      const characters = added.reduce(
        (sum, { speaker, text }) => sum + speaker.length + text.length,
        transcript.characters,
      );
      if (characters > mostCharacters)
        throw errors.validation(`A transcript has at most ${mostCharacters.toLocaleString('en')} characters`);
      await addSegments(call, tx, transcript, added, characters);
      return { ...state, stored: transcript.segments + added.length };
    });
  },
});

/** Throws RECORD_NOT_FOUND if there is no transcript. */
function stateOf(transcript: Transcript | undefined): TranscriptState {
  if (!transcript) throw new KithError('RECORD_NOT_FOUND', 'There is no such recording');
  const { meetingId, segments, stoppedAt } = transcript;
  return { meetingId, stored: segments, isStopped: stoppedAt !== null };
}
