/** Runs work at intervals while the service runs. */
import type { Log } from '../../lib/log.ts';

export interface Rhythm {
  /** Milliseconds before the first run, and between the end of one run and the next. */
  readonly firstMs: number;
  readonly everyMs: number;
  /** Logged when a run fails; the next one is not affected. */
  readonly failed: string;
}

/** Starts the work. Returns a function that aborts the work's signal and waits for the current run. */
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
