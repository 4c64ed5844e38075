/** One run of the PostgreSQL server: started in a session of its own, watched until it answers, stopped cleanly. */
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { systemFailure } from '../../lib/system-failure.ts';
import { unavailable } from '../failure.ts';
import { openSession } from '../session.ts';
import type { ServerAddress } from '../session.ts';
import { sql, statement } from '../sql.ts';
import { complaintIn } from './complaint.ts';
import { bareEnvironment } from './initdb.ts';
import type { Place } from './place.ts';
import type { Runtime } from './runtime.ts';

/** Settings of postgresql.conf by name, over those that Kith sets. */
export type Settings = Readonly<Record<string, string>>;

const ownSettings: Settings = {
  listen_addresses: '',
  // The most of Kith's own processes have 164 together; the command line comes beside them.
  max_connections: '200',
  unix_socket_permissions: '0700',
  client_connection_check_interval: '1s',
  idle_in_transaction_session_timeout: '60s',
  jit: 'off',
  logging_collector: 'off',
  // Statements, their values, the keys in error details and the messages themselves are the organizations' data, which stays
  // out of logs. What fails is told to Kith, which logs it without values.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_parameter_max_length_on_error: '0',
  log_error_verbosity: 'terse',
};

/** cannot_connect_now */
const startsUp = '57P03';
/** invalid_password */
const wrongPassword = '28P01';

const readyMs = 60_000;
const fastStopMs = 8_000;
const immediateStopMs = 2_000;
const largestLog = 10 * 1024 * 1024;

export interface ServerRun {
  /** Resolves, with the reason, when the server has ended. */
  readonly ended: Promise<string>;
  /** Why it could not start or go on, as its log has it. */
  lastComplaint(): string | undefined;
  /** Ends the server's sessions, flushes and ends the server; harder when it takes too long. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on the cluster as the account of its place; it listens on a socket in `socketDir` and writes to
 * the place's log.
 */
export function runServer(place: Place, runtime: Runtime, socketDir: string, settings: Settings): ServerRun {
  const all = { ...ownSettings, ...settings, unix_socket_directories: socketDir };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openLog(place.logFile);
  const begin = fstatSync(log).size;
  const child = spawn(runtime.postgres, ['-D', place.clusterDir, ...options], {
    ...place.account,
    cwd: path.dirname(place.clusterDir),
    env: bareEnvironment,
    stdio: ['ignore', log, log],
    detached: true, // a Ctrl-C on the terminal is for the service, which still needs its database to finish
  });
  closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(systemFailure(error) ?? error.message));
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : signal));
  });
  // A service that ends without stopping its database leaves it no reason to go on.
  const stopWithProcess = () => child.kill('SIGINT');
  process.once('exit', stopWithProcess);
  void ended.then(() => process.off('exit', stopWithProcess));
  return {
    ended,
    lastComplaint: () => complaintSince(place.logFile, begin),
    stop: () => stopServer((signal) => child.kill(signal), ended),
  };
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

/** Waits until the server takes connections and returns its version; stops it and throws when it ends, refuses or takes a minute. */
export async function untilReady(run: ServerRun, address: ServerAddress, place: Place): Promise<number> {
  try {
    return await firstAnswer(run, address, place);
  } catch (error) {
    await run.stop();
    throw error;
  }
}

async function firstAnswer(run: ServerRun, address: ServerAddress, place: Place): Promise<number> {
  let reason: string | undefined;
  void run.ended.then((why) => (reason = why));
  for (const deadline = performance.now() + readyMs; reason === undefined && performance.now() < deadline;) {
    try {
      const session = await openSession(address, { pipelined: false, statementTimeoutMs: readyMs });
      const { rows } = await session.query(statement(sql`select current_setting('server_version_num')`));
      await session.close();
      return Number(rows[0]?.[0]);
    } catch (error) {
      if (error instanceof DatabaseError && error.code !== startsUp) throw refusal(error, place);
    }
    await sleep(25);
  }
  const why = run.lastComplaint() ?? reason ?? 'no answer within a minute';
  throw unavailable(`The embedded PostgreSQL did not start (${why}); see ${place.logFile}`);
}

function refusal(error: DatabaseError, { passwordFile, clusterDir }: Place): Error {
  if (error.code !== wrongPassword) return error;
  return unavailable(
    `${passwordFile} is not the password of ${clusterDir}: put back the one that belongs to it`,
    error,
  );
}

function complaintSince(file: string, begin: number): string | undefined {
  try {
    return complaintIn(readFileSync(file).subarray(begin).toString());
  } catch {
    return undefined; // there may be no room for a log either
  }
}

function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largestLog) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}
