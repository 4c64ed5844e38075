/**
 * The embedded PostgreSQL: owns its data directory, heals what an earlier run left, starts the server, starts it again
 * when it ends, and stops it when told. A command line meets a running owner and uses its server instead.
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
  findPlace,
  isSocketDir,
  keepSocketDir,
  makeSocketDir,
  placeOfAnother,
  placeOfRunning,
  recordName,
} from './place.ts';
import type { Place, RunningPlace } from './place.ts';
import { findRuntime } from './runtime.ts';
import { runServer, untilReady } from './server.ts';
import type { ServerRun, Settings } from './server.ts';
import { ensureServiceRole, readServicePassword } from './service-role.ts';

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** Settings of PostgreSQL over Kith's own: tests switch `fsync` off. */
  readonly settings?: Settings;
}

export interface Embedded {
  /** Of the role that owns the database, and has no other right on the server. */
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

/** Starts the server of `dataDir`, which it makes on first use; throws UNAVAILABLE with what to do, also when it is owned. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const place = placeBy(findPlace, options.dataDir);
  const embedded = await startIfFree(place, options);
  if (embedded) return embedded;
  throw unavailable(`${place.dataDir} is in use by ${ownerPid(place.dataDir)}: stop it, or name another KITH_DATA_DIR`);
}

/** Where the server of a running owner of `dataDir` is; undefined where none runs. Nothing is made or started. */
export function findRunning(dataDir: string): ServerAddress | undefined {
  if (!existsSync(join(dataDir, recordName))) return undefined;
  const place = placeOfAnother(dataDir) ?? placeBy(placeOfRunning, dataDir);
  const running = place && readRecord(place);
  return running && addressOf(running);
}

/** Connects to the server of a running owner of `dataDir`, or starts one until `stop`. */
export async function attachOrStart(options: EmbeddedOptions): Promise<Embedded & { readonly attached: boolean }> {
  const running = serverOfAnother(options.dataDir);
  if (running) return attachTo(running);
  const place = placeBy(findPlace, options.dataDir);
  for (const deadline = performance.now() + attachMs; performance.now() < deadline; await sleep(100)) {
    const started = await startIfFree(place, options);
    if (started) return { ...started, attached: false };
    const running = readRecord(place); // there is none while the owner is still starting
    if (running) return attachTo(running);
  }
  throw unavailable(`${place.dataDir} is in use by ${ownerPid(place.dataDir)}, whose PostgreSQL does not get ready`);
}

function attachTo(running: ServerRecord): Embedded & { attached: boolean } {
  const { serverVersion } = running;
  return { connection: addressOf(running), serverVersion, isNew: false, stop: async () => {}, attached: true };
}

function addressOf({ address, servicePasswordFile }: ServerRecord): ServerAddress {
  return { ...address, password: readServicePassword(servicePasswordFile) };
}

/** Throws UNAVAILABLE, with what to do, where the operating system refuses something. */
function placeBy<Found>(find: (dataDir: string) => Found, dataDir: string): Found {
  try {
    return find(dataDir);
  } catch (error) {
    throw refusalOfSystem(error, dataDir);
  }
}

/** What root finds of the running service of another account; undefined where the directory is not such a one's. */
function serverOfAnother(dataDir: string): ServerRecord | undefined {
  const place = placeOfAnother(dataDir);
  return place && readRecord(place);
}

/** Throws UNAVAILABLE, with what to do, where the disk or the operating system refuses something. */
async function startIfFree(place: Place, options: EmbeddedOptions): Promise<Embedded | undefined> {
  try {
    return await startUnlessOwned(place, options);
  } catch (error) {
    throw refusalOfSystem(error, place.dataDir);
  }
}

function refusalOfSystem(error: unknown, dataDir: string): unknown {
  const told = error instanceof KithError ? undefined : systemFailure(error, dataDir);
  return told === undefined ? error : unavailable(told, error);
}

async function startUnlessOwned(place: Place, options: EmbeddedOptions): Promise<Embedded | undefined> {
  const ownership = await own(place.dataDir, place.clusterDir);
  if (!ownership) return undefined;
  const resources = new AsyncDisposableStack();
  resources.defer(() => ownership.release());
  try {
    const started = await startOwned(place, options, resources);
    let stopped: Promise<void> | undefined;
    return { ...started, stop: () => (stopped ??= resources.disposeAsync()) };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

/** What it starts and makes ends with `resources`, in the opposite order. */
async function startOwned(
  place: Place,
  options: EmbeddedOptions,
  resources: AsyncDisposableStack,
): Promise<Omit<Embedded, 'stop'>> {
  forgetEarlier(place);
  const runtime = findRuntime(place.account, place.copyDir);
  const { password, isNew } = await ensureCluster(place, runtime, options.settings?.['fsync'] !== 'off');
  const socketDir = makeSocketDir(place.account);
  resources.defer(() => rmSync(socketDir, { recursive: true, force: true }));
  const superuserAddress = { host: socketDir, port: 5432, user: superuser, password, database: 'postgres' };
  const { serverVersion, stop } = await keepRunning(place, superuserAddress, options.log, () => {
    keepSocketDir(place.account, socketDir);
    return runServer(place, runtime, socketDir, options.settings ?? {});
  });
  resources.defer(stop);
  const connection = await ensureServiceRole(superuserAddress, place.servicePasswordFile);
  writeRecord(place, connection, serverVersion);
  resources.defer(() => rmSync(place.recordFile, { force: true }));
  return { connection, serverVersion, isNew };
}

interface Running {
  readonly serverVersion: number;
  stop(): Promise<void>;
}

/** Starts the server and, until stopped, starts it again whenever it ends. Throws when the first start fails. */
async function keepRunning(
  place: Place,
  superuserAddress: ServerAddress,
  log: Log,
  launch: () => ServerRun,
): Promise<Running> {
  const stopping = new AbortController();
  let run: ServerRun;

  async function start(): Promise<number> {
    await heal(place.clusterDir, log);
    stopping.signal.throwIfAborted();
    run = launch();
    return untilReady(run, superuserAddress, place);
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

function writeRecord(place: Place, connection: ServerAddress, serverVersion: number): void {
  const { password: _, ...record } = connection; // the password has a file of its own
  writeFileSync(place.recordFile, `${JSON.stringify({ ...record, serverVersion })}\n`, { mode: 0o600 });
}

/** The record and the socket of an owner that could not remove them. */
function forgetEarlier(place: Place): void {
  const earlier = readRecord(place);
  if (earlier) rmSync(earlier.address.host, { recursive: true, force: true });
  rmSync(place.recordFile, { force: true });
}

interface ServerRecord {
  readonly address: Omit<ServerAddress, 'password'>;
  readonly serverVersion: number;
  readonly servicePasswordFile: string;
}

function readRecord(place: RunningPlace): ServerRecord | undefined {
  try {
    const record = parseJson(readPlain(place.recordFile));
    if (!isObject(record) || !isSocketDir(place.account, String(record['host']))) return undefined;
    const { host, port, user, database, serverVersion } = record;
    return {
      address: { host: String(host), port: Number(port), user: String(user), database: String(database) },
      serverVersion: Number(serverVersion),
      servicePasswordFile: place.servicePasswordFile,
    };
  } catch {
    return undefined; // none, or cut off while it was written
  }
}
