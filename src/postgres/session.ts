/**
 * One connection to PostgreSQL: its settings, its statements, and its health. A session that lost its connection or
 * met a stale plan is unusable for good; its holder opens another.
 */
import { Client, DatabaseError } from 'pg';
import type { ClientConfig } from 'pg';
import { messageOf } from '../lib/thrown.ts';
import { ownNow } from '../lib/own-time.ts';
import { areLong, encodeLong, mostValues, type EncodedValues } from './bind.ts';
import { requestCancel } from './cancel.ts';
import { copyIn, copyOut, type Copy, type TakeRows } from './copy.ts';
import type { Rows } from './database.ts';
import { ConnectionLost, endsConnection, isStalePlan, NoAnswer } from './failure.ts';
import { Prepared } from './prepared.ts';
import { RowQuery, type PartConsumer, type Sending } from './row-query.ts';
import type { Statement } from './sql.ts';

/** A server's address; `host` may be the directory of its Unix socket. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** A `postgres://` URL or its parts. */
export type Connection = string | ServerAddress;

export interface SessionKind {
  /** Pipelined sessions answer statements in order, sent without waiting in between. */
  readonly pipelined: false | 'reads' | 'writes';
  readonly statementTimeoutMs: number;
}

const connectTimeoutMs = 2_000;
/** The driver's message for a timeout. */
const driversTimeout = 'timeout expired';
const closeTimeoutMs = 2_000;

const settings = [
  'client_encoding=UTF8',
  'TimeZone=UTC',
  'DateStyle=ISO,MDY',
  'bytea_output=hex',
  'standard_conforming_strings=on',
  'idle_in_transaction_session_timeout=60s',
  // JIT: unevaluated counts, or many links, make plans look expensive, and compiling takes longer than running them.
  'jit=off',
];
const settingsOf = {
  plain: [],
  reads: ['default_transaction_read_only=on', 'max_parallel_workers_per_gather=0'],
  // A statement waiting for a lock blocks those behind it. Statements are built from shapes, so each has one plan.
  writes: ['lock_timeout=50ms', 'plan_cache_mode=force_generic_plan', 'max_parallel_workers_per_gather=0'],
} as const;

/**
 * Connects within two seconds or throws the driver's error; `NoAnswer` where the server accepts the connection and
 * stays silent.
 */
export async function openSession(connection: Connection, kind: SessionKind): Promise<Session> {
  const client = new Client(clientConfig(connection, kind));
  const session = new Session(client, kind);
  let isTaken = false;
  client.connection.once('connect', () => (isTaken = true));
  try {
    await client.connect();
    return session;
  } catch (error) {
    session.destroy(); // the driver leaves it open when it refuses the server's answer
    throw isTaken && messageOf(error) === driversTimeout ? new NoAnswer(error) : error;
  }
}

function clientConfig(connection: Connection, kind: SessionKind): ClientConfig {
  const own = [...settings, ...settingsOf[kind.pipelined || 'plain']].map((setting) => `-c ${setting}`).join(' ');
  const shared = {
    pipeline: kind.pipelined !== false,
    statement_timeout: kind.statementTimeoutMs,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'kith',
    keepAlive: true,
  };
  if (typeof connection !== 'string') return { ...shared, ...connection, ssl: false, options: own };
  // The driver lets options in the URL replace those given beside it, so they are moved out of the URL.
  const inUrl = /[?&]options=([^&]*)/.exec(connection)?.[1] ?? '';
  const connectionString = connection.replace(/([?&])options=[^&]*/, '$1');
  return { ...shared, connectionString, options: `${decodeURIComponent(inUrl.replaceAll('+', ' '))} ${own}`.trim() };
}

/**
 * A connection with its prepared statements. It sends without waiting for earlier answers, and cancels what exceeds
 * its limit.
 */
export class Session {
  readonly openedAt = performance.now();
  readonly kind: SessionKind;
  readonly #client: Client;
  readonly #prepared = new Prepared();
  #usable = true;
  #limitMs: number;
  #inFlight = 0;
  #lastProgress = 0;
  #canceling: Promise<void> | undefined;

  constructor(client: Client, kind: SessionKind) {
    this.#client = client;
    this.kind = kind;
    this.#limitMs = kind.statementTimeoutMs;
    // An 'error' event without a listener would end the process.
    client.on('error', () => this.retire());
    client.on('end', () => {
      this.retire();
      this.#prepared.clear();
    });
  }

