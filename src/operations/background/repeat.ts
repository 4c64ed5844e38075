/** Work that comes again and again while the service runs. */
import type { Log } from '../../lib/log.ts';

export interface Rhythm {
  /** Milliseconds until the first time, and between the end of one time and the next. */
  readonly firstMs: number;
  readonly everyMs: number;
  /** What the log says when it fails; the next time comes all the same. */
  readonly failed: string;
}

/** Returned is what ends it: it aborts the work's signal, and waits until the work at hand is over. */
export function repeat(
  work: (signal: AbortSignal) => Promise<unknown>,
  { firstMs, everyMs, failed }: Rhythm,
  log: Pick<Log, 'warn'>,
): () => Promise<void> {
  const stop = new AbortController();
  let working: Promise<unknown> = Promise.resolve();
  const run = () => {
    working = work(stop.signal)
      .catch((error: unknown) => log.warn({ error }, failed))
      .finally(() => {
        if (!stop.signal.aborted) timer = setTimeout(run, everyMs).unref();
      });
  };
  let timer = setTimeout(run, firstMs).unref();
  return async () => {
    stop.abort();
    clearTimeout(timer);
    await working;
  };
}
