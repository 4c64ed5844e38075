/** Work of which only so much is done at a time; what is more waits for its turn, in the order in which it came. */

/** Does `work` when it is its turn. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** At most `most` at a time. */
export function createTurns(most: number): Turns {
  const line: (() => void)[] = [];
  let busy = 0;
  return async (work) => {
    if (busy < most) busy++;
    else await new Promise<void>((resolve) => line.push(resolve));
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else busy--;
    }
  };
}
