/** An answer that costs the same for one caller or a thousand. */

/**
 * Shares the result of `work` among all callers while it runs and until `freshMs` after its start. A failure is
 * reported to those waiting; the next caller starts anew.
 */
export function sharedAnswer<T>(work: () => Promise<T>, freshMs: number): () => Promise<T> {
  let answer: Promise<T> | undefined;
  let freshUntil = -Infinity;
  return () => {
    const now = performance.now();
    if (answer && now < freshUntil) return answer;
    answer = work();
    freshUntil = Infinity;
    answer.then(
      () => (freshUntil = now + freshMs),
      () => (freshUntil = -Infinity),
    );
    return answer;
  };
}
