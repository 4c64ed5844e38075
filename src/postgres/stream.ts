/**
 * Streams a long read in batches from an SQL cursor: each batch has its own time limit, and a pausing consumer is
 * bounded by the transaction's idle limit (a cursor of the wire protocol has one limit for everything).
 */
import type { Row } from './database.ts';
import { inParts } from './rows-in-parts.ts';
import type { Session } from './session.ts';
import type { Statement } from './sql.ts';

/** The first rows show how large the next may be. */
const firstBatch = 32;

/** Characters to hold at a time. */
const worthHolding = 4_000_000;

/**
 * Yields the batches. Throws ConnectionLost, PostgreSQL's error, or the reason of `signal`, after which nothing is
 * sent. Leaves the session in its transaction, for `endCursor`.
 */
export async function* cursorRows(
  session: Session,
  statement: Statement,
  batch: number,
  limitMs: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly Row[], void, undefined> {
  const inTime = <T>(send: () => Promise<T>): Promise<T> => {
    signal?.throwIfAborted();
    return send();
  };
  await inTime(() => session.limit(limitMs));
  // All rows are wanted: PostgreSQL would plan for the first tenth.
  await inTime(() => session.script('begin read only; set local cursor_tuple_fraction = 1'));
  const declare = `declare kith_rows no scroll cursor for ${statement.text}`;
  await inTime(() => session.query({ text: declare, values: statement.values }));
  for (let size = Math.min(firstBatch, batch); ;) {
    const fetch = { text: `fetch forward ${size} from kith_rows`, values: [] };
    signal?.throwIfAborted();
    const { count, length } = yield* inParts(session, fetch, worthHolding);
    if (count < size) return;
    size = Math.min(batch, nextBatch(count, length));
  }
}

/** Ends the transaction of `cursorRows`; cuts the connection where that fails. */
export async function endCursor(session: Session): Promise<void> {
  await session.script('rollback').catch(() => session.destroy());
}

/** As many rows of this size as may be held, and at most four times the last batch, since a fetch has a time limit. */
function nextBatch(count: number, length: number): number {
  return Math.max(1, Math.min(4 * count, Math.floor((worthHolding * count) / Math.max(1, length))));
}
