/**
 * The outcome of `work`, or the reason of `signal` as soon as it is aborted; the later outcome of `work` is then
 * ignored.
 */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  if (signal.aborted) {
    work.catch(() => {});
    return Promise.reject(signal.reason);
  }
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  const settled = () => signal.removeEventListener('abort', abort);
  signal.addEventListener('abort', abort, { once: true });
  work.then(
    (outcome) => {
      settled();
      resolve(outcome);
    },
    (error: unknown) => {
      settled();
      reject(error);
    },
  );
  return promise;
}
