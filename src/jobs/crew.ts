/**
 * The jobs running in this process: how many, for which organizations, and which of them makes room for others. Jobs
 * that wait aside take no slot.
 */
import type { Clock } from '../lib/clock.ts';
import type { Running } from './attempt.ts';

/** How long a job may run while other organizations wait. */
const sliceMs = 10_000;

export interface Crew {
  /** The number of jobs that can be started. */
  room(): number;
  /** Reserves slots for the organization; they count as taken until `release`. */
  reserve(organizationId: string): { readonly room: number; release(): void };
  /** Organizations that have reached `mostOfOne`. */
  full(): readonly string[];
  add(organizationId: string, job: Running): void;
  remove(organizationId: string, job: Running): void;
  /** Hands back jobs that have used their time slice, to make room for up to `wanted` waiting organizations. */
  makeRoom(wanted: number): void;
  /** Hands all jobs back to other workers. */
  handBack(): void;
}

/** Creates a crew of at most `most` jobs, `mostOfOne` of them for one organization. */
export function createCrew(clock: Clock, most: number, mostOfOne: number): Crew {
  const running = new Map<string, Set<Running>>();
  /** Reserved slots by organization. */
  const reserved = new Map<string, number>();
  const all = () => [...running.values()].flatMap((jobs) => [...jobs]);
  const atWork = (jobs: Iterable<Running> = []) => [...jobs].filter((job) => !job.isAside());
  const ofOne = (id: string) => (reserved.get(id) ?? 0) + atWork(running.get(id)).length;
  const promised = () => [...reserved.values()].reduce((sum, count) => sum + count, 0);
  const room = () => most - promised() - atWork(all()).length;
  const promise = (id: string, more: number) => {
    const count = (reserved.get(id) ?? 0) + more;
    if (count === 0) reserved.delete(id);
    else reserved.set(id, count);
  };
  return {
    room,
    reserve(id) {
      const free = Math.max(0, Math.min(mostOfOne - ofOne(id), room()));
      promise(id, free);
      return { room: free, release: () => promise(id, -free) };
    },
    full: () => [...new Set([...running.keys(), ...reserved.keys()])].filter((id) => ofOne(id) >= mostOfOne),
    add(id, job) {
      running.set(id, (running.get(id) ?? new Set()).add(job));
    },
    remove(id, job) {
      const jobs = running.get(id);
      jobs?.delete(job);
      if (jobs?.size === 0) running.delete(id);
    },
    makeRoom(wanted) {
      const old = atWork(all())
        .filter(({ since }) => clock.now() - since >= sliceMs)
        .toSorted((one, other) => one.since - other.since);
      for (const job of old.slice(0, wanted)) job.handBack();
    },
    handBack() {
      for (const job of all()) job.handBack();
    },
  };
}
