/**
 * A fair limit: each sharer has only so many runs at once; further ones queue in order, and are refused after two
 * seconds.
 */
import { unavailable } from './failure.ts';
import { waitInLine } from './wait-in-line.ts';

interface Sharer {
  running: number;
  readonly waiting: Set<PromiseWithResolvers<void>>;
}

export interface Turns {
  /** Runs `work` when `sharer` has fewer than the limit running, unless `signal` is aborted by then. */
  take<T>(sharer: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** `tooLate` creates the error for those who waited too long. */
export function createTurns(limit: number, tooLate: () => Error = tooMany): Turns {
  const sharers = new Map<string, Sharer>();
  return {
    async take(name, work, signal) {
      let sharer = sharers.get(name);
      if (!sharer) sharers.set(name, (sharer = { running: 0, waiting: new Set() }));
      if (sharer.running < limit) sharer.running++;
      else await waitInLine(sharer.waiting, Promise.withResolvers<void>(), tooLate);
      try {
        signal?.throwIfAborted();
        return await work();
      } finally {
        const [next] = sharer.waiting;
        if (next) {
          sharer.waiting.delete(next);
          next.resolve(); // the slot is handed over, so `running` stays
        } else if (--sharer.running === 0) sharers.delete(name);
      }
    },
  };
}

function tooMany(): Error {
  return unavailable('This organization has too many requests waiting for the database; try again shortly');
}
