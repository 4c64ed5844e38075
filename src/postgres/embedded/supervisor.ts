/**
 * The embedded PostgreSQL: owns its data directory, repairs the remains of an earlier run, starts the server,
 * restarts it when it ends, and stops it on request. A command uses the server of a running owner instead.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, parseJson } from '../../lib/json.ts';
import { KithError } from '../../errors.ts';
import { systemFailure } from '../../lib/system-failure.ts';
import { readPlain } from '../../lib/plain-file.ts';
import { messageForLog } from '../../lib/thrown.ts';
import { unavailable } from '../failure.ts';
import type { Log } from '../log.ts';
import type { ServerAddress } from '../session.ts';
import { heal } from './heal.ts';
import { ensureCluster, superuser } from './initdb.ts';
import { own, ownerPid } from './ownership.ts';
import {
  findClusterFiles,
  isSocketDir,
  keepSocketDir,
  makeSocketDir,
  filesOfAnother,
  filesOfRunning,
  recordName,
} from './cluster-files.ts';
import type { ClusterFiles, RunningFiles } from './cluster-files.ts';
import { findRuntime } from './runtime.ts';
import { runServer, untilReady } from './server.ts';
import type { ServerRun, Settings } from './server.ts';
import { ensureServiceRole, readServicePassword } from './service-role.ts';

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** Settings of PostgreSQL, overriding Kith's: tests switch `fsync` off. */
  readonly settings?: Settings;
}

export interface Embedded {
  /** The address of the role that owns the database and has no other right on the server. */
  readonly connection: ServerAddress;
  /** As in `server_version_num`: 180004. */
  readonly serverVersion: number;
  /** Whether there was no cluster before. */
  readonly isNew: boolean;
  /** Stops the server, unless another process owns it; may be called twice. */
  stop(): Promise<void>;
}

const firstPauseMs = 50;
const longestPauseMs = 5_000;
const attachMs = 20_000;

/**
 * Starts the server of `dataDir`, which is created on first use; throws UNAVAILABLE with a remedy, also when it is
 * owned.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const files = locate(findClusterFiles, options.dataDir);
  const embedded = await startIfFree(files, options);
  if (embedded) return embedded;
  throw unavailable(`${files.dataDir} is in use by ${ownerPid(files.dataDir)}: stop it, or name another KITH_DATA_DIR`);
}

/** The server's address where an owner of `dataDir` is running; undefined otherwise. Creates and starts nothing. */
export function findRunning(dataDir: string): ServerAddress | undefined {
  if (!existsSync(join(dataDir, recordName))) return undefined;
  const files = filesOfAnother(dataDir) ?? locate(filesOfRunning, dataDir);
  const running = files && readRecord(files);
  return running && addressOf(running);
}

/** Connects to the server of a running owner of `dataDir`, or starts one until `stop`. */
export async function attachOrStart(options: EmbeddedOptions): Promise<Embedded & { readonly attached: boolean }> {
  const running = serverOfAnother(options.dataDir);
  if (running) return attachTo(running);
  const files = locate(findClusterFiles, options.dataDir);
  for (const deadline = performance.now() + attachMs; performance.now() < deadline; await sleep(100)) {
    const started = await startIfFree(files, options);
    if (started) return { ...started, attached: false };
    const running = readRecord(files); // missing while the owner is starting
    if (running) return attachTo(running);
  }
  throw unavailable(`${files.dataDir} is in use by ${ownerPid(files.dataDir)}, whose PostgreSQL does not get ready`);
}

function attachTo(running: ServerRecord): Embedded & { attached: boolean } {
  const { serverVersion } = running;
  return { connection: addressOf(running), serverVersion, isNew: false, stop: async () => {}, attached: true };
}

function addressOf({ address, servicePasswordFile }: ServerRecord): ServerAddress {
  return { ...address, password: readServicePassword(servicePasswordFile) };
}

/** Runs `find`. Throws UNAVAILABLE, with a remedy, where the operating system refuses something. */
function locate<Found>(find: (dataDir: string) => Found, dataDir: string): Found {
  try {
    return find(dataDir);
  } catch (error) {
    throw refusalOfSystem(error, dataDir);
  }
}

/** For root, the running service of another account; undefined where the directory belongs to no other account. */
function serverOfAnother(dataDir: string): ServerRecord | undefined {
  const files = filesOfAnother(dataDir);
  return files && readRecord(files);
}

/**
 * Starts the server unless owned. Throws UNAVAILABLE, with a remedy, where the disk or the operating system refuses
 * something.
 */
