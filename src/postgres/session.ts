/**
 * One connection to PostgreSQL: its settings, its statements, and what is known of its health. A session that lost its
 * connection or met a stale plan becomes unusable for good; who holds it opens another.
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
import { RowQuery, type Parts, type Sending } from './row-query.ts';
import type { Statement } from './sql.ts';

/** Where a server listens; `host` may be the directory of its Unix socket. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** A `postgres://` URL or the parts of one. */
export type Connection = string | ServerAddress;

export interface SessionKind {
  /** Pipelined sessions answer statements in the order they were sent, without waiting in between. */
  readonly pipelined: false | 'reads' | 'writes';
  readonly statementTimeoutMs: number;
}

const connectTimeoutMs = 2_000;
/** How the driver says that they are over. */
const driversTimeout = 'timeout expired';
const closeTimeoutMs = 2_000;

const settings = [
  'client_encoding=UTF8',
  'TimeZone=UTC',
  'DateStyle=ISO,MDY',
  'bytea_output=hex',
  'standard_conforming_strings=on',
  'idle_in_transaction_session_timeout=60s',
  // Counts that are not evaluated, or many links, make plans look dear; to compile those takes longer than to run them.
  'jit=off',
];
const settingsOf = {
  plain: [],
  reads: ['default_transaction_read_only=on', 'max_parallel_workers_per_gather=0'],
  // Who waits for a lock holds up all behind it. Statements are made of forms: each has one plan.
  writes: ['lock_timeout=50ms', 'plan_cache_mode=force_generic_plan', 'max_parallel_workers_per_gather=0'],
} as const;

/** Connects within two seconds or throws what the driver threw; `NoAnswer` where the server took the connection and said nothing. */
export async function openSession(connection: Connection, kind: SessionKind): Promise<Session> {
  const client = new Client(clientConfig(connection, kind));
  const session = new Session(client, kind);
  let isTaken = false;
  client.connection.once('connect', () => (isTaken = true));
  try {
    await client.connect();
    return session;
  } catch (error) {
    session.destroy(); // the driver leaves it open where it refuses the server's answer itself
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
  // What the driver finds in the URL replaces what it is given beside it, so that options are moved out of the URL.
  const inUrl = /[?&]options=([^&]*)/.exec(connection)?.[1] ?? '';
  const connectionString = connection.replace(/([?&])options=[^&]*/, '$1');
  return { ...shared, connectionString, options: `${decodeURIComponent(inUrl.replaceAll('+', ' '))} ${own}`.trim() };
}

/**
 * One connection, with the statements that are prepared on it. It sends one after the other without waiting, and
 * cancels what takes too long.
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

  /** The longest a statement may take at present. */
  get limitMs(): number {
    return this.#limitMs;
  }

  /** Milliseconds since PostgreSQL last answered, while it owes an answer and this process could hear it; otherwise 0. */
  get waitingMs(): number {
    return this.#inFlight === 0 ? 0 : ownNow() - this.#lastProgress;
  }

  /** True when its backend has seen so much that it should be replaced at the next occasion. */
  get worn(): boolean {
    return this.#prepared.isWorn;
  }

  get inTransaction(): boolean {
    return this.#client.getTransactionStatus() !== 'I';
  }

  /** Sends one statement. Throws ConnectionLost, what PostgreSQL refused it with, or the reason of `signal` where nothing was sent. */
  async query(statement: Statement, signal?: AbortSignal): Promise<Rows> {
    const [rows] = await this.batch([statement], signal);
    return rows ?? { rows: [], count: 0 };
  }

  /** Sends one statement, whose rows are taken as they come; resolves with those that are left. Throws as `query`. */
  async queryInParts(statement: Statement, parts: Parts): Promise<Rows> {
    const [rows] = await this.#send([statement], { parts });
    return rows ?? { rows: [], count: 0 };
  }

  /** Gives statements so long from here on, or any time with Infinity; to be called outside of transactions. Goes to the server only for a change. */
  async limit(limitMs: number): Promise<void> {
    if (limitMs === this.#limitMs) return;
    await this.script(`set statement_timeout = ${limitMs === Infinity ? 0 : Math.trunc(limitMs)}`);
    this.#limitMs = limitMs;
  }

  /** Sends statements at once, in one packet where they fit; throws the first failure, after which no other is run. */
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
    // Found out while the message is written, it would leave the connection waiting for the answer to half of one.
    if (statements.some(({ values }) => values.length > mostValues)) {
      return Promise.reject(new RangeError('A statement has too many values'));
    }
    const sent = statements.map((statement) => this.#prepared.admit(statement));
    const query = new RowQuery(sent, { ...sending, forgotten: this.#prepared.surplus() });
    return this.#answer(() => this.#client.query(query).answer);
  }

  /** Runs statements separated by semicolons, without values. Resolves with the last one's command tag. */
  async script(text: string): Promise<string> {
    const results: unknown = await this.#answer(() => this.#client.query(text));
    const last: unknown = Array.isArray(results) ? results.at(-1) : results;
    return typeof last === 'object' && last !== null && 'command' in last ? String(last.command) : '';
  }

  /**
   * Has PostgreSQL end the statement at hand, which fails; nothing happens without one. What is sent next waits until the
   * request has arrived, so that it cannot be taken for what was meant.
   */
  cancel(): void {
    if (this.#inFlight === 0) return;
    this.#canceling ??= requestCancel(this.#client)
      .catch(() => this.destroy())
      .finally(() => (this.#canceling = undefined));
  }

  /** Runs `copy … to stdout`, in text form; the number of rows. When `take` throws, the connection is cut. */
  async copyOut(text: string, take: TakeRows): Promise<number> {
    const guarded: TakeRows = (rows) =>
      take(rows).catch((error: unknown) => {
        this.destroy();
        throw error;
      });
    return this.#copy(copyOut(text, guarded));
  }

  /** Runs `copy … from stdin` with the rows that `feed` writes; their number. */
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

  /** Takes no more statements; what is in flight is still answered. */
  retire(): void {
    this.#usable = false;
  }

  /** Ends the connection after what a pipelined session still has in flight; cuts it when that takes longer. */
  async close(limitMs = closeTimeoutMs): Promise<void> {
    this.retire();
    const cut = setTimeout(() => this.destroy(), limitMs);
    await this.#client.end().finally(() => clearTimeout(cut));
  }

  /** Cuts the connection: whatever is in flight fails with ConnectionLost. */
  destroy(): void {
    this.retire();
    this.#client.connection.stream.destroy();
  }
}
