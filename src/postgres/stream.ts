/**
 * The rows of a long read, batch by batch, from a cursor of SQL's own: each batch has its own time limit, and a consumer
 * that pauses is bounded by the idle limit of a transaction (a cursor of the wire protocol has one limit for all).
 */
import type { Row } from './database.ts';
import type { Session } from './session.ts';
import type { Statement } from './sql.ts';

/** Throws ConnectionLost or what PostgreSQL refused. The session is out of its transaction when the iterator ends. */
export async function* cursorRows(
  session: Session,
  statement: Statement,
  batch: number,
  limitMs: number,
): AsyncGenerator<readonly Row[], void, undefined> {
  await session.limit(limitMs);
  // All rows will be wanted: without this, PostgreSQL plans for the first tenth.
  await session.script('begin read only; set local cursor_tuple_fraction = 1');
  try {
    await session.query({ text: `declare kith_rows no scroll cursor for ${statement.text}`, values: statement.values });
    const fetch: Statement = { text: `fetch forward ${Math.trunc(batch)} from kith_rows`, values: [] };
    for (;;) {
      const { rows } = await session.query(fetch);
      if (rows.length > 0) yield rows;
      if (rows.length < batch) return;
    }
  } finally {
    await session.script('rollback').catch(() => session.destroy());
  }
}
