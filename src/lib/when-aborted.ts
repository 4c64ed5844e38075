/** Listening to long-lived signals with many short waits: adding and removing a listener each time costs more. */
const works = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `work` when `signal` is aborted, or now if it already is, until the returned function is called. */
export function whenAborted(signal: AbortSignal, work: () => void): () => void {
  if (signal.aborted) {
    work();
    return () => {};
  }
  let own = works.get(signal);
  if (!own) {
    const waiting = (own = new Set());
    works.set(signal, own);
    signal.addEventListener('abort', () => [...waiting].forEach((each) => each()), { once: true });
  }
  own.add(work);
  return () => own.delete(work);
}
