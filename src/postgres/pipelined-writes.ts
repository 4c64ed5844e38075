/**
 * The shared clients for writes: each statement is a whole transaction, sent without waiting for the answers of
 * others. None holds a lock before it starts, and no lock holder waits for any of them, so no deadlock is invisible
 * to the database. A statement that waits for a lock is ended soon, so that the next can run, and does its waiting on
 * a plain client.
 */
import { areLong } from './bind.ts';
import type { Rows } from './database.ts';
import { isCanceled, isConflict, isLockTimeout, isStalePlan, toCaller } from './failure.ts';
import type { Session } from './session.ts';
import { sharedClients } from './shared-clients.ts';
import type { Statement } from './sql.ts';
import { createTurns } from './turns.ts';

/** Concurrent writes of one organization. */
const mostAtOnce = 8;
/** Fewer do not justify a second backend; more would wait for too many commits in a row. */
const deepest = 4;

export interface PipelinedWrites {
  /**
   * Sends a statement that commits by itself, once; after a lost connection its effect is unknown. Undefined where
   * nothing was done and it may be sent elsewhere, also for a long one. When `signal` is aborted, it is not sent, or
   * is cancelled once it runs.
   */
  write(affinity: string, statement: Statement, signal?: AbortSignal): Promise<Rows | undefined>;
  close(): Promise<void>;
}

/** Creates `count` clients for writes, opened on demand. */
export function pipelinedWrites(open: () => Promise<Session>, count: number): PipelinedWrites {
  const clients = sharedClients(open, count, { deepest });
  const turns = createTurns(mostAtOnce);
  const lines = new WeakMap<Session, Line>();

  async function send(session: Session, wanted: Statement, signal?: AbortSignal): Promise<Rows | undefined> {
    let line = lines.get(session);
    if (!line) lines.set(session, (line = lineOf(session)));
    try {
      return await line.send(wanted, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (didNothing(error)) return undefined;
      throw toCaller(error);
    }
  }

  return {
    async write(affinity, wanted, signal) {
      if (areLong(wanted.values)) return undefined;
      return turns.take(affinity, () => clients.use(affinity, (session) => send(session, wanted, signal)), signal);
    },
    close: () => clients.close(),
  };
}

/**
 * Also after a cancellation: its own time is not over then, or the cancellation was meant for the previous statement.
 */
function didNothing(error: unknown): boolean {
  return isLockTimeout(error) || isCanceled(error) || isConflict(error) || isStalePlan(error);
}

interface Line {
  send(wanted: Statement, signal?: AbortSignal): Promise<Rows>;
}

/** The statements of one session, answered in order: only the first can be cancelled. */
function lineOf(session: Session): Line {
  const waiting: { readonly signal: AbortSignal | undefined }[] = [];
  const look = () => {
    if (waiting[0]?.signal?.aborted) session.cancel();
  };
  return {
    async send(wanted, signal) {
      const own = { signal };
      waiting.push(own);
      signal?.addEventListener('abort', look, { once: true });
      try {
        return await session.query(wanted, signal);
      } finally {
        signal?.removeEventListener('abort', look);
        waiting.splice(waiting.indexOf(own), 1);
        look();
      }
    },
  };
}
