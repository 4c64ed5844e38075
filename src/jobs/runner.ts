/**
 * Runs jobs of all due organizations in this process, a few at a time and the organizations in turn. Any number of
 * processes do so side by side.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Directory } from '../directory/directory.ts';
import type { TakenOrganization } from '../directory/due.ts';
import type { Log } from '../lib/log.ts';
import { attempt } from './attempt.ts';
import { noteWaiting } from './counts.ts';
import { createCrew, type Crew } from './crew.ts';
import { look, type Found, type LookParts } from './look.ts';

export interface RunnerParts extends LookParts {
  readonly directory: LookParts['directory'] &
    Pick<Directory, 'dueOrganizations' | 'takeDue' | 'settleDue' | 'wake' | 'announce' | 'wakeForgotten'>;
  readonly log: Pick<Log, 'warn'>;
  /** Concurrent jobs in all and per organization; default to 3 and 2, so that requests keep connections. */
  readonly most?: number;
  readonly mostOfOne?: number;
}

export interface Runner {
  /** Checks the organization's jobs now, without waiting for the next poll. */
  kick(organizationId: string): void;
  /**
   * Starts nothing more, and resolves when every running job has finished its step and was handed back, or after a
   * timeout.
   */
  stop(): Promise<void>;
}

/** Poll interval; the longest that another process's job waits. */
const everyMs = 80;
/** Pause after a failed poll. */
const pauseMs = 2_000;
const forgottenEveryMs = 600_000;
/** Pause for an organization that could not be checked. */
const troubledMs = 10_000;
/** How long the stop waits for steps to end; the leases of longer ones pass to other workers. */
const patienceMs = 8_000;
/** Organizations per poll. */
const mostDue = 32;

/** Starts polling for jobs and running them; by default three at once, two of an organization. */
export function startRunner(parts: RunnerParts): Runner {
  const runner = new JobRunner(parts);
  runner.poll();
  return runner;
}

class JobRunner implements Runner {
  readonly #parts: RunnerParts;
  readonly #crew: Crew;
  /** Work that the stop waits for. */
  readonly #works = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #isPolling = false;
  #pollAgain = false;
  /** Whether the last poll failed. */
  #isAway = false;
  #forgottenAt = 0;

  constructor(parts: RunnerParts) {
    const { clock, most = 3, mostOfOne = 2 } = parts;
    this.#parts = parts;
    this.#crew = createCrew(clock, most, mostOfOne);
  }

  kick(organizationId: string): void {
    if (!this.#isOver) this.#follow(this.#visit(organizationId, undefined));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#crew.handBack();
    const patience = sleep(patienceMs, undefined, { ref: false });
    await Promise.race([this.#untilQuiet(), patience]);
  }

  /** Polls for due organizations. One poll at a time; a request during a poll causes another one. */
  poll(): void {
    if (this.#isOver) return;
    this.#pollAgain = this.#isPolling;
    if (this.#isPolling) return;
    this.#isPolling = true;
    clearTimeout(this.#timer);
    const round = this.#round().catch((error: unknown) => {
      if (!this.#isAway && !this.#isOver)
        this.#parts.log.warn({ error }, 'What jobs are due could not be asked; this goes on');
      this.#isAway = true;
    });
    this.#follow(
      round.then(() => {
        this.#isPolling = false;
        if (this.#isOver) return;
        const pause = this.#isAway ? pauseMs : this.#pollAgain ? 0 : everyMs;
        this.#timer = setTimeout(() => this.poll(), pause).unref();
      }),
    );
  }

  async #round(): Promise<void> {
    const { directory, clock } = this.#parts;
    if (Math.abs(clock.now() - this.#forgottenAt) > forgottenEveryMs) {
      await directory.wakeForgotten();
      this.#forgottenAt = clock.now();
    }
    const due = await directory.dueOrganizations(mostDue, this.#crew.full());
    this.#isAway = false;
    const room = this.#crew.room();
    noteWaiting(Math.max(0, due.length - room));
    if (due.length > room) this.#crew.makeRoom(due.length - room);
    if (due.length === 0 || room <= 0 || this.#isOver) return;
    for (const taken of await directory.takeDue(due.slice(0, room)))
      this.#follow(this.#visit(taken.organizationId, taken));
  }

  /** Checks an organization's jobs and starts those that are due. */
  async #visit(id: string, taken: TakenOrganization | undefined): Promise<void> {
    const { clock, log } = this.#parts;
    const { room, release } = this.#crew.reserve(id);
    try {
      const begin = (found: Found) => this.#begin(id, found);
      const next = room > 0 && !this.#isOver ? await look(this.#parts, id, room, begin) : clock.now();
      await this.#settle(taken, next);
      // A started job may have ended before anyone could ask for the rest.
      if (room > 0 && next <= clock.now()) this.poll();
    } catch (error) {
      log.warn({ organization: id, error }, 'The jobs of an organization could not be looked at; this is tried again');
      await this.#settle(taken, clock.now() + troubledMs);
    } finally {
      release();
    }
  }

  /** Runs a job to its end, after which there is room for others. */
  #begin(id: string, { kind, held, ...place }: Found): void {
    const { directory, clock, log } = this.#parts;
    const job = attempt({ ...place, clock, log }, kind, held);
    this.#crew.add(id, job);
    if (this.#isOver) job.handBack();
    const over = async () => {
      const next = await job.ended;
      this.#crew.remove(id, job);
      // If this fails, or the job was lost, the organization is checked when the lease expires.
      if (next !== undefined) await directory.wake(id, next).catch(() => {});
      this.poll();
    };
    this.#follow(over());
  }

  async #settle(taken: TakenOrganization | undefined, next: number): Promise<void> {
    // If this fails, it is checked again soon.
    if (taken) await this.#parts.directory.settleDue(taken, next).catch(() => {});
  }

  #follow(work: Promise<unknown>): void {
    const followed = work.finally(() => this.#works.delete(followed));
    this.#works.add(followed);
  }

  async #untilQuiet(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works);
  }
}
