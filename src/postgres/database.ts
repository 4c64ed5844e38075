/**
 * One PostgreSQL cluster as the rest of Kith sees it. Every value comes back as the wire's text.
 * Reads are pipelined on a few shared clients, writes of one statement on others; transactions, cursors and long statements have a
 * plain client to themselves (why: docs/decisions/0003-connections.md).
 */
import type { TakeRows } from './copy.ts';
import type { Statement } from './sql.ts';

/** A value as PostgreSQL prints it; booleans are `t` and `f`, timestamps UTC. */
export type Cell = string | null;
export type Row = readonly Cell[];

export interface Rows {
  readonly rows: readonly Row[];
  /** Rows returned or changed. */
  readonly count: number;
}

/** Where statements can be sent: a database, or a transaction of it. */
export interface Queryable {
  /** Sends one statement on a plain client; it commits by itself unless this is a transaction. */
  run(statement: Statement): Promise<Rows>;
}

export interface Transaction extends Queryable {
  /** Runs several statements separated by semicolons, without parameters: DDL. */
  script(text: string): Promise<void>;
  /** Runs `copy … to stdout`, in text form; the number of rows. When `take` throws, the connection is cut. */
  copyOut(text: string, take: TakeRows): Promise<number>;
  /** Runs `copy … from stdin` with the rows that `feed` writes; their number. */
  copyIn(text: string, feed: (write: TakeRows) => Promise<void>): Promise<number>;
}

/** The longest that a request and each of its statements may take, in milliseconds, by what it costs; what takes longer is UNAVAILABLE. */
export const statementLimits = { global: 10_000, expensive: 60_000, long: 300_000, bulk: 300_000 } as const;

/**
 * `affinity` names the organization: it goes to the same connections each time, where its plans are, and never has all of
 * them. `limitMs` is how long each statement may take: a minute unless told, Infinity where that is for its data to say.
 * When `signal` is aborted, the statement at hand is cancelled, what would follow is not begun, and its reason is thrown;
 * what was committed stays.
 */
export interface Database {
  readonly engine: 'postgresql' | 'citus';
  readonly serverVersion: number;
  /** Sends read-only statements at once on one pipelined client. Each is its own snapshot. None is cancelled: others are on their way behind it. */
  read(affinity: string, statements: readonly Statement[], signal?: AbortSignal): Promise<readonly Rows[]>;
  /**
   * One data-modifying statement, committed by itself, on a client that writes of others share. It takes its locks in the order of
   * ids, and is sent on once: whoever holds a transaction open must not wait for it.
   */
  write(affinity: string, statement: Statement, limitMs?: number, signal?: AbortSignal): Promise<Rows>;
  /** One statement on a plain client, committed by itself. */
  run(affinity: string, statement: Statement, limitMs?: number, signal?: AbortSignal): Promise<Rows>;
  /** Commits when `body` resolves, rolls back when it throws. Deadlocks and serialization failures are retried, at most three times. */
  transaction<T>(
    affinity: string,
    body: (tx: Transaction) => Promise<T>,
    limitMs?: number,
    signal?: AbortSignal,
  ): Promise<T>;
  /** The rows of one read-only statement, at most `batch` at a time, fewer where they are large, without holding them all. */
  stream(
    affinity: string,
    statement: Statement,
    batch: number,
    limitMs?: number,
    signal?: AbortSignal,
  ): AsyncIterable<readonly Row[]>;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
