import { useState } from 'react';
import { messageOf } from '../api/kith.ts';

interface Work {
  readonly isWorking: boolean;
  /** The service's error, until the next try. */
  readonly problem: string | undefined;
  run(work: () => Promise<unknown>): Promise<void>;
}

/** Runs the action of a button or a form, one at a time. */
export function useWork(): Work {
  const [isWorking, setWorking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async (work: () => Promise<unknown>) => {
    if (isWorking) return;
    setWorking(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(messageOf(error));
    }
    setWorking(false);
  };
  return { isWorking, problem, run };
}
