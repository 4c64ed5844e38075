/**
 * Audits refused admin-only calls, without letting anyone flood the audit: repetitions within a minute and all beyond thirty
 * entries per user and hour are only counted, and the next entry states their number.
 */
import type { Call } from '../../access/call.ts';
import { StaleCaller } from '../../access/workspace.ts';
import { errors, KithError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { bytesOfText, Lru } from '../../lib/lru.ts';
import type { DoorRequest } from './request-context.ts';

interface Denials {
  /** Records the denial in the audit. A failure to do so is only logged. */
  note(call: Call, request: Pick<DoorRequest, 'report'>): Promise<void>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const mostEntries = 30;

/** The denials of a user within an hour. */
interface Known {
  readonly until: number;
  /** When an entry was last written, by operation id. */
  readonly recordedAt: Map<string, number>;
  entries: number;
  unrecorded: number;
}

/** Makes the record of denials of one door. */
export function createDenials(clock: Clock): Denials {
  const users = new Lru<string, Known>({
    name: 'audited_denials',
    maxBytes: 1024 * 1024,
    bytesOf: (key) => bytesOfText(key) + mostEntries * 150,
  });

  /** The number of unrecorded denials before this call; undefined if this one is not to be recorded either. */
  function unrecordedBefore({ caller, operation }: Call): number | undefined {
    const now = clock.now();
    const key = `${caller.organizationId} ${caller.workspaceUserId}`;
    let known = users.get(key);
    if (!known || known.until <= now) {
      known = { until: now + hourMs, recordedAt: new Map(), entries: 0, unrecorded: known?.unrecorded ?? 0 };
      users.set(key, known);
    }
    const last = known.recordedAt.get(operation);
    if (known.entries >= mostEntries || (last !== undefined && now - last < minuteMs)) {
      known.unrecorded++;
      return undefined;
    }
    known.recordedAt.set(operation, now);
    known.entries++;
    const { unrecorded } = known;
    known.unrecorded = 0;
    return unrecorded;
  }

  return {
    async note(call, { report }) {
      const unrecorded = unrecordedBefore(call);
      if (unrecorded === undefined) return;
      const subject = { operation: call.operation, ...(unrecorded > 0 && { untold_before: unrecorded }) };
      try {
        await call.workspace.transaction(async (tx) => call.audit(tx, 'admin.denied', subject));
      } catch (error) {
        // A stale caller has changed since: the denial is not recorded.
        if (!(error instanceof StaleCaller)) report(error instanceof KithError ? error : errors.internal(error));
      }
    },
  };
}
