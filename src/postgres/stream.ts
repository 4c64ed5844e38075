/**
 * The rows of a long read, batch by batch, from a cursor of SQL's own: each batch has its own time limit, and a consumer
 * that pauses is bounded by the idle limit of a transaction (a cursor of the wire protocol has one limit for all).
 */
import type { Row } from './database.ts';
import { inParts } from './rows-in-parts.ts';
import type { Session } from './session.ts';
import type { Statement } from './sql.ts';

/** So many rows tell how large the next ones may be. */
const firstBatch = 32;

/** Characters that are worth holding at a time. */
const worthHolding = 4_000_000;

/**
 * Throws ConnectionLost, what PostgreSQL refused, or the reason of `signal`, after which nothing is sent any more. Leaves
 * the session in its transaction, for `endCursor`.
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
  // All rows will be wanted: without this, PostgreSQL plans for the first tenth.
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

/** Ends the transaction that `cursorRows` was in; cuts the connection where that cannot be done. */
export async function endCursor(session: Session): Promise<void> {
  await session.script('rollback').catch(() => session.destroy());
}

/** As many rows of the size of these as are worth holding, and no more than four times as many: a fetch has a time limit. */
function nextBatch(count: number, length: number): number {
  return Math.max(1, Math.min(4 * count, Math.floor((worthHolding * count) / Math.max(1, length))));
}
