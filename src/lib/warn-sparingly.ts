/** Warnings that would come with every request for as long as one trouble lasts, such as a full disk. */
import type { Log } from './log.ts';

/** For so long what repeats itself is counted, and no line. */
const quietMs = 10_000;

/** Troubles at a time of which so much is remembered; of others each is a line. */
const mostTroubles = 100;

interface LeftOut {
  readonly count: number;
  /** Of the last one: what does not fit on a disk differs from table to table. */
  readonly reason: string;
}

/** Of each log, by message. */
const troubles = new WeakMap<Log, Map<string, LeftOut>>();

/** Warns at once, and while the same message keeps coming every ten seconds from then on, with how many lines were left out. */
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
  setTimeout(() => tellLeftOut(log, known, message), quietMs).unref();
}

function tellLeftOut(log: Log, known: Map<string, LeftOut>, message: string): void {
  const { count, reason } = known.get(message) ?? { count: 0, reason: '' };
  if (count === 0) {
    known.delete(message);
    return;
  }
  known.set(message, { count: 0, reason });
  log.warn({ reason, leftOut: count }, message);
  setTimeout(() => tellLeftOut(log, known, message), quietMs).unref();
}
