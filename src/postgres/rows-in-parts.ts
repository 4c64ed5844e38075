/**
 * Streams the rows of a statement in parts: PostgreSQL waits while a part is processed, so that few rows are in
 * memory.
 */
import type { Row } from './database.ts';
import type { Session } from './session.ts';
import type { Statement } from './sql.ts';

interface Part {
  readonly rows: readonly Row[];
  readonly taken: () => void;
}

export interface Fetched {
  readonly count: number;
  /** Characters of all rows. */
  readonly length: number;
}

/**
 * Yields the rows in parts of `bytes`, exceeded by at most some rows; returns the totals. Stopping early loses the
 * session, since the server would go on sending.
 */
export async function* inParts(
  session: Session,
  statement: Statement,
  bytes: number,
): AsyncGenerator<readonly Row[], Fetched, undefined> {
  let length = 0;
  const parts: Part[] = [];
  let arrival = Promise.withResolvers<void>();
  let isDone = false;
  const answer = session
    .queryInParts(statement, {
      bytes,
      take: (rows) =>
        new Promise((resolve) => {
          parts.push({ rows, taken: resolve });
          arrival.resolve();
        }),
    })
    .finally(() => {
      isDone = true;
      arrival.resolve();
    });
  answer.catch(() => {}); // awaited below, unless the reader stops
  try {
    for (;;) {
      const part = parts.shift();
      if (part) {
        length += lengthOf(part.rows);
        try {
          yield part.rows;
        } finally {
          part.taken(); // also if the reader has stopped: the connection must be drained
        }
      } else if (isDone) {
        const { rows, count } = await answer;
        length += lengthOf(rows);
        if (rows.length > 0) yield rows;
        return { count, length };
      } else {
        await arrival.promise;
        arrival = Promise.withResolvers();
      }
    }
  } finally {
    if (!isDone) session.destroy();
  }
}

function lengthOf(rows: readonly Row[]): number {
  let length = 0;
  for (const row of rows) for (const cell of row) length += cell?.length ?? 0;
  return length;
}
