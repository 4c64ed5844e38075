/**
 * Event streams at the door: each is held to bounds, has its caller looked at again while it lasts, and ends with an event that
 * says why.
 */
import type { TSchema } from 'typebox';
import { StaleCaller } from '../../access/workspace.ts';
import { errors, KithError } from '../../errors.ts';
import { orAborted } from '../../lib/or-aborted.ts';
import { EventStream, type StreamEvent } from './event-stream.ts';
import { countStreams, type MostStreams } from './open-streams.ts';
import type { Answer, Operation } from './operation.ts';
import { PerformingStream, type PerformedAs, type PerformWithin } from './performing-stream.ts';
import type { Asked, RequestContext } from './request-context.ts';
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

/** The same stream, guarded for the caller of the session; `ended` is called when it is over. Throws UNAVAILABLE where there are too many. */
export type GuardStream = (stream: EventStream, session: Session, asked: Asked, ended: () => void) => EventStream;

/** The door, for what a stream performs. */
export type PerformHere = <Result extends Answer>(
  operation: Operation<TSchema, Result>,
  session: Session,
  input: () => unknown,
  request: RequestContext,
) => Promise<Result>;

/** One for all streams of a process. */
export function createGuardStream(
  sessions: Pick<Sessions, 'renew'>,
  { lookEveryMs, ...most }: StreamBounds,
  performHere: PerformHere,
): GuardStream {
  const take = countStreams(most);
  return (stream, opened, asked, ended) => {
    const { time, closing, report } = asked;
    let session = opened;
    const giveBack = take(session.caller);
    const over = new AbortController();
    // One after the other: where the database hangs they must not pile up.
    const look = () => renewed().then(again, (error: unknown) => over.abort(error));
    const renewed = async () => {
      const now = await sessions.renew(session);
      if (!(stream instanceof PerformingStream)) refuseChanged(session, now);
      session = now;
    };
    const again = () => void (over.signal.aborted || (next = setTimeout(() => void look(), lookEveryMs).unref()));
    let next: NodeJS.Timeout | undefined;
    again();
    const ends = [endOn(time.signal, over), closing && endOn(closing, over, stopping)];
    const release = () => {
      giveBack();
      clearTimeout(next);
      for (const end of ends) end?.();
      time.end();
      ended();
    };
    time.lift();
    if (over.signal.aborted) release();
    else over.signal.addEventListener('abort', release, { once: true });
    const begin = (left: AbortSignal) => {
      endOn(left, over);
      const perform: PerformWithin = (operation, input, as) =>
        performHere(operation, session, input, { ...contextOf(asked), signal: over.signal, ...as });
      const events = () =>
        stream instanceof PerformingStream
          ? stream.performing(over.signal, { perform, report })
          : stream.events(over.signal);
      return guarded(events, over, report);
    };
    return new EventStream(begin, stream.manner);
  };
}

/** What is the same for each operation that a stream performs. */
function contextOf({ requestId, address, timeZone, report }: Asked): Omit<RequestContext, keyof PerformedAs> {
  return {
    report,
    ...(requestId !== undefined && { requestId }),
    ...(address !== undefined && { address }),
    ...(timeZone !== undefined && { timeZone }),
  };
}

/** Throws what the caller is told where it is not who it was when the stream began. */
function refuseChanged({ caller, model }: Session, now: Session): void {
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
  begin: () => AsyncIterable<StreamEvent>,
  over: AbortController,
  report: (error: KithError) => void,
): AsyncGenerator<StreamEvent> {
  const events = begin()[Symbol.asyncIterator]();
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
