/**
 * One PostgreSQL cluster. Every value is returned as the wire's text. Reads are pipelined on a few shared clients,
 * single-statement writes on others; transactions, cursors and long statements each get a plain client (why:
 * docs/decisions/0003-connections.md).
 */
import type { TakeRows } from './copy.ts';
import type { Statement } from './sql.ts';

/** A value as PostgreSQL prints it; booleans are `t` and `f`, timestamps UTC. */
export type Cell = string | null;
export type Row = readonly Cell[];

export interface Rows {
  readonly rows: readonly Row[];
  /** The number of rows returned or changed. */
  readonly count: number;
}

/** Executes statements: a database, or one of its transactions. */
export interface Queryable {
  /** Sends a statement on a plain client; outside a transaction it commits by itself. */
  run(statement: Statement): Promise<Rows>;
}

export interface Transaction extends Queryable {
  /** Runs several statements without parameters, separated by semicolons: DDL. */
  script(text: string): Promise<void>;
  /** Runs `copy … to stdout` in text form; returns the number of rows. When `take` throws, the connection is cut. */
  copyOut(text: string, take: TakeRows): Promise<number>;
  /** Runs `copy … from stdin` with the rows that `feed` writes; returns their number. */
  copyIn(text: string, feed: (write: TakeRows) => Promise<void>): Promise<number>;
}

/**
 * Time limits of a request and each of its statements in milliseconds, by cost; beyond them the request is
 * UNAVAILABLE.
 */
export const statementLimits = { global: 10_000, expensive: 60_000, long: 300_000, bulk: 300_000 } as const;

/**
 * `affinity` names the organization: it uses the same connections each time, which have its plans, and never all of
 * them. `limitMs` is the limit of each statement: defaults to a minute, Infinity where the data decides. When
 * `signal` is aborted, the running statement is cancelled, no other starts, and its reason is thrown; commits stay.
 */
export interface Database {
  readonly engine: 'postgresql' | 'citus';
  readonly serverVersion: number;
  /**
   * Sends read-only statements at once on one pipelined client, each with its own snapshot. They are never cancelled,
   * since others are queued behind them.
   */
  read(affinity: string, statements: readonly Statement[], signal?: AbortSignal): Promise<readonly Rows[]>;
  /**
   * Sends a data-modifying statement that commits by itself, on a shared client. It must lock in id order, and is
   * sent once; a caller with an open transaction must not wait for it.
   */
  write(affinity: string, statement: Statement, limitMs?: number, signal?: AbortSignal): Promise<Rows>;
  /** Sends a statement on a plain client; it commits by itself. */
  run(affinity: string, statement: Statement, limitMs?: number, signal?: AbortSignal): Promise<Rows>;
  /**
   * Commits when `body` resolves, rolls back when it throws. Deadlocks and serialization failures are retried up to
   * three times.
   */
  transaction<T>(
    affinity: string,
    body: (tx: Transaction) => Promise<T>,
    limitMs?: number,
    signal?: AbortSignal,
  ): Promise<T>;
  /** The rows of a read-only statement in batches of at most `batch`, fewer where they are large. */
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
