/** Event streams that perform operations while they last: each as a request of its own, with its own time, transaction and jobs. */
import type { TSchema } from 'typebox';
import type { KithError } from '../../errors.ts';
import { EventStream, type StreamEvent, type StreamManner } from './event-stream.ts';
import type { Answer, Operation } from './operation.ts';
import type { RequestContext } from './request-context.ts';

/** What the stream says of an operation that it performs; all else is that of its request. */
export type PerformedAs = Pick<
  RequestContext,
  'source' | 'agent' | 'changeSet' | 'mostBytes' | 'limitDecisions' | 'warnings' | 'onHistoryWritten'
>;

/** Performs an operation in the name of the stream's caller, as that is by then, until the stream is over. Throws as the door does. */
export type PerformWithin = <Result extends Answer>(
  operation: Operation<TSchema, Result>,
  input: () => unknown,
  as: PerformedAs,
) => Promise<Result>;

/** What a stream has of the door. */
export interface StreamDoor {
  readonly perform: PerformWithin;
  /** Puts what is behind an error into the log, where the stream goes on. */
  report(error: KithError): void;
}

/** What its operations answer is as the caller's role and the workspace are by then: it outlives changes of both. */
export class PerformingStream extends EventStream {
  /** Begins it, in place of `events`. */
  readonly performing: (signal: AbortSignal, door: StreamDoor) => AsyncIterable<StreamEvent>;

  constructor(performing: PerformingStream['performing'], manner?: StreamManner) {
    super(() => {
      throw new Error('It is begun with what performs');
    }, manner);
    this.performing = performing;
  }
}
