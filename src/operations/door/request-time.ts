/** How long a request may go on: for the time that it has, and for as long as somebody waits for its answer. */
import { errors } from '../../errors.ts';
import { whenAborted } from '../../lib/when-aborted.ts';
import { tookTooLong } from '../../postgres/failure.ts';

export interface RequestTime {
  /** Aborted when the time is over, or the caller has left. */
  readonly signal: AbortSignal;
  /** Aborted when the time is over. */
  readonly deadline: AbortSignal;
  /** What goes on from here may take as long as it takes: only that the caller leaves still ends it. */
  lift(): void;
  /** The request is over: neither is aborted any more. */
  end(): void;
}

/**
 * For `limitMs` from `since` on, a time of `performance.now()`; Infinity where time is no matter. `left` is aborted when nobody
 * waits any more.
 */
export function startTime(limitMs: number, left: AbortSignal | undefined, since = performance.now()): RequestTime {
  const request = new AbortController();
  const time = new AbortController();
  const leave = () => request.abort(errors.callerLeft());
  const expire = () => {
    // What the log says of it.
    const reason = tookTooLong(new Error(`${limitMs} ms were over`));
    time.abort(reason);
    request.abort(reason);
  };
  const restMs = limitMs - (performance.now() - since);
  const timer = limitMs === Infinity ? undefined : setTimeout(expire, restMs).unref();
  const forget = left && whenAborted(left, leave);
  return {
    signal: request.signal,
    deadline: time.signal,
    lift: () => clearTimeout(timer),
    end() {
      clearTimeout(timer);
      forget?.();
    },
  };
}
