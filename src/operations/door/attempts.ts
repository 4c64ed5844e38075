/**
 * Runs work in a caller's name. The cached caller and model may be stale: then both are loaded again and the work is
 * repeated, unless it has committed. After a commit nothing is repeated.
 */
import type { Call } from '../../access/call.ts';
import { StaleCaller, type StatementScope, type Workspace } from '../../access/workspace.ts';
import { KithError, errors } from '../../errors.ts';
import { RateLimited } from '../../limits/limiter.ts';
import type { Session, Sessions } from './sessions.ts';

/** What one attempt works with. */
export interface Attempt {
  readonly place: StatementScope;
  readonly call: Call;
}

/** Runs `work` with the cached caller and model, and repeats it while they turn out to be stale. */
export type Attempts = <T>(work: (attempt: Attempt) => Promise<T>) => Promise<T>;

/** Consecutive manifests can make a waiting writer stale many times. More failures than this, as by a missing table, are a defect. */
const most = 100;

/**
 * Makes the attempts of one operation: `begin` starts an attempt for a session; `gate` throws if the caller may not perform
 * the operation at all.
 */
export function createAttempts(
  sessions: Pick<Sessions, 'renew' | 'invalidate'>,
  opened: Session,
  begin: (session: Session) => Attempt,
  gate: (call: Call) => void,
): Attempts {
  let session = opened;
  return async (work) => {
    for (let count = 1; ; count++) {
      const attempt = begin(session);
      const { place, call } = attempt;
      try {
        place.signal.throwIfAborted();
        gate(call);
        return await work(attempt);
      } catch (error) {
        if (place.signal.aborted) throw place.signal.reason;
        if (error instanceof KithError && error.code === 'UNAVAILABLE') sessions.invalidate(session);
        if (place.progress.hasCommitted) throw error instanceof StaleCaller ? errors.partlyDone() : error;
        if (!(error instanceof StaleCaller || (await isStale(error, call.workspace)))) throw error;
        if (count === most) throw endOf(error);
        session = await sessions.renew(session);
      }
    }
  };
}

function endOf(error: unknown): unknown {
  if (!(error instanceof StaleCaller)) return error;
  return error.cause === undefined ? errors.keepsChanging(error) : errors.internal(error.cause);
}

/** A refusal that no statement has confirmed may rest on stale data: a revoked token must get 401, whatever it requested. */
async function isStale(error: unknown, workspace: Workspace): Promise<boolean> {
  if (!(error instanceof KithError) || error instanceof RateLimited || error.code === 'UNAVAILABLE') return false;
  try {
    await workspace.read();
    return false;
  } catch (check) {
    if (check instanceof StaleCaller) return true;
    throw check;
  }
}
