/** One run of the PostgreSQL server: started in a session of its own, watched until it answers, stopped cleanly. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { unavailable } from '../failure.ts';
import { openSession } from '../session.ts';
import type { ServerAddress } from '../session.ts';
import { sql, statement } from '../sql.ts';
import { bareEnvironment } from './initdb.ts';
import type { Place } from './place.ts';
import type { Runtime } from './runtime.ts';

/** Settings of postgresql.conf by name, over those that Kith sets. */
export type Settings = Readonly<Record<string, string>>;

const ownSettings: Settings = {
  listen_addresses: '',
  // Kith's own processes keep below a hundred together; the command line comes beside them.
  max_connections: '150',
  unix_socket_permissions: '0700',
  client_connection_check_interval: '1s',
  idle_in_transaction_session_timeout: '60s',
  jit: 'off',
  logging_collector: 'off',
  // Statements, their values and the keys in error details are the organizations' data, which stays out of logs.
  log_min_error_statement: 'panic',
  log_parameter_max_length_on_error: '0',
  log_error_verbosity: 'terse',
};

const readyMs = 60_000;
const fastStopMs = 8_000;
const immediateStopMs = 2_000;
const largestLog = 10 * 1024 * 1024;

export interface ServerRun {
  /** Resolves, with the reason, when the server has ended. */
  readonly ended: Promise<string>;
  /** Ends the server's sessions, flushes and ends the server; harder when it takes too long. */
  stop(): Promise<void>;
}

export function runServer(place: Place, runtime: Runtime, socketDir: string, settings: Settings): ServerRun {
  const all = { ...ownSettings, ...settings, unix_socket_directories: socketDir };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openLog(place.logFile);
  const child = spawn(runtime.postgres, ['-D', place.clusterDir, ...options], {
    ...place.account,
    cwd: path.dirname(place.clusterDir),
    env: bareEnvironment,
    stdio: ['ignore', log, log],
    detached: true, // a Ctrl-C on the terminal is for the service, which still needs its database to finish
  });
  closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : signal));
  });
  // A service that ends without stopping its database leaves it no reason to go on.
  const stopWithProcess = () => child.kill('SIGINT');
  process.once('exit', stopWithProcess);
  void ended.then(() => process.off('exit', stopWithProcess));
  return { ended, stop: () => stopServer((signal) => child.kill(signal), ended) };
}

async function stopServer(kill: (signal: NodeJS.Signals) => boolean, ended: Promise<string>): Promise<void> {
  kill('SIGINT');
  if (await within(ended, fastStopMs)) return;
  kill('SIGQUIT');
  if (await within(ended, immediateStopMs)) return;
  kill('SIGKILL');
  await ended;
}

async function within(ended: Promise<string>, limitMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(limitMs, false, { signal: timer.signal }).catch(() => false);
  return Promise.race([ended.then(() => true), late]).finally(() => timer.abort());
}

/** Waits until the server takes connections and returns its version; throws when it ends or takes a minute. */
export async function untilReady(run: ServerRun, address: ServerAddress, logFile: string): Promise<number> {
  let reason: string | undefined;
  void run.ended.then((why) => (reason = why));
  for (const deadline = performance.now() + readyMs; reason === undefined && performance.now() < deadline;) {
    try {
      const session = await openSession(address, { pipelined: false, statementTimeoutMs: readyMs });
      const { rows } = await session.query(statement(sql`select current_setting('server_version_num')`));
      await session.close();
      return Number(rows[0]?.[0]);
    } catch (error) {
      if (error instanceof DatabaseError && error.code !== '57P03') throw error;
    }
    await sleep(25);
  }
  await run.stop();
  throw unavailable(`The embedded PostgreSQL did not start (${reason ?? 'no answer within a minute'}); see ${logFile}`);
}

function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largestLog) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}
