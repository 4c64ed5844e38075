/** What a job is: to who asks for one, to who carries it out. */
import type { Static, TSchema } from 'typebox';
import type { Organization } from '../directory/directory.ts';
import type { Json } from '../lib/json.ts';
import type { Database, Queryable, Transaction } from '../postgres/database.ts';

/** In whose name a job runs: a user, by the token that was used if one was. */
export interface InNameOf {
  readonly workspaceUserId: string;
  readonly tokenId: string | null;
}

/** What a handler is given. */
export interface Job<Input> {
  readonly id: string;
  readonly organization: Organization;
  readonly database: Database;
  readonly input: Input;
  /** As the last checkpoint left it; null before the first. */
  readonly progress: Json;
  /** Null: the service's own. A handler that acts for a user loads who that is by now. */
  readonly inNameOf: InNameOf | null;
  /**
   * One step: what `body` writes and the progress that it returns are committed together, or not at all when another
   * worker has the job by now. When the service stops, nothing follows it here: another worker goes on.
   */
  step(body: (tx: Transaction) => Promise<Json>): Promise<void>;
  /** The same inside a transaction of the handler's own, as its last statement. */
  checkpoint(tx: Queryable, progress: Json): Promise<void>;
  /** Does what waits for others than the database, and takes no place from other jobs meanwhile: its kind bounds how many do so. */
  aside<T>(work: () => Promise<T>): Promise<T>;
}

/** A kind of job. It runs at least once: killed after its last checkpoint it begins once more, with that progress. */
export interface JobKind {
  readonly kind: string;
  readonly input: TSchema;
  /** How often it is tried without coming a step further. */
  readonly attempts: number;
  /** Comes again and again in every organization; this long after it has failed for good. */
  readonly againMs: number | undefined;
  /** When it is to come again, in milliseconds; undefined when it is done. `signal` is aborted when the worker has to leave it. */
  run(job: Job<unknown>, signal: AbortSignal): Promise<number | undefined>;
}

interface JobDefinition<Schema extends TSchema> {
  readonly kind: string;
  readonly input: Schema;
  readonly attempts?: number;
  readonly againMs?: number;
  run(job: Job<Static<Schema>>, signal: AbortSignal): Promise<number | void>;
}

const usualAttempts = 10;

/** A kind of job. It is tried ten times unless it says otherwise. */
export function defineJob<Schema extends TSchema>(definition: JobDefinition<Schema>): JobKind {
  const { kind, input, attempts = usualAttempts, againMs } = definition;
  return {
    kind,
    input,
    attempts,
    againMs,
    // What is read from the table is checked against the schema first.
    run: async (job, signal) => (await definition.run(job as Job<Static<Schema>>, signal)) ?? undefined,
  };
}

/** What is asked for. */
export interface WantedJob {
  /** A new one unless given. */
  readonly id?: string;
  readonly kind: string;
  /** Jobs of one kind with one key are one as long as it is not finished; asked for while it runs, it runs once more. */
  readonly key?: string;
  readonly input: Json;
  /** Milliseconds; as soon as possible unless given. */
  readonly runAt?: number;
  readonly inNameOf?: InNameOf;
}

/** Another worker has the job, or nobody needs it any more: what was not committed is rolled back. */
export class LeaseLost extends Error {}

/** The worker has to leave the job, for another to go on with it. */
export class HandedBack extends Error {}

/** No further attempt would help; its message says why. */
export class JobRefused extends Error {}
