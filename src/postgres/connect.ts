/**
 * Creates a Database for a PostgreSQL server: reads and short writes on pipelined clients, everything else on plain
 * ones.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '../errors.ts';
import { orAborted } from '../lib/or-aborted.ts';
import { onCitus, refuseUnfit } from './citus.ts';
import { connector } from './connector.ts';
import { statementLimits, type Database, type Row, type Rows, type Transaction } from './database.ts';
import {
  ConnectionLost,
  connectReason,
  isConflict,
  isNoAnswer,
  isStalePlan,
  toCaller,
  unavailable,
} from './failure.ts';
import type { Log } from './log.ts';
import { pipelinedClients } from './pipelined-clients.ts';
import { pipelinedWrites } from './pipelined-writes.ts';
import { plainPool } from './plain-pool.ts';
import type { PlainPool } from './plain-pool.ts';
import type { Connection, Session } from './session.ts';
import { sql, statement } from './sql.ts';
import type { Statement } from './sql.ts';
import { cursorRows, endCursor } from './stream.ts';
import { attempt } from './transaction.ts';

export interface DatabaseOptions {
  readonly connection: Connection;
  readonly log: Log;
  /** Processes with these options, which share the server's connections. Defaults to 1. */
  readonly processes?: number;
  /** Clients for reads; defaults to 4, or fewer with many processes. */
  readonly pipelinedClients?: number;
  /**
   * Clients for single-statement writes, which use plain clients where there are none; defaults to 4, or fewer with
   * many processes.
   */
  readonly writingClients?: number;
  /** Most clients for writes, transactions and streams; defaults to 6, or fewer with many processes. */
  readonly plainClients?: number;
  /** Time limit of a statement of `read`; defaults to 10 seconds. */
  readonly readTimeoutMs?: number;
  /** Time limit of other statements without their own; defaults to 60 seconds. */
  readonly statementTimeoutMs?: number;
}

const oldestVersion = 150_000;
const pingMs = 2_000;
/** Clients of all processes together: by default a server allows a hundred, and others need some. */
const clientsInAll = 80;
/** For any number of processes: one stays free when an organization is slow. */
const fewestPipelined = 2;
/** For any number of processes: an organization may hold two, and another gets the third. */
const fewestPlain = 3;
const conflictRetries = 3;

/**
 * Connects and checks the server; throws UNAVAILABLE with the reason, or NOT_SUPPORTED for one that is too old or
 * misconfigured.
 */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const { connection, log } = options;
  const sessions = connector(connection, log);
  const clients = { ...clientCounts(options.processes ?? 1), ...options };
  const defaultLimitMs = options.statementTimeoutMs ?? statementLimits.expensive;
  // The usual settings are set on connecting, so that most requests need not send them.
  const plain = { pipelined: false, statementTimeoutMs: statementLimits.global } as const;
  const reads = { pipelined: 'reads', statementTimeoutMs: options.readTimeoutMs ?? statementLimits.global } as const;
  const writes = { pipelined: 'writes', statementTimeoutMs: statementLimits.global } as const;
  const pool = plainPool(() => sessions.open(plain), clients.plainClients);
  const server = await inspect(pool).catch(async (error: unknown) => {
    sessions.close();
    await pool.close();
    throw error;
  });
  const readers = pipelinedClients(() => sessions.open(reads), clients.pipelinedClients);
  const writers = pipelinedWrites(() => sessions.open(writes), clients.writingClients);
  return {
    ...server,
    read: (affinity, statements, signal) => orAborted(readers.read(affinity, statements, signal), signal),
    async write(affinity, wanted, limitMs = defaultLimitMs, signal) {
      const isShort = limitMs === writes.statementTimeoutMs && clients.writingClients > 0;
      const rows = isShort ? await writers.write(affinity, wanted, signal) : undefined;
      return rows ?? run(pool, affinity, wanted, limitMs, signal);
    },
    run: (affinity, wanted, limitMs = defaultLimitMs, signal) => run(pool, affinity, wanted, limitMs, signal),
    transaction: (affinity, body, limitMs = defaultLimitMs, signal) =>
      transaction(pool, affinity, server.engine === 'citus' ? (tx) => body(onCitus(tx)) : body, limitMs, signal),
    stream: (affinity, wanted, batch, limitMs = defaultLimitMs, signal) =>
      stream(pool, affinity, wanted, batch, limitMs, signal),
    ping: () => withinPing(readers.read('ping', [statement(sql`select 1`)])),
    async close() {
      sessions.close();
      await Promise.all([readers.close(), writers.close(), pool.close()]);
    },
  };
}

