/**
 * The shared clients for writes: each statement is a whole transaction, and travels without waiting for the answers to those of
 * others. None holds a lock before it begins, and nobody who holds one waits for any of them: so none waits in a circle that the
 * database does not see. What waits for a lock is ended soon, so that the next can go on, and does its waiting on a plain client.
 */
import { areLong } from './bind.ts';
import type { Rows } from './database.ts';
import { isCanceled, isConflict, isLockTimeout, isStalePlan, toCaller } from './failure.ts';
import type { Session } from './session.ts';
import { sharedClients } from './shared-clients.ts';
import type { Statement } from './sql.ts';
import { createTurns } from './turns.ts';

/** Writes of one organization on their way at once. */
const mostAtOnce = 8;
/** Fewer are not worth a second backend, more would wait for too many commits one after the other. */
const deepest = 4;

export interface PipelinedWrites {
  /**
   * Sends one statement that commits by itself, once: what a lost connection made of it is not known. Undefined where nothing was
   * done and it may be sent elsewhere, also where it is long. When `signal` is aborted, it is not sent, or cancelled as soon as it is at hand.
   */
  write(affinity: string, statement: Statement, signal?: AbortSignal): Promise<Rows | undefined>;
  close(): Promise<void>;
}

/** So many clients for writes, opened when they are needed. */
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

/** Also where it was cancelled: its own time is not over then, or a cancellation was meant for the statement before it. */
function didNothing(error: unknown): boolean {
  return isLockTimeout(error) || isCanceled(error) || isConflict(error) || isStalePlan(error);
}

interface Line {
  send(wanted: Statement, signal?: AbortSignal): Promise<Rows>;
}

/** The statements of one session, which are answered in their order: only the first of them can be cancelled. */
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
