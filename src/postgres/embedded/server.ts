/** One run of the PostgreSQL server: started in its own session, watched until it answers, stopped cleanly. */
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
import type { ClusterFiles } from './cluster-files.ts';
import type { Runtime } from './runtime.ts';

/** Settings of postgresql.conf by name, overriding Kith's. */
export type Settings = Readonly<Record<string, string>>;

const ownSettings: Settings = {
  listen_addresses: '',
  // At most 164 connections of Kith's service processes; the rest is for the command line.
  max_connections: '200',
  unix_socket_permissions: '0700',
  client_connection_check_interval: '1s',
  idle_in_transaction_session_timeout: '60s',
  jit: 'off',
  logging_collector: 'off',
  // Statements, values, keys in error details and messages are organizations' data, which stays out of logs. Kith
  // receives errors itself, and logs them without values.
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
  /** Its last FATAL or PANIC. */
  lastComplaint(): string | undefined;
  /** Closes the server's sessions, flushes, and ends the server; forcefully when it takes too long. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on the cluster under its account; it listens on a socket in `socketDir` and writes to the
 * cluster's log file.
 */
export function runServer(files: ClusterFiles, runtime: Runtime, socketDir: string, settings: Settings): ServerRun {
  const all = { ...ownSettings, ...settings, unix_socket_directories: socketDir };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openLog(files.logFile);
  const begin = fstatSync(log).size;
  const child = spawn(runtime.postgres, ['-D', files.clusterDir, ...options], {
    ...files.account,
    cwd: path.dirname(files.clusterDir),
    env: bareEnvironment,
    stdio: ['ignore', log, log],
    detached: true, // a Ctrl-C is for the service, which needs its database to finish
  });
  closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(systemFailure(error) ?? error.message));
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : signal));
  });
  // A process that exits without stopping its database takes it down, too.
  const stopWithProcess = () => child.kill('SIGINT');
  process.once('exit', stopWithProcess);
  void ended.then(() => process.off('exit', stopWithProcess));
  return {
    ended,
    lastComplaint: () => complaintSince(files.logFile, begin),
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

/**
 * Waits until the server accepts connections, and returns its version; stops it and throws when it ends, refuses or
 * takes a minute.
 */
export async function untilReady(run: ServerRun, address: ServerAddress, files: ClusterFiles): Promise<number> {
  try {
    return await firstAnswer(run, address, files);
  } catch (error) {
    await run.stop();
    throw error;
  }
}

async function firstAnswer(run: ServerRun, address: ServerAddress, files: ClusterFiles): Promise<number> {
  let reason: string | undefined;
  void run.ended.then((why) => (reason = why));
  for (const deadline = performance.now() + readyMs; reason === undefined && performance.now() < deadline;) {
    try {
      const session = await openSession(address, { pipelined: false, statementTimeoutMs: readyMs });
      const { rows } = await session.query(statement(sql`select current_setting('server_version_num')`));
      await session.close();
      return Number(rows[0]?.[0]);
    } catch (error) {
      if (error instanceof DatabaseError && error.code !== startsUp) throw refusal(error, files);
    }
    await sleep(25);
  }
  const why = run.lastComplaint() ?? reason ?? 'no answer within a minute';
  throw unavailable(`The embedded PostgreSQL did not start (${why}); see ${files.logFile}`);
}

function refusal(error: DatabaseError, { passwordFile, clusterDir }: ClusterFiles): Error {
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
