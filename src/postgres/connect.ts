/** Makes a Database of a PostgreSQL server: reads on pipelined clients, everything else on plain ones. */
import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '../errors.ts';
import { connector } from './connector.ts';
import type { Database, Row, Rows, Transaction } from './database.ts';
import { ConnectionLost, connectReason, isConflict, isStalePlan, toCaller, unavailable } from './failure.ts';
import type { Log } from './log.ts';
import { pipelinedClients } from './pipelined-clients.ts';
import { plainPool } from './plain-pool.ts';
import type { PlainPool } from './plain-pool.ts';
import type { Connection, Session } from './session.ts';
import { sql, statement } from './sql.ts';
import type { Statement } from './sql.ts';
import { cursorRows } from './stream.ts';
import { attempt } from './transaction.ts';

export interface DatabaseOptions {
  readonly connection: Connection;
  readonly log: Log;
  /** Clients shared by reads; 4 unless told. */
  readonly pipelinedClients?: number;
  /** Most clients for writes, transactions and streams; 4 unless told. */
  readonly plainClients?: number;
  /** The longest a statement of `read` may take; 10 seconds unless told. */
  readonly readTimeoutMs?: number;
  /** The longest any other statement may take; 60 seconds unless told. */
  readonly statementTimeoutMs?: number;
}

const oldestVersion = 150_000;
const pingMs = 2_000;
const conflictRetries = 3;

/** Connects and looks at the server; throws UNAVAILABLE with the reason, or NOT_SUPPORTED for a PostgreSQL older than 15. */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const { connection, log } = options;
  const sessions = connector(connection, log);
  const plain = { pipelined: false, statementTimeoutMs: options.statementTimeoutMs ?? 60_000 };
  const pipelined = { pipelined: true, statementTimeoutMs: options.readTimeoutMs ?? 10_000 };
  const pool = plainPool(() => sessions.open(plain), options.plainClients ?? 4);
  const server = await inspect(pool).catch(async (error: unknown) => {
    sessions.close();
    await pool.close();
    throw error;
  });
  const readers = pipelinedClients(() => sessions.open(pipelined), options.pipelinedClients ?? 4);
  return {
    ...server,
    read: readers.read,
    run: (affinity, wanted) => run(pool, affinity, wanted),
    transaction: (affinity, body) => transaction(pool, affinity, body),
    stream: (affinity, wanted, batch) => stream(pool, affinity, wanted, batch),
    ping: () => withinPing(readers.read('ping', [statement(sql`select 1`)])),
    async close() {
      sessions.close();
      await Promise.all([readers.close(), pool.close()]);
    },
  };
}

async function inspect(pool: PlainPool): Promise<Pick<Database, 'engine' | 'serverVersion'>> {
  const question = sql`select current_setting('server_version_num'), current_setting('server_version'),
    exists (select from pg_extension where extname = 'citus')`;
  const { rows } = await run(pool, '', statement(question)).catch((error: unknown) => {
    throw unavailable(`PostgreSQL cannot be reached: ${connectReason(error)}`, error);
  });
  const [number, version, citus] = rows[0] ?? [];
  const serverVersion = Number(number);
  if (!(serverVersion >= oldestVersion)) {
    throw errors.notSupported(
      `Kith needs PostgreSQL 15 or later; this server is ${version ?? 'of an unknown version'}`,
    );
  }
  return { serverVersion, engine: citus === 't' ? 'citus' : 'postgresql' };
}

/** A stale plan or a conflict means that nothing was done, so that even a write may be sent again. */
async function run(pool: PlainPool, affinity: string, wanted: Statement): Promise<Rows> {
  let stalePlans = 0;
  let conflicts = 0;
  for (;;) {
    try {
      return await leased(pool, affinity, (session) => session.query(wanted));
    } catch (error) {
      const again = isStalePlan(error) ? stalePlans++ < 1 : isConflict(error) && conflicts++ < conflictRetries;
      if (!again) throw toCaller(error);
      if (conflicts > 0) await jitter();
    }
  }
}

async function transaction<T>(pool: PlainPool, affinity: string, body: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    const outcome = await leased(pool, affinity, (session) => attempt(session, body)).catch((error: unknown) => {
      // `begin` went to a connection that had died unnoticed: nothing was done yet.
      if (error instanceof ConnectionLost && retries === 0) return undefined;
      throw toCaller(error);
    });
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
): AsyncGenerator<readonly Row[], void, undefined> {
  const lease = await pool.take(affinity);
  try {
    yield* cursorRows(lease.session, wanted, batch);
  } catch (error) {
    throw toCaller(error);
  } finally {
    lease.release();
  }
}

async function leased<T>(pool: PlainPool, affinity: string, work: (session: Session) => Promise<T>): Promise<T> {
  const lease = await pool.take(affinity);
  try {
    return await work(lease.session);
  } finally {
    lease.release();
  }
}

/** Up to 50 ms, so that those who met in a deadlock do not meet again. */
function jitter(): Promise<void> {
  return sleep(5 + Math.random() * 45);
}

async function withinPing(answer: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(errors.unavailable(new Error('No answer within two seconds'))), pingMs);
  await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
