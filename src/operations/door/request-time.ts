/** The deadline of a request, and its end when the client disconnects. */
import { errors } from '../../errors.ts';
import { whenAborted } from '../../lib/when-aborted.ts';
import { tookTooLong } from '../../postgres/failure.ts';

export interface RequestTime {
  /** Aborted at the deadline, or when the client has disconnected. */
  readonly signal: AbortSignal;
  /** Aborted at the deadline only. */
  readonly deadline: AbortSignal;
  /** Removes the deadline; a disconnect still ends the request. */
  lift(): void;
  /** Ends the request: neither signal is aborted afterwards. */
  end(): void;
}

/**
 * Starts a deadline of `limitMs` from `since` (`performance.now()`); Infinity is none. `left` is aborted when the client
 * has disconnected.
 */
export function startTime(limitMs: number, left: AbortSignal | undefined, since = performance.now()): RequestTime {
  const request = new AbortController();
  const time = new AbortController();
  const leave = () => request.abort(errors.callerLeft());
  const expire = () => {
    // Logged as the cause.
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