function clientCounts(
  processes: number,
): Required<Pick<DatabaseOptions, 'pipelinedClients' | 'writingClients' | 'plainClients'>> {
  const clients = Math.floor(clientsInAll / processes);
  const share = (of: number, most: number) => Math.min(most, Math.floor(clients * of));
  const pipelinedClients = Math.max(fewestPipelined, share(0.3, 4));
  const writingClients = clients > fewestPipelined + fewestPlain ? Math.max(1, share(0.25, 4)) : 0;
  const plainClients = Math.min(6, clients - pipelinedClients - writingClients);
  return { pipelinedClients, writingClients, plainClients: Math.max(fewestPlain, plainClients) };
}

async function inspect(pool: PlainPool): Promise<Pick<Database, 'engine' | 'serverVersion'>> {
  const question = sql`select current_setting('server_version_num'), current_setting('server_version'),
    exists (select from pg_extension where extname = 'citus')`;
  const { rows } = await run(pool, '', statement(question), statementLimits.global).catch((error: unknown) => {
    if (isNoAnswer(error)) throw unavailable('PostgreSQL accepts connections but does not answer', error);
    throw unavailable(`PostgreSQL cannot be reached: ${connectReason(error)}`, error);
  });
  const [number, version, citus] = rows[0] ?? [];
  const serverVersion = Number(number);
  if (!(serverVersion >= oldestVersion)) {
    throw errors.notSupported(
      `Kith needs PostgreSQL 15 or later; this server is ${version ?? 'of an unknown version'}`,
    );
  }
  if (citus !== 't') return { serverVersion, engine: 'postgresql' };
  await refuseUnfit((query) => run(pool, '', query, statementLimits.global));
  return { serverVersion, engine: 'citus' };
}

/** After a stale plan or a conflict nothing was done, so even a write may be repeated. */
async function run(
  pool: PlainPool,
  affinity: string,
  wanted: Statement,
  limitMs: number,
  signal?: AbortSignal,
): Promise<Rows> {
  let stalePlans = 0;
  let conflicts = 0;
  for (;;) {
    try {
      return await leased(pool, affinity, signal, (session) => runOne(session, wanted, limitMs, signal));
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const again = isStalePlan(error) ? stalePlans++ < 1 : isConflict(error) && conflicts++ < conflictRetries;
      if (!again) throw toCaller(error);
      if (conflicts > 0) await jitter();
    }
  }
}

async function runOne(
  session: Session,
  wanted: Statement,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<Rows> {
  await session.limit(limitMs);
  signal?.throwIfAborted();
  const cancel = () => session.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await session.query(wanted, signal);
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

async function transaction<T>(
  pool: PlainPool,
  affinity: string,
  body: (tx: Transaction) => Promise<T>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<T> {
  for (let retries = 0; ; retries++) {
    const outcome = await leased(pool, affinity, signal, (session) => attempt(session, body, limitMs, signal)).catch(
      (error: unknown) => {
        // `begin` was sent on a connection that had died unnoticed: nothing was done yet.
        if (error instanceof ConnectionLost && retries === 0) return undefined;
        throw toCaller(error);
      },
    );
    if (outcome?.done) return outcome.value;
    if (outcome && (!outcome.repeatable || retries >= conflictRetries)) throw toCaller(outcome.error);
    if (outcome) await jitter();
  }
}

async function* stream(
  pool: PlainPool,
  affinity: string,
  wanted: Statement,
  batch: number,
  limitMs: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly Row[], void, undefined> {
  const { session, release } = await pool.take(affinity);
  let freed: Promise<void> | undefined;
  const free = () => (freed ??= endCursor(session).finally(release));
  // At once: the consumer may never ask for more rows.
  const stop = () => {
    session.cancel();
    void free();
  };
  signal?.addEventListener('abort', stop, { once: true });
  try {
    yield* cursorRows(session, wanted, batch, limitMs, signal);
  } catch (error) {
    throw signal?.aborted ? signal.reason : toCaller(error);
  } finally {
    signal?.removeEventListener('abort', stop);
    await free();
  }
}

async function leased<T>(
  pool: PlainPool,
  affinity: string,
  signal: AbortSignal | undefined,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const lease = await pool.take(affinity);
  try {
    signal?.throwIfAborted();
    return await work(lease.session);
  } finally {
    lease.release();
  }
}

/** Up to 50 ms, so that deadlocked transactions do not collide again. */
function jitter(): Promise<void> {
  return sleep(5 + Math.random() * 45);
}

async function withinPing(answer: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(errors.unavailable(new Error('No answer within two seconds'))), pingMs);
  await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
