/** One attempt at a job: it runs while its lease is renewed, and is ended so that nothing is lost or done twice. */
import { Compile, type Validator } from 'typebox/compile';
import type { Organization } from '../directory/directory.ts';
import type { Clock } from '../lib/clock.ts';
import { hourMs } from '../lib/durations.ts';
import type { Json } from '../lib/json.ts';
import type { Log } from '../lib/log.ts';
import { messageForLog } from '../lib/thrown.ts';
import type { Database, Queryable, Transaction } from '../postgres/database.ts';
import { countRunning, type Outcome } from './counts.ts';
import { HandedBack, JobRefused, LeaseLost, type Job, type JobKind } from './job.ts';
import { extendLease, leaseMs, leaveJob, saveProgress, type Claimed, type Ending } from './table.ts';

export interface AttemptParts {
  readonly database: Database;
  readonly organization: Organization;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

/** A job running in this process. */
export interface Running {
  /** Start, in milliseconds. */
  readonly since: number;
  /** Whether it waits for something other than the database, and so takes no slot. */
  isAside(): boolean;
  /** Ends the attempt at its next step, so that another worker continues. */
  handBack(): void;
  /** Resolves when the attempt has ended, to the time (milliseconds) at which the job must continue; never rejects. */
  readonly ended: Promise<number | undefined>;
}

const firstPauseMs = 2_000;
const longestPauseMs = hourMs;
/** Length of an error message stored with the job. */
const mostCharacters = 1_000;

/** Starts the attempt at once. */
export function attempt(parts: AttemptParts, kind: JobKind, held: Claimed): Running {
  const leave = new AbortController();
  let aside = 0;
  const goAside: Job<unknown>['aside'] = async (work) => {
    aside++;
    try {
      return await work();
    } finally {
      aside--;
    }
  };
  return {
    since: parts.clock.now(),
    isAside: () => aside > 0,
    handBack: () => leave.abort(new HandedBack()),
    ended: carryOut(parts, kind, held, leave, goAside),
  };
}

async function carryOut(
  parts: AttemptParts,
  kind: JobKind,
  held: Claimed,
  leave: AbortController,
  aside: Job<unknown>['aside'],
): Promise<number | undefined> {
  const { database, organization, log } = parts;
  const count = countRunning(kind.kind);
  const heart = beat(parts, held, leave);
  let outcome: Outcome = 'lost';
  try {
    const ending = await endingOf(parts, kind, held, jobOf(parts, held, leave.signal, aside), leave.signal);
    if (ending === undefined) return undefined;
    const at = inside(database, organization.id);
    const next = await leaveJob(at, organization.schema, held, ending, parts.clock.now());
    if (next !== undefined) outcome = ending.state;
    return next === 'over' ? undefined : next;
  } catch (error) {
    // Another worker takes the job when the lease expires.
    log.warn({ organization: organization.id, job: kind.kind, error }, 'A job could not be left; it is taken up again');
    return undefined;
  } finally {
    clearInterval(heart);
    count(outcome);
  }
}

/** How the job ends; undefined where another worker has it. */
async function endingOf(
  parts: AttemptParts,
  kind: JobKind,
  held: Claimed,
  job: Job<unknown>,
  signal: AbortSignal,
): Promise<Ending | undefined> {
  const { clock } = parts;
  try {
    if (held.attempts > kind.attempts)
      throw new JobRefused('Each worker that began it ended before it came a step further');
    if (!validatorOf(kind).Check(held.input)) throw new JobRefused('Its input is none of this kind of job');
    const again = await kind.run(job, signal);
    return again === undefined ? { state: 'done' } : { state: 'again', at: again };
  } catch (error) {
    if (error instanceof LeaseLost || signal.reason instanceof LeaseLost) return undefined;
    if (signal.aborted) return { state: 'handed back' };
    return endingAfter(error, parts, kind, held, clock.now());
  }
}

function endingAfter(error: unknown, parts: AttemptParts, kind: JobKind, held: Claimed, now: number): Ending {
  const message = (error instanceof JobRefused ? error.message : messageForLog(error)).slice(0, mostCharacters);
  const isLast = error instanceof JobRefused || held.attempts >= kind.attempts;
  const fields = { organization: parts.organization.id, job: kind.kind, id: held.id, attempt: held.attempts, error };
  parts.log.warn(fields, isLast ? 'A job failed' : 'A job failed; it is tried again');
  if (!isLast) return { state: 'retried', at: now + pauseAfter(held.attempts), error: message };
  if (kind.againMs !== undefined) return { state: 'again', at: now + kind.againMs, error: message };
  return { state: 'failed', error: message };
}

/** Doubles with each attempt, with jitter so that jobs do not retry together. */
function pauseAfter(attempts: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2);
}

function jobOf(
  { database, organization, clock }: AttemptParts,
  held: Claimed,
  signal: AbortSignal,
  aside: Job<unknown>['aside'],
): Job<unknown> {
  const checkpoint = async (tx: Queryable, progress: Json) => {
    if (!(await saveProgress(tx, organization.schema, held, progress, clock.now()))) throw new LeaseLost();
  };
  return {
    id: held.id,
    organization,
    database,
    input: held.input,
    progress: held.progress,
    inNameOf: held.inNameOf,
    checkpoint,
    aside,
    async step(body) {
      await database.transaction(organization.id, async (tx) => checkpoint(tx, await body(tx)));
      signal.throwIfAborted();
    },
  };
}

/** Renews the lease during the attempt; a lost lease aborts it. */
function beat({ database, organization, clock }: AttemptParts, held: Claimed, leave: AbortController): NodeJS.Timeout {
  const renew = async () => {
    const isHeld = await extendLease(inside(database, organization.id), organization.schema, held, clock.now());
    if (!isHeld) leave.abort(new LeaseLost());
  };
  // The work itself notices an unreachable database.
  return setInterval(() => void renew().catch(() => {}), leaseMs / 3).unref();
}

function inside(database: Database, affinity: string): Pick<Transaction, 'run'> {
  return { run: (query) => database.run(affinity, query) };
}

const validators = new WeakMap<JobKind, Validator>();

function validatorOf(kind: JobKind): Validator {
  let validator = validators.get(kind);
  if (!validator) validators.set(kind, (validator = Compile(kind.input)));
  return validator;
}
