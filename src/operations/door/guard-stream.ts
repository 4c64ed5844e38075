/**
 * Event streams at the door: each is held to bounds, has its caller looked at again while it lasts, and ends with an event that
 * says why.
 */
import { StaleCaller } from '../../access/workspace.ts';
import { errors, KithError } from '../../errors.ts';
import { orAborted } from '../../lib/or-aborted.ts';
import { EventStream, type StreamEvent } from './event-stream.ts';
import { countStreams, type MostStreams } from './open-streams.ts';
import type { Asked } from './request-context.ts';
import type { Session, Sessions } from './sessions.ts';

/** Milliseconds between two looks at the caller, and how many streams may be open. */
export interface StreamBounds extends MostStreams {
  readonly lookEveryMs: number;
}

export const usualStreamBounds: StreamBounds = {
  lookEveryMs: 15_000,
  mostOfUser: 10,
  mostOfOrganization: 500,
  mostOfProcess: 5_000,
};

/** The same stream, guarded for the caller of the session. Throws UNAVAILABLE where there are too many. */
export type GuardStream = (stream: EventStream, session: Session, asked: Asked) => EventStream;

/** One for all streams of a process. */
export function createGuardStream(
  sessions: Pick<Sessions, 'renew'>,
  { lookEveryMs, ...most }: StreamBounds,
): GuardStream {
  const take = countStreams(most);
  return (stream, session, { time, closing, report }) => {
    const giveBack = take(session.caller);
    const over = new AbortController();
    // One after the other: where the database hangs they must not pile up.
    const look = () => stillThere(sessions, session).then(again, (error: unknown) => over.abort(error));
    const again = () => void (over.signal.aborted || (next = setTimeout(() => void look(), lookEveryMs).unref()));
    let next: NodeJS.Timeout | undefined;
    again();
    const ends = [endOn(time.signal, over), closing && endOn(closing, over, stopping)];
    const release = () => {
      giveBack();
      clearTimeout(next);
      for (const end of ends) end?.();
      time.end();
    };
    time.lift();
    if (over.signal.aborted) release();
    else over.signal.addEventListener('abort', release, { once: true });
    const begin = (left: AbortSignal) => {
      endOn(left, over);
      return guarded(stream, over, report);
    };
    return new EventStream(begin, stream.manner);
  };
}

/** Throws what the caller is told where it is not who it was when the stream began. */
async function stillThere(sessions: Pick<Sessions, 'renew'>, session: Session): Promise<void> {
  const { caller, model } = session;
  const now = await sessions.renew(session);
  const isSameModel = now.model.version === model.version && now.model.epoch === model.epoch;
  if (now.caller.role.id !== caller.role.id || !isSameModel) throw changed();
}

/** Ends with `signal`, for `reason` or that of the signal. Returned is what takes it back. */
function endOn(signal: AbortSignal, over: AbortController, reason?: () => KithError): () => void {
  const end = () => over.abort(reason?.() ?? signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return () => signal.removeEventListener('abort', end);
}

/** Until the stream is over, or nobody takes the next event. */
async function* guarded(
  stream: EventStream,
  over: AbortController,
  report: (error: KithError) => void,
): AsyncGenerator<StreamEvent> {
  const events = stream.events(over.signal)[Symbol.asyncIterator]();
  try {
    over.signal.throwIfAborted();
    for (;;) {
      const next = await orAborted(events.next(), over.signal);
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    yield endOf(error, report);
  } finally {
    if (!over.signal.aborted) over.abort(errors.callerLeft());
    // It may be waiting for what never comes: nobody waits for it.
    events.return?.().catch(() => {});
  }
}

function endOf(error: unknown, report: (error: KithError) => void): StreamEvent {
  const known = error instanceof StaleCaller ? changed() : error instanceof KithError ? error : errors.internal(error);
  if (known.cause !== undefined) report(known);
  return { event: 'end', data: JSON.stringify({ code: known.code, message: known.message }) };
}

const stopping = () => new KithError('UNAVAILABLE', 'The service is stopping: connect again');

const changed = () => errors.conflict('The workspace or your role has changed: connect again');
