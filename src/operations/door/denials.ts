/**
 * What only an admin may do, asked by who is none: told in the audit, but so that nobody can fill it. The same again within a
 * minute is counted, and so is all beyond thirty entries of a user within an hour; the next entry says how many those were.
 */
import type { Call } from '../../access/call.ts';
import { StaleCaller } from '../../access/workspace.ts';
import { errors, KithError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { bytesOfText, Lru } from '../../lib/lru.ts';
import type { Asked } from './request-context.ts';

interface Denials {
  /** Enters that the call was denied. What fails of it is reported: the caller is told of the denial alone. */
  note(call: Call, asked: Pick<Asked, 'report'>): Promise<void>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const mostEntries = 30;

/** What is known of a user within an hour. */
interface Known {
  readonly until: number;
  /** By operation, when an entry told of it last. */
  readonly told: Map<string, number>;
  entries: number;
  untold: number;
}

/** One for each way in of a process: each tells of its own. */
export function createDenials(clock: Clock): Denials {
  const users = new Lru<string, Known>({
    name: 'audited_denials',
    maxBytes: 1024 * 1024,
    bytesOf: (key) => bytesOfText(key) + mostEntries * 150,
  });

  /** What an entry says of calls that no entry told of; undefined where this call is such a one, too. */
  function untoldBefore({ caller, operation }: Call): number | undefined {
    const now = clock.now();
    const key = `${caller.organizationId} ${caller.workspaceUserId}`;
    let known = users.get(key);
    if (!known || known.until <= now) {
      known = { until: now + hourMs, told: new Map(), entries: 0, untold: known?.untold ?? 0 };
      users.set(key, known);
    }
    const last = known.told.get(operation);
    if (known.entries >= mostEntries || (last !== undefined && now - last < minuteMs)) {
      known.untold++;
      return undefined;
    }
    known.told.set(operation, now);
    known.entries++;
    const { untold } = known;
    known.untold = 0;
    return untold;
  }

  return {
    async note(call, { report }) {
      const untold = untoldBefore(call);
      if (untold === undefined) return;
      const subject = { operation: call.operation, ...(untold > 0 && { untold_before: untold }) };
      try {
        await call.workspace.transaction(async (tx) => call.audit(tx, 'admin.denied', subject));
      } catch (error) {
        // Whoever is not the caller any more was denied as somebody else.
        if (!(error instanceof StaleCaller)) report(error instanceof KithError ? error : errors.internal(error));
      }
    },
  };
}
