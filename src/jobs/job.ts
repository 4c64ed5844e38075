/** The types of a job, for those that request one and for its handler. */
import type { Static, TSchema } from 'typebox';
import type { Organization } from '../directory/directory.ts';
import type { Json } from '../lib/json.ts';
import type { Database, Queryable, Transaction } from '../postgres/database.ts';

/** The user a job runs as, with the token used, if any. */
export interface InNameOf {
  readonly workspaceUserId: string;
  readonly tokenId: string | null;
}

/** The handler's view of a job. */
export interface Job<Input> {
  readonly id: string;
  readonly organization: Organization;
  readonly database: Database;
  readonly input: Input;
  /** Progress of the last checkpoint; null before the first. */
  readonly progress: Json;
  /** Null for a job of the service itself. A handler that acts for a user loads the user's current rights. */
  readonly inNameOf: InNameOf | null;
  /**
   * One step: the writes of `body` and the returned progress are committed together, or not at all when another
   * worker has the job by now. When the service stops, the attempt ends after the step, and another worker continues.
   */
  step(body: (tx: Transaction) => Promise<Json>): Promise<void>;
  /** A checkpoint inside the handler's own transaction; must be its last statement. */
  checkpoint(tx: Queryable, progress: Json): Promise<void>;
  /**
   * Runs work that waits for something other than the database, without taking a slot from other jobs: the kind
   * limits how many do so.
   */
  aside<T>(work: () => Promise<T>): Promise<T>;
}

/** A kind of job. It runs at least once: killed after its last checkpoint, it starts again with that progress. */
export interface JobKind {
  readonly kind: string;
  readonly input: TSchema;
  /** Attempts without progress before it fails. */
  readonly attempts: number;
  /** Set for a standing job of every organization: the pause after a failure before it runs again. */
  readonly againMs: number | undefined;
  /**
   * Runs the job; returns when to run again, in milliseconds, or undefined when it is done. `signal` is aborted when
   * the worker has to leave it.
   */
  run(job: Job<unknown>, signal: AbortSignal): Promise<number | undefined>;
}

interface JobDefinition<Schema extends TSchema> {
  readonly kind: string;
  readonly input: Schema;
  readonly attempts?: number;
  readonly againMs?: number;
  run(job: Job<Static<Schema>>, signal: AbortSignal): Promise<number | void>;
}

const defaultAttempts = 10;

/** Defines a kind of job; by default with ten attempts. */
export function defineJob<Schema extends TSchema>(definition: JobDefinition<Schema>): JobKind {
  const { kind, input, attempts = defaultAttempts, againMs } = definition;
  return {
    kind,
    input,
    attempts,
    againMs,
    // The input read from the table is validated first.
    run: async (job, signal) => (await definition.run(job as Job<Static<Schema>>, signal)) ?? undefined,
  };
}

/** A request for a job. */
export interface WantedJob {
  /** Defaults to a new id. */
  readonly id?: string;
  readonly kind: string;
  /** Unfinished jobs of one kind and key are one job; if requested while it runs, it runs once more. */
  readonly key?: string;
  readonly input: Json;
  /** Milliseconds; defaults to now. */
  readonly runAt?: number;
  readonly inNameOf?: InNameOf;
}

/** Another worker has the job, or it is no longer needed: uncommitted work is rolled back. */
export class LeaseLost extends Error {}

/** The worker has to leave the job for another one to continue. */
export class HandedBack extends Error {}

/** Retrying would not help; the message says why. */
export class JobRefused extends Error {}
