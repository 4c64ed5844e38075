/**
 * Dry runs of an import: one when the page is opened, further ones on request. The service limits their rate, so a changed choice
 * does not start one.
 */
import { useEffect, useState } from 'react';
import type { ImportsPreviewAnswer } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { bodyOf, type Draft } from './draft.ts';

export interface Trial {
  readonly answer: ImportsPreviewAnswer | undefined;
  readonly at: string | undefined;
  readonly error: unknown;
  readonly isRunning: boolean;
  /** Whether columns or options have changed since. */
  readonly isStale: boolean;
  /** Runs it for the current choices; resolves to undefined if it fails. */
  run(): Promise<ImportsPreviewAnswer | undefined>;
  /** Discards the result, so that the next one is fetched again. */
  spoil(): void;
}

/** The dry run of the choices; runs on opening if `isReady`. */
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
    // Only on opening, with the choices at that time.
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
