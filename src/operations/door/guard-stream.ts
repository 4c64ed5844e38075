/** Event streams at the door: their number is limited, their caller is checked at intervals, and a last event says why they end. */
import type { TSchema } from 'typebox';
import { StaleCaller } from '../../access/workspace.ts';
import { errors, KithError } from '../../errors.ts';
import { orAborted } from '../../lib/or-aborted.ts';
import { EventStream, type StreamEvent } from './event-stream.ts';
import { countStreams, type MostStreams } from './open-streams.ts';
import type { Answer, Operation } from './operation.ts';
import { PerformingStream, type PerformedAs, type PerformWithin } from './performing-stream.ts';
import type { DoorRequest, RequestContext } from './request-context.ts';
import type { Session, Sessions } from './sessions.ts';

/** How often the caller is checked, and how many streams may be open. */
export interface StreamBounds extends MostStreams {
  readonly lookEveryMs: number;
}

export const defaultStreamBounds: StreamBounds = {
  lookEveryMs: 15_000,
  mostOfUser: 10,
  mostOfOrganization: 500,
  mostOfProcess: 5_000,
};

/** Guards the stream for the session's caller; `ended` is called when it is over. Throws UNAVAILABLE if too many are open. */
export type GuardStream = (
  stream: EventStream,
  session: Session,
  request: DoorRequest,
  ended: () => void,
) => EventStream;

/** Performs an operation that a stream asks for, as `createPerform` does. */
export type PerformHere = <Result extends Answer>(
  operation: Operation<TSchema, Result>,
  session: Session,
  input: () => unknown,
  request: RequestContext,
) => Promise<Result>;

interface StreamParts {
  readonly sessions: Pick<Sessions, 'renew'>;
  readonly lookEveryMs: number;
  readonly performHere: PerformHere;
}

/** Makes the guard of all streams of a process. */
export function createGuardStream(
  sessions: Pick<Sessions, 'renew'>,
  { lookEveryMs, ...most }: StreamBounds,
  performHere: PerformHere,
): GuardStream {
  const take = countStreams(most);
  return (stream, session, request, ended) => {
    const giveBack = take(session.caller);
    const guarded = new GuardedStream({ sessions, lookEveryMs, performHere }, stream, session, request);
    guarded.open(() => {
      giveBack();
      ended();
    });
    return new EventStream((clientLeft) => guarded.events(clientLeft), stream.manner);
  };
}

/** An open stream: checks its caller at intervals, and ends it for the first reason that there is. */
class GuardedStream {
  readonly #parts: StreamParts;
  readonly #stream: EventStream;
  readonly #request: DoorRequest;
  readonly #over = new AbortController();
  #session: Session;
  #nextCheck: NodeJS.Timeout | undefined;

  constructor(parts: StreamParts, stream: EventStream, session: Session, request: DoorRequest) {
    this.#parts = parts;
    this.#stream = stream;
    this.#session = session;
    this.#request = request;
  }

  /** Lifts the request's deadline and begins the checks; `released` is called once, when the stream is over. */
  open(released: () => void): void {
    const { time, closing } = this.#request;
    const over = this.#over;
    this.#planCheck();
    const unsubscribe = [endOn(time.signal, over), closing && endOn(closing, over, stopping)];
    const release = () => {
      clearTimeout(this.#nextCheck);
      for (const each of unsubscribe) each?.();
      time.end();
      released();
    };
    time.lift();
    if (over.signal.aborted) release();
    else over.signal.addEventListener('abort', release, { once: true });
  }

  /** The events, until the stream is over or the client has left. */
  events(clientLeft: AbortSignal): AsyncGenerator<StreamEvent> {
    endOn(clientLeft, this.#over);
    const { signal } = this.#over;
    const { report } = this.#request;
    const stream = this.#stream;
    const begin = () =>
      stream instanceof PerformingStream
        ? stream.performing(signal, { perform: this.#perform, report })
        : stream.events(signal);
    return guarded(begin, this.#over, report);
  }

  readonly #perform: PerformWithin = (operation, input, as) =>
    this.#parts.performHere(operation, this.#session, input, {
      ...contextOf(this.#request),
      signal: this.#over.signal,
      ...as,
    });

  /** The next check begins after this one has ended: checks must not pile up while the database hangs. */
  #planCheck(): void {
    if (this.#over.signal.aborted) return;
    this.#nextCheck = setTimeout(() => void this.#check(), this.#parts.lookEveryMs).unref();
  }

  async #check(): Promise<void> {
    try {
      const renewed = await this.#parts.sessions.renew(this.#session);
      if (!(this.#stream instanceof PerformingStream)) refuseChanged(this.#session, renewed);
      this.#session = renewed;
      this.#planCheck();
    } catch (error) {
      this.#over.abort(error);
    }
  }
}

/** The context that all operations of a stream share. */
function contextOf({ requestId, address, timeZone, report }: DoorRequest): Omit<RequestContext, keyof PerformedAs> {
  return {
    report,
    ...(requestId !== undefined && { requestId }),
    ...(address !== undefined && { address }),
    ...(timeZone !== undefined && { timeZone }),
  };
}

/** Throws CONFLICT if the caller's role or the model has changed since the stream began. */
function refuseChanged({ caller, model }: Session, now: Session): void {
  const isSameModel = now.model.version === model.version && now.model.epoch === model.epoch;
  if (now.caller.role.id !== caller.role.id || !isSameModel) throw changed();
}

/** Aborts `over` when `signal` is aborted, for `reason` or the signal's own. Returns a function that unsubscribes. */
function endOn(signal: AbortSignal, over: AbortController, reason?: () => KithError): () => void {
  const end = () => over.abort(reason?.() ?? signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return () => signal.removeEventListener('abort', end);
}

/** The events until the stream is over or its reader stops; an error becomes the last event. */
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
    // Not awaited: the source may be waiting for an event that never comes.
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
