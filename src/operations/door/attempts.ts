/**
 * Work in a caller's name. What is remembered of the caller and the model may be old: then both are loaded anew and the
 * work begins again, for as long as it has committed nothing. After a commit nothing is ever repeated.
 */
import type { Call } from '../../access/call.ts';
import { StaleCaller, type Place, type Workspace } from '../../access/workspace.ts';
import { KithError, errors } from '../../errors.ts';
import { RateLimited } from '../../limits/limiter.ts';
import type { Session, Sessions } from './sessions.ts';

/** One attempt: what the work is given. */
export interface Attempt {
  readonly place: Place;
  readonly call: Call;
}

/** Runs `work` with the caller and the model as they were known last, again while they turn out to be old. */
export type Attempts = <T>(work: (attempt: Attempt) => Promise<T>) => Promise<T>;

/**
 * While one manifest follows the other, a writer that waits for one is likely to find its model old again. A table that is missing
 * as often is a defect.
 */
const most = 100;

/** `begin` makes an attempt of a session; `gate` refuses a caller that may do nothing of the work. */
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

/** A refusal that no statement has confirmed may come from what is no longer true: a revoked token's is 401, whatever it asked. */
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
