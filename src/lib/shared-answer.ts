/** An answer that costs as much for a thousand who ask as for one. */

/**
 * What `work` answers, for all who ask while it is at work and until `freshMs` after it began. A failure is told to those
 * who wait for it; whoever asks next begins anew.
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
