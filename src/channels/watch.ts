/**
 * One process's open waits for news of accounts: connections in IDLE, long-polling requests. After a sync the open wait is left
 * here, and the account's next sync takes it. A wait that is not taken in time is ended, since another process syncs the account
 * by then.
 */

/** An open wait. */
export interface Waiting {
  /** Whether it is still open. */
  readonly isThere: boolean;
  end(): void;
}

/** Stores open waits between syncs. */
export interface Watch {
  /** Removes the account's wait and hands it to the caller; ends it if it is of other settings. Undefined without an open one. */
  take(accountId: string, settings: string): Waiting | undefined;
  /** Whether no more waits can be stored. */
  isFull(): boolean;
  /** Stores the account's wait; ends the one that was stored before. */
  leave(accountId: string, settings: string, waiting: Waiting): void;
  close(): void;
}

interface Left {
  readonly settings: string;
  readonly waiting: Waiting;
  readonly timer: NodeJS.Timeout;
}

/** Waits per process; further accounts are only synced periodically. */
const most = 500;

/** Creates a watch that ends waits which are not taken within `patienceMs`. */
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
