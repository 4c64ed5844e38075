/** Queues for connections: two seconds at most. */

const waitMs = 2_000;

/** Adds `turn` to `line` until it resolves; after too long it leaves the line and throws `tooLate()`. */
export async function waitInLine<T, Turn extends PromiseWithResolvers<T>>(
  line: Set<Turn>,
  turn: Turn & PromiseWithResolvers<T>,
  tooLate: () => Error,
): Promise<T> {
  const timer = setTimeout(() => {
    line.delete(turn);
    turn.reject(tooLate());
  }, waitMs);
  line.add(turn);
  try {
    return await turn.promise;
  } finally {
    clearTimeout(timer);
  }
}
