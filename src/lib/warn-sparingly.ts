/** Limits warnings that would repeat with every request while a problem lasts, such as a full disk. */
import type { Log } from './log.ts';

/** Repetitions within this time are counted, not logged. */
const quietMs = 10_000;

/** Problems tracked at a time; others are always logged. */
const mostTroubles = 100;

interface LeftOut {
  readonly count: number;
  /** The latest reason; for a full disk it differs by table. */
  readonly reason: string;
}

/** By log, then by message. */
const troubles = new WeakMap<Log, Map<string, LeftOut>>();

/** Warns at once; while the same message repeats, warns every ten seconds with the number of omitted lines. */
export function warnSparingly(log: Log, fields: { readonly reason: string }, message: string): void {
  const known = troubles.get(log) ?? new Map<string, LeftOut>();
  troubles.set(log, known);
  const { reason } = fields;
  const before = known.get(message);
  if (before) {
    known.set(message, { count: before.count + 1, reason });
    return;
  }
  log.warn(fields, message);
  if (known.size >= mostTroubles) return;
  known.set(message, { count: 0, reason });
  setTimeout(() => logOmitted(log, known, message), quietMs).unref();
}

function logOmitted(log: Log, known: Map<string, LeftOut>, message: string): void {
  const { count, reason } = known.get(message) ?? { count: 0, reason: '' };
  if (count === 0) {
    known.delete(message);
    return;
  }
  known.set(message, { count: 0, reason });
  log.warn({ reason, leftOut: count }, message);
  setTimeout(() => logOmitted(log, known, message), quietMs).unref();
}
