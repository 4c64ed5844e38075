/**
 * What waits in one process for accounts to tell of something new: connections in IDLE, long requests. Whoever has synchronised an
 * account last leaves what waits here; the next one takes it up again. What nobody has come back to, since another process has the
 * account by now, is ended.
 */

/** Something that waits. */
export interface Waiting {
  /** Whether it still does. */
  readonly isThere: boolean;
  end(): void;
}

export interface Watch {
  /** What was left for the account with these settings, if it still stands. It is the caller's from now on. */
  take(accountId: string, settings: string): Waiting | undefined;
  /** Whether nothing more can be left here. */
  isFull(): boolean;
  /** Leaves what waits, in the place of what was left before. */
  leave(accountId: string, settings: string, waiting: Waiting): void;
  close(): void;
}

interface Left {
  readonly settings: string;
  readonly waiting: Waiting;
  readonly timer: NodeJS.Timeout;
}

/** Of one process; the accounts beyond are looked into from time to time. */
const most = 500;

/** `patienceMs`: how long something waits for whoever takes it up. */
export function createWatch(patienceMs: number): Watch {
  const all = new Map<string, Left>();

  function drop(accountId: string): Left | undefined {
    const left = all.get(accountId);
    all.delete(accountId);
    if (left) clearTimeout(left.timer);
    return left;
  }

  return {
    take(accountId, settings) {
      const left = drop(accountId);
      if (left?.settings === settings && left.waiting.isThere) return left.waiting;
      left?.waiting.end();
      return undefined;
    },
    isFull: () => all.size >= most,
    leave(accountId, settings, waiting) {
      drop(accountId)?.waiting.end();
      const timer = setTimeout(() => drop(accountId)?.waiting.end(), patienceMs).unref();
      all.set(accountId, { settings, waiting, timer });
    },
    close() {
      for (const accountId of [...all.keys()]) drop(accountId)?.waiting.end();
    },
  };
}