async function startIfFree(files: ClusterFiles, options: EmbeddedOptions): Promise<Embedded | undefined> {
  try {
    return await startUnlessOwned(files, options);
  } catch (error) {
    throw refusalOfSystem(error, files.dataDir);
  }
}

function refusalOfSystem(error: unknown, dataDir: string): unknown {
  const sentence = error instanceof KithError ? undefined : systemFailure(error, dataDir);
  return sentence === undefined ? error : unavailable(sentence, error);
}

async function startUnlessOwned(files: ClusterFiles, options: EmbeddedOptions): Promise<Embedded | undefined> {
  const ownership = await own(files.dataDir, files.clusterDir);
  if (!ownership) return undefined;
  const resources = new AsyncDisposableStack();
  resources.defer(() => ownership.release());
  try {
    const started = await startOwned(files, options, resources);
    let stopped: Promise<void> | undefined;
    return { ...started, stop: () => (stopped ??= resources.disposeAsync()) };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

/** Its parts are stopped with `resources`, in reverse order. */
async function startOwned(
  files: ClusterFiles,
  options: EmbeddedOptions,
  resources: AsyncDisposableStack,
): Promise<Omit<Embedded, 'stop'>> {
  forgetEarlier(files);
  const runtime = findRuntime(files.account, files.copyDir);
  const { password, isNew } = await ensureCluster(files, runtime, options.settings?.['fsync'] !== 'off');
  const socketDir = makeSocketDir(files.account);
  resources.defer(() => rmSync(socketDir, { recursive: true, force: true }));
  const superuserAddress = { host: socketDir, port: 5432, user: superuser, password, database: 'postgres' };
  const { serverVersion, stop } = await keepRunning(files, superuserAddress, options.log, () => {
    keepSocketDir(files.account, socketDir);
    return runServer(files, runtime, socketDir, options.settings ?? {});
  });
  resources.defer(stop);
  const connection = await ensureServiceRole(superuserAddress, files.servicePasswordFile);
  writeRecord(files, connection, serverVersion);
  resources.defer(() => rmSync(files.recordFile, { force: true }));
  return { connection, serverVersion, isNew };
}

interface Running {
  readonly serverVersion: number;
  stop(): Promise<void>;
}

/** Starts the server, and restarts it whenever it ends until stopped. Throws when the first start fails. */
async function keepRunning(
  files: ClusterFiles,
  superuserAddress: ServerAddress,
  log: Log,
  launch: () => ServerRun,
): Promise<Running> {
  const stopping = new AbortController();
  let run: ServerRun;

  async function start(): Promise<number> {
    await heal(files.clusterDir, log);
    stopping.signal.throwIfAborted();
    run = launch();
    return untilReady(run, superuserAddress, files);
  }

  async function watch(): Promise<void> {
    let pauseMs = firstPauseMs;
    for (;;) {
      const reason = await run.ended;
      if (stopping.signal.aborted) return;
      log.error({ reason }, 'PostgreSQL ended unexpectedly; it is started again');
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        await start();
        log.info({}, 'PostgreSQL runs again');
        pauseMs = firstPauseMs;
      } catch (error) {
        if (stopping.signal.aborted) continue;
        log.error({ reason: messageForLog(error) }, 'PostgreSQL could not be started again');
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  }

  const serverVersion = await start();
  const watching = watch();
  return {
    serverVersion,
    async stop() {
      stopping.abort();
      await run.stop();
      await watching;
    },
  };
}

function writeRecord(files: ClusterFiles, connection: ServerAddress, serverVersion: number): void {
  const { password: _, ...record } = connection; // the password has a file of its own
  writeFileSync(files.recordFile, `${JSON.stringify({ ...record, serverVersion })}\n`, { mode: 0o600 });
}

/** Removes the record and the socket of an owner that could not do so. */
function forgetEarlier(files: ClusterFiles): void {
  const earlier = readRecord(files);
  if (earlier) rmSync(earlier.address.host, { recursive: true, force: true });
  rmSync(files.recordFile, { force: true });
}

interface ServerRecord {
  readonly address: Omit<ServerAddress, 'password'>;
  readonly serverVersion: number;
  readonly servicePasswordFile: string;
}

function readRecord(files: RunningFiles): ServerRecord | undefined {
  try {
    const record = parseJson(readPlain(files.recordFile));
    if (!isObject(record) || !isSocketDir(files.account, String(record['host']))) return undefined;
    const { host, port, user, database, serverVersion } = record;
    return {
      address: { host: String(host), port: Number(port), user: String(user), database: String(database) },
      serverVersion: Number(serverVersion),
      servicePasswordFile: files.servicePasswordFile,
    };
  } catch {
    return undefined; // missing, or interrupted while it was written
  }
}
