/** Server-sent events of an operation. */

/** One event. [Server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html) */
export interface StreamEvent {
  /** A reconnecting client sends it as `Last-Event-ID`. Contains no line ends, like `event`. */
  readonly id?: string;
  /** The kind; `end` is reserved for the door. */
  readonly event?: string;
  readonly data: string;
}

/** Timing of a stream. */
export interface StreamManner {
  /** Milliseconds before a disconnected client reconnects; defaults to 3,000. */
  readonly retryMs?: number;
  /** Milliseconds without an event before a heartbeat is sent; defaults to 15,000. */
  readonly heartbeatMs?: number;
}

/** An answer of events. Each is produced when the previous one was taken, so nothing is buffered for a slow reader. */
export class EventStream {
  /** Starts the stream; called once. `signal` is aborted when the stream is over. */
  readonly events: (signal: AbortSignal) => AsyncIterable<StreamEvent>;
  readonly manner: StreamManner;
  constructor(events: EventStream['events'], manner: StreamManner = {}) {
    this.events = events;
    this.manner = manner;
  }
}
