/** Waiting for a share of the connections: two seconds at most. */
import { unavailable } from './failure.ts';

const waitMs = 2_000;

/** Adds `turn` to `line` until it is resolved; when that takes too long it leaves the line and throws UNAVAILABLE. */
export function waitInLine<T, Turn extends PromiseWithResolvers<T>>(
  line: Set<Turn>,
  turn: Turn & PromiseWithResolvers<T>,
  tooLong: string,
): Promise<T> {
  const timer = setTimeout(() => {
    line.delete(turn);
    turn.reject(unavailable(tooLong));
  }, waitMs);
  line.add(turn);
  return turn.promise.finally(() => clearTimeout(timer));
}