  get usable(): boolean {
    return this.#usable;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** The current time limit of statements. */
  get limitMs(): number {
    return this.#limitMs;
  }

  /**
   * Milliseconds, in this process's own time, since PostgreSQL last answered while answers are pending; otherwise 0.
   */
  get waitingMs(): number {
    return this.#inFlight === 0 ? 0 : ownNow() - this.#lastProgress;
  }

  /** Whether its backend has grown so much that it should be replaced soon. */
  get worn(): boolean {
    return this.#prepared.isWorn;
  }

  get inTransaction(): boolean {
    return this.#client.getTransactionStatus() !== 'I';
  }

  /** Sends a statement. Throws ConnectionLost, PostgreSQL's error, or the reason of `signal` if nothing was sent. */
  async query(statement: Statement, signal?: AbortSignal): Promise<Rows> {
    const [rows] = await this.batch([statement], signal);
    return rows ?? { rows: [], count: 0 };
  }

  /** Sends a statement whose rows are taken in parts; resolves with the remaining ones. Throws as `query`. */
  async queryInParts(statement: Statement, parts: PartConsumer): Promise<Rows> {
    const [rows] = await this.#send([statement], { parts });
    return rows ?? { rows: [], count: 0 };
  }

  /** Sets the time limit of later statements, Infinity for none; call it outside transactions. Sends only changes. */
  async limit(limitMs: number): Promise<void> {
    if (limitMs === this.#limitMs) return;
    await this.script(`set statement_timeout = ${limitMs === Infinity ? 0 : Math.trunc(limitMs)}`);
    this.#limitMs = limitMs;
  }

  /**
   * Sends statements together, in one packet where they fit; throws the first failure, after which none is executed.
   */
  batch(statements: readonly Statement[], signal?: AbortSignal): Promise<readonly Rows[]> {
    return statements.some(({ values }) => areLong(values))
      ? this.#longBatch(statements, signal)
      : this.#send(statements);
  }

  async #longBatch(statements: readonly Statement[], signal?: AbortSignal): Promise<readonly Rows[]> {
    const encoded: (EncodedValues | undefined)[] = [];
    for (const { values } of statements) encoded.push(areLong(values) ? await encodeLong(values, signal) : undefined);
    return this.#send(statements, { encoded });
  }

  #send(statements: readonly Statement[], sending: Sending = {}): Promise<readonly Rows[]> {
    // Checked first: failing while the message is written would leave the connection waiting for half of one.
    if (statements.some(({ values }) => values.length > mostValues)) {
      return Promise.reject(new RangeError('A statement has too many values'));
    }
    const sent = statements.map((statement) => this.#prepared.admit(statement));
    const query = new RowQuery(sent, { ...sending, forgotten: this.#prepared.surplus() });
    return this.#answer(() => this.#client.query(query).answer);
  }

  /** Runs statements without values, separated by semicolons. Resolves with the last command tag. */
  async script(text: string): Promise<string> {
    const results: unknown = await this.#answer(() => this.#client.query(text));
    const last: unknown = Array.isArray(results) ? results.at(-1) : results;
    return typeof last === 'object' && last !== null && 'command' in last ? String(last.command) : '';
  }

  /**
   * Cancels the running statement, if any. The next one is sent only after the request has arrived, so that it cannot
   * be hit instead.
   */
  cancel(): void {
    if (this.#inFlight === 0) return;
    this.#canceling ??= requestCancel(this.#client)
      .catch(() => this.destroy())
      .finally(() => (this.#canceling = undefined));
  }

  /** Runs `copy … to stdout` in text form; returns the number of rows. When `take` throws, the connection is cut. */
  async copyOut(text: string, take: TakeRows): Promise<number> {
    const guarded: TakeRows = (rows) =>
      take(rows).catch((error: unknown) => {
        this.destroy();
        throw error;
      });
    return this.#copy(copyOut(text, guarded));
  }

  /** Runs `copy … from stdin` with the rows that `feed` writes; returns their number. */
  async copyIn(text: string, feed: (write: TakeRows) => Promise<void>): Promise<number> {
    return this.#copy(copyIn(text, feed));
  }

  #copy(copy: Copy): Promise<number> {
    return this.#answer(() => this.#client.query(copy).rows);
  }

  async #answer<T>(send: () => Promise<T>): Promise<T> {
    if (this.#canceling) await this.#canceling;
    if (this.#inFlight++ === 0) this.#lastProgress = ownNow();
    try {
      return await send();
    } catch (error) {
      throw this.#judge(error);
    } finally {
      this.#inFlight--;
      this.#lastProgress = ownNow();
    }
  }

  #judge(error: unknown): unknown {
    const lost = endsConnection(error) || (!this.#usable && !(error instanceof DatabaseError));
    if (lost || isStalePlan(error)) this.retire();
    return lost ? new ConnectionLost(error) : error;
  }

  /** Accepts no more statements; those in flight are still answered. */
  retire(): void {
    this.#usable = false;
  }

  /** Ends the connection after what a pipelined session has in flight; cuts it when that takes too long. */
  async close(limitMs = closeTimeoutMs): Promise<void> {
    this.retire();
    const cut = setTimeout(() => this.destroy(), limitMs);
    await this.#client.end().finally(() => clearTimeout(cut));
  }

  /** Cuts the connection: everything in flight fails with ConnectionLost. */
  destroy(): void {
    this.retire();
    this.#client.connection.stream.destroy();
  }
}
