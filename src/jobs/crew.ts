/** The jobs that this process carries out at a time: how many, of whom, and which of them makes room for others. Those that are aside take no place. */
import type { Clock } from '../lib/clock.ts';
import type { Running } from './attempt.ts';

/** So long a job goes on while other organizations wait. */
const sliceMs = 10_000;

export interface Crew {
  /** How many more jobs can be begun. */
  room(): number;
  /** How many of that organization; they count as begun until `release`. */
  reserve(organizationId: string): { readonly room: number; release(): void };
  /** Organizations that have as many as one may have. */
  full(): readonly string[];
  add(organizationId: string, job: Running): void;
  remove(organizationId: string, job: Running): void;
  /** What has had its time goes behind `wanted` organizations that wait, from where it is. */
  makeRoom(wanted: number): void;
  /** Everything goes to other workers, from where it is. */
  handBack(): void;
}

/** Room for `most` jobs at once, `mostOfOne` of them of one organization. */
export function createCrew(clock: Clock, most: number, mostOfOne: number): Crew {
  const running = new Map<string, Set<Running>>();
  /** Places that are promised, by organization. */
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
