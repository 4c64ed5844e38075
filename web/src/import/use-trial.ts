/** Dry runs of an import: one when it is opened, then whenever it is asked for. They are counted by the service, so none runs by every choice. */
import { useEffect, useState } from 'react';
import type { ImportsPreviewAnswer } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { bodyOf, type Draft } from './draft.ts';

export interface Trial {
  readonly answer: ImportsPreviewAnswer | undefined;
  readonly at: string | undefined;
  readonly error: unknown;
  readonly isRunning: boolean;
  /** Whether other columns or options are chosen by now. */
  readonly isStale: boolean;
  /** Runs it for what is chosen now; gives undefined where it did not succeed. */
  run(): Promise<ImportsPreviewAnswer | undefined>;
  /** Has the next one asked for anew. */
  spoil(): void;
}

/** That of the choices; `isReady` says whether there is anything to run when it is opened. */
export function useTrial(job: string, draft: Draft, isReady: boolean): Trial {
  const wanted = JSON.stringify(bodyOf(draft));
  const [done, setDone] = useState<{ of: string; at: string; answer: ImportsPreviewAnswer }>();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    setError(undefined);
    try {
      const answer = await kith.imports.preview(job, bodyOf(draft));
      setDone({ of: wanted, at: new Date().toISOString(), answer });
      return answer;
    } catch (problem) {
      setError(problem);
      return undefined;
    } finally {
      setRunning(false);
    }
  };
  useEffect(() => {
    if (isReady) void run();
    // Once, with what is chosen when it is opened.
  }, [job]);
  return {
    answer: done?.answer,
    at: done?.at,
    error,
    isRunning,
    isStale: done !== undefined && done.of !== wanted,
    run,
    spoil: () => setDone((was) => was && { ...was, of: '' }),
  };
}
