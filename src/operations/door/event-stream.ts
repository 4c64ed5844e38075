/** Events that are sent as they happen, for as long as somebody listens. */

/** One event, as [Server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html) has it. */
export interface StreamEvent {
  /** What a client that comes back names in `Last-Event-ID`. Without line ends, like `event`. */
  readonly id?: string;
  /** Its kind; `end` is the door's own. */
  readonly event?: string;
  readonly data: string;
}

/** How clients and surfaces treat a stream. */
export interface StreamManner {
  /** After how many milliseconds a client comes back that lost its connection; 3,000 unless told. */
  readonly retryMs?: number;
  /** How many milliseconds pass without an event before the connection is tried; 15,000 unless told. */
  readonly heartbeatMs?: number;
}

/** An answer of events, each begun when the one before was taken: whoever makes them holds none for a slow reader. */
export class EventStream {
  /** Begins it. To be called once; `signal` is aborted when the stream is over. */
  readonly events: (signal: AbortSignal) => AsyncIterable<StreamEvent>;
  readonly manner: StreamManner;
  constructor(events: EventStream['events'], manner: StreamManner = {}) {
    this.events = events;
    this.manner = manner;
  }
}
