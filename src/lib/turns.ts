/** Limits concurrent work; the excess is queued in order. */

/** Runs `work` when it has a slot. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Limits concurrency to `most`. */
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
