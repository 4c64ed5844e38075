/** The shared clients for reads. A lost connection is replaced, and its reads are repeated once. */
import type { Rows } from './database.ts';
import { ConnectionLost, isStalePlan, toCaller } from './failure.ts';
import type { Session } from './session.ts';
import { sharedClients } from './shared-clients.ts';
import type { Statement } from './sql.ts';
import { createTurns } from './turns.ts';

/** Concurrent reads of one organization: enough to keep its backend busy, few enough to queue behind. */
const mostAtOnce = 8;
/**
 * A shared session may become stale again before a repeated read is done: several tables may change one after
 * another.
 */
const stalePlanRetries = 8;

export interface PipelinedClients {
  /** Sends reads; those still queued when `signal` is aborted are not sent. */
  read(affinity: string, statements: readonly Statement[], signal?: AbortSignal): Promise<readonly Rows[]>;
  close(): Promise<void>;
}

/** Creates `count` clients for reads; each sends without waiting for earlier answers. */
export function pipelinedClients(open: () => Promise<Session>, count: number): PipelinedClients {
  const clients = sharedClients(open, count, { isKeptReady: true });
  const turns = createTurns(mostAtOnce);

  async function readInTurn(affinity: string, statements: readonly Statement[]): Promise<readonly Rows[]> {
    const send = (session: Session) => session.batch(statements);
    const mayRepeat = repeats();
    let began = performance.now();
    let answer = clients.use(affinity, send);
    for (;;) {
      try {
        return await answer;
      } catch (error) {
        if (!mayRepeat(error)) throw toCaller(error);
      }
      answer = clients.useNewer(affinity, began, send);
      began = performance.now();
    }
  }

  return {
    read: (affinity, statements, signal) => turns.take(affinity, () => readInTurn(affinity, statements), signal),
    close: () => clients.close(),
  };
}

/** Counts the failures of one read, and decides whether to repeat it. */
function repeats() {
  const failures = { lost: 0, stale: 0 };
  return (error: unknown): boolean =>
    isStalePlan(error) ? failures.stale++ < stalePlanRetries : error instanceof ConnectionLost && failures.lost++ < 1;
}
