/** Event streams that perform operations, each as a request of its own with its own deadline, transaction and jobs. */
import type { TSchema } from 'typebox';
import type { KithError } from '../../errors.ts';
import { EventStream, type StreamEvent, type StreamManner } from './event-stream.ts';
import type { Answer, Operation } from './operation.ts';
import type { RequestContext } from './request-context.ts';

/** The part of the request context that the stream chooses for an operation. */
export type PerformedAs = Pick<
  RequestContext,
  'source' | 'agent' | 'changeSet' | 'mostBytes' | 'limitDecisions' | 'warnings' | 'onHistoryWritten'
>;

/** Performs an operation for the stream's caller, loaded anew, until the stream is over. Throws as the door does. */
export type PerformWithin = <Result extends Answer>(
  operation: Operation<TSchema, Result>,
  input: () => unknown,
  as: PerformedAs,
) => Promise<Result>;

/** The door as a stream sees it. */
export interface StreamDoor {
  readonly perform: PerformWithin;
  /** Logs an error after which the stream continues. */
  report(error: KithError): void;
}

/**
 * A stream that performs operations. It continues when the caller's role or the workspace changes, as each operation uses
 * the current ones.
 */
export class PerformingStream extends EventStream {
  /** Starts the stream, instead of `events`. */
  readonly performing: (signal: AbortSignal, door: StreamDoor) => AsyncIterable<StreamEvent>;

  constructor(performing: PerformingStream['performing'], manner?: StreamManner) {
    super(() => {
      throw new Error('It is begun with what performs');
    }, manner);
    this.performing = performing;
  }
}
