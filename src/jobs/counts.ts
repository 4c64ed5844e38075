/** This process's job counters for /metrics: their cost does not depend on the number of organizations. */

/** How an attempt ended. */
export type Outcome = 'done' | 'again' | 'retried' | 'failed' | 'handed back' | 'lost';

interface KindCounts {
  running: number;
  readonly ended: Map<Outcome, number>;
}

const kinds = new Map<string, KindCounts>();
let waiting = 0;

/** Counts a running job of this kind; the returned function counts its end. */
export function countRunning(kind: string): (outcome: Outcome) => void {
  const counts = kinds.get(kind) ?? { running: 0, ended: new Map<Outcome, number>() };
  kinds.set(kind, counts);
  counts.running++;
  return (outcome) => {
    counts.running--;
    counts.ended.set(outcome, (counts.ended.get(outcome) ?? 0) + 1);
  };
}

/** Records how many due organizations this process had no room for at the last poll. */
export function noteWaiting(organizations: number): void {
  waiting = organizations;
}

/** The job counters: organizations waiting for room, and running and ended jobs by kind. */
export function jobCounts(): {
  readonly waiting: number;
  readonly kinds: ReadonlyMap<string, { readonly running: number; readonly ended: ReadonlyMap<Outcome, number> }>;
} {
  return { waiting, kinds };
}
