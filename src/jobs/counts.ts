/** What this process has seen of jobs, for /metrics: it costs the same however many organizations there are. */

/** How an attempt at a job ended. */
export type Outcome = 'done' | 'again' | 'retried' | 'failed' | 'handed back' | 'lost';

interface KindCounts {
  running: number;
  readonly ended: Map<Outcome, number>;
}

const kinds = new Map<string, KindCounts>();
let waiting = 0;

/** Counts a job of this kind as running; what is returned counts its end. */
export function countRunning(kind: string): (outcome: Outcome) => void {
  const counts = kinds.get(kind) ?? { running: 0, ended: new Map<Outcome, number>() };
  kinds.set(kind, counts);
  counts.running++;
  return (outcome) => {
    counts.running--;
    counts.ended.set(outcome, (counts.ended.get(outcome) ?? 0) + 1);
  };
}

/** How many organizations had something to do that this process had no room for, when it asked last. */
export function noteWaiting(organizations: number): void {
  waiting = organizations;
}

/** What this process knows of jobs: those that wait for room, and by kind those that run and those that ended. */
export function jobCounts(): {
  readonly waiting: number;
  readonly kinds: ReadonlyMap<string, { readonly running: number; readonly ended: ReadonlyMap<Outcome, number> }>;
} {
  return { waiting, kinds };
}
