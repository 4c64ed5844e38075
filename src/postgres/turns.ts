/**
 * Turns for those who share something: of each sharer, only so many at once; the others of it wait, in the order in which
 * they came, and are refused when that takes longer than two seconds.
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

/** `tooLate` is what those get who waited for too long. */
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
          next.resolve(); // the turn is handed over: `running` stays as it is
        } else if (--sharer.running === 0) sharers.delete(name);
      }
    },
  };
}

function tooMany(): Error {
  return unavailable('This organization has too many requests waiting for the database; try again shortly');
}
