/**
 * Carries out jobs in this process, of whatever organization is due: a few at a time, organizations in turn. Any number of
 * processes do so beside each other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Directory } from '../directory/directory.ts';
import type { Taken } from '../directory/due.ts';
import type { Log } from '../lib/log.ts';
import { attempt } from './attempt.ts';
import { noteWaiting } from './counts.ts';
import { createCrew, type Crew } from './crew.ts';
import { look, type Found, type LookParts } from './look.ts';

export interface RunnerParts extends LookParts {
  readonly directory: LookParts['directory'] &
    Pick<Directory, 'dueOrganizations' | 'takeDue' | 'settleDue' | 'wake' | 'announce' | 'wakeForgotten'>;
  readonly log: Pick<Log, 'warn'>;
  /** Jobs at a time, of all organizations and of one: 3 and 2 unless told, so that requests keep connections. */
  readonly most?: number;
  readonly mostOfOne?: number;
}

export interface Runner {
  /** Looks at the organization's jobs at once, without waiting for the next round. */
  kick(organizationId: string): void;
  /** Begins nothing any more, and resolves when each job at hand came to its next step and was handed back, or takes too long. */
  stop(): Promise<void>;
}

/** Between two questions which organizations are due; so long a job of another process waits at most. */
const everyMs = 80;
/** After a question that failed. */
const pauseMs = 2_000;
const forgottenEveryMs = 600_000;
/** When to look again at an organization that could not be looked at. */
const troubledMs = 10_000;
/** How long the stop waits for a step to end; what takes longer is another worker's when its lease is over. */
const patienceMs = 8_000;
/** Organizations that one question brings. */
const mostDue = 32;

/** Looks for jobs and carries them out from now on, at most three at once and two of an organization unless told. */
export function startRunner(parts: RunnerParts): Runner {
  const { clock, most = 3, mostOfOne = 2 } = parts;
  const crew = createCrew(clock, most, mostOfOne);
  const works = new Set<Promise<unknown>>();
  /** Work that the stop waits for. */
  const go = (work: Promise<unknown>) => {
    const going = work.finally(() => works.delete(going));
    works.add(going);
  };
  const visits = createVisits(parts, crew, go, () => questions.ask());
  const questions = createQuestions(parts, crew, go, (taken) => go(visits.visit(taken.organizationId, taken)));
  questions.ask();
  const untilQuiet = async () => {
    while (works.size > 0) await Promise.all(works);
  };
  return {
    kick: (organizationId) => visits.isOver() || go(visits.visit(organizationId, undefined)),
    async stop() {
      questions.stop();
      visits.stop();
      const patience = sleep(patienceMs, undefined, { ref: false });
      await Promise.race([untilQuiet(), patience]);
    },
  };
}

/** Asks, again and again, who is due. One question at a time; asked for meanwhile, it is asked once more. */
function createQuestions(
  { directory, clock, log }: RunnerParts,
  crew: Crew,
  go: (work: Promise<unknown>) => void,
  visit: (taken: Taken) => void,
) {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let isAsking = false;
  let askAgain = false;
  let isAway = false;
  let forgottenAt = 0;

  async function round(): Promise<void> {
    if (Math.abs(clock.now() - forgottenAt) > forgottenEveryMs) {
      await directory.wakeForgotten();
      forgottenAt = clock.now();
    }
    const due = await directory.dueOrganizations(mostDue, crew.full());
    isAway = false;
    const room = crew.room();
    noteWaiting(Math.max(0, due.length - room));
    if (due.length > room) crew.makeRoom(due.length - room);
    if (due.length === 0 || room <= 0 || isOver) return;
    for (const taken of await directory.takeDue(due.slice(0, room))) visit(taken);
  }

  function ask(): void {
    if (isOver) return;
    askAgain = isAsking;
    if (isAsking) return;
    isAsking = true;
    clearTimeout(timer);
    const asked = round().catch((error: unknown) => {
      if (!isAway && !isOver) log.warn({ error }, 'What jobs are due could not be asked; this goes on');
      isAway = true;
    });
    go(
      asked.then(() => {
        isAsking = false;
        if (!isOver) timer = setTimeout(ask, isAway ? pauseMs : askAgain ? 0 : everyMs).unref();
      }),
    );
  }

  return {
    ask,
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** Looks at organizations, and follows what is begun there to its end, which makes room for others: `askAgain` is called. */
function createVisits(parts: RunnerParts, crew: Crew, go: (work: Promise<unknown>) => void, askAgain: () => void) {
  const { directory, clock, log } = parts;
  let isOver = false;

  function begin(id: string, { kind, held, ...place }: Found): void {
    const job = attempt({ ...place, clock, log }, kind, held);
    crew.add(id, job);
    if (isOver) job.handBack();
    const over = async () => {
      const next = await job.ended;
      crew.remove(id, job);
      // Where it fails, and where it was lost, the organization is looked at when the lease is over.
      if (next !== undefined) await directory.wake(id, next).catch(() => {});
      askAgain();
    };
    go(over());
  }

  async function settle(taken: Taken | undefined, next: number): Promise<void> {
    // Where this fails, it is looked at again soon.
    if (taken) await directory.settleDue(taken, next).catch(() => {});
  }

  return {
    isOver: () => isOver,
    async visit(id: string, taken: Taken | undefined): Promise<void> {
      const { room, release } = crew.reserve(id);
      try {
        const next = room > 0 && !isOver ? await look(parts, id, room, (found) => begin(id, found)) : clock.now();
        await settle(taken, next);
        // What was begun may have ended before anybody could ask for the rest.
        if (room > 0 && next <= clock.now()) askAgain();
      } catch (error) {
        const message = 'The jobs of an organization could not be looked at; this is tried again';
        log.warn({ organization: id, error }, message);
        await settle(taken, clock.now() + troubledMs);
      } finally {
        release();
      }
    },
    stop() {
      isOver = true;
      crew.handBack();
    },
  };
}
