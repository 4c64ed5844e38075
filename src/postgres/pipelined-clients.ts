/** The shared clients for reads. A lost connection is replaced and its reads are repeated once. */
import type { Rows } from './database.ts';
import { ConnectionLost, isStalePlan, toCaller } from './failure.ts';
import type { Session } from './session.ts';
import { sharedClients } from './shared-clients.ts';
import type { Statement } from './sql.ts';
import { createTurns } from './turns.ts';

/** Reads of one organization on their way at once: enough to keep its backend busy, few to wait behind. */
const mostAtOnce = 8;
/** A session that others share may become stale again before a repeated read is through: tables may change one after the other. */
const stalePlanRetries = 8;

export interface PipelinedClients {
  /** What still waits for its turn when `signal` is aborted is not sent. */
  read(affinity: string, statements: readonly Statement[], signal?: AbortSignal): Promise<readonly Rows[]>;
  close(): Promise<void>;
}

/** So many clients for reads; each sends on without waiting for earlier answers. */
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

/** Counts the failures of one read, and says whether it may be sent again. */
function repeats() {
  const failures = { lost: 0, stale: 0 };
  return (error: unknown): boolean =>
    isStalePlan(error) ? failures.stale++ < stalePlanRetries : error instanceof ConnectionLost && failures.lost++ < 1;
}
