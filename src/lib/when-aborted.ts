/** Signals that live long, on which many wait one after the other: to add a listener and remove it again costs a request more. */
const works = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `work` when `signal` is aborted, at once where it is already, until what this gives is called. */
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
