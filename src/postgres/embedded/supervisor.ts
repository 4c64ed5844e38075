/**
 * The embedded PostgreSQL: owns its data directory, heals what an earlier run left, starts the server, starts it again
 * when it ends, and stops it when told. A command line meets a running owner and uses its server instead.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, parseJson } from '../../lib/json.ts';
import { unavailable } from '../failure.ts';
import type { Log } from '../log.ts';
import type { ServerAddress } from '../session.ts';
import { heal } from './heal.ts';
import { ensureCluster, superuser } from './initdb.ts';
import { own, ownerPid } from './ownership.ts';
import { findPlace, makeSocketDir } from './place.ts';
import type { Place } from './place.ts';
import { findRuntime } from './runtime.ts';
import { runServer, untilReady } from './server.ts';
import type { ServerRun, Settings } from './server.ts';

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** Settings of PostgreSQL over Kith's own: tests switch `fsync` off. */
  readonly settings?: Settings;
}

export interface Embedded {
  readonly connection: ServerAddress;
  /** As in `server_version_num`: 180004. */
  readonly serverVersion: number;
  /** Stops the server, unless another process owns it; may be called twice. */
  stop(): Promise<void>;
}

const firstPauseMs = 50;
const longestPauseMs = 5_000;
const attachMs = 20_000;

/** Starts the server of `dataDir`, which it makes on first use; throws UNAVAILABLE with what to do, also when it is owned. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const place = findPlace(options.dataDir);
  const embedded = await startIfFree(place, options);
  if (embedded) return embedded;
  throw unavailable(`${place.dataDir} is in use by ${ownerPid(place.dataDir)}: stop it, or name another KITH_DATA_DIR`);
}

/** Connects to the server of a running owner of `dataDir`, or starts one until `stop`. */
export async function attachOrStart(options: EmbeddedOptions): Promise<Embedded & { readonly attached: boolean }> {
  const place = findPlace(options.dataDir);
  for (const deadline = performance.now() + attachMs; performance.now() < deadline; await sleep(100)) {
    const started = await startIfFree(place, options);
    if (started) return { ...started, attached: false };
    const running = readRecord(place); // there is none while the owner is still starting
    if (running) return { ...running, stop: async () => {}, attached: true };
  }
  throw unavailable(`${place.dataDir} is in use by ${ownerPid(place.dataDir)}, whose PostgreSQL does not get ready`);
}

async function startIfFree(place: Place, options: EmbeddedOptions): Promise<Embedded | undefined> {
  const ownership = await own(place.dataDir, place.clusterDir);
  if (!ownership) return undefined;
  let socketDir: string | undefined;
  try {
    forgetEarlier(place);
    const runtime = findRuntime(place.account, place.copyDir);
    const password = await ensureCluster(place, runtime, options.settings?.['fsync'] !== 'off');
    socketDir = makeSocketDir(place.account);
    const connection = { host: socketDir, port: 5432, user: superuser, password, database: 'postgres' };
    const running = await keepRunning(place, connection, options.log, () =>
      runServer(place, runtime, connection.host, options.settings ?? {}),
    );
    writeRecord(place, connection, running.serverVersion);
    const release = () => {
      rmSync(place.recordFile, { force: true });
      rmSync(connection.host, { recursive: true, force: true });
      ownership.release();
    };
    let stopped: Promise<void> | undefined;
    return {
      connection,
      serverVersion: running.serverVersion,
      stop: () => (stopped ??= running.stop().finally(release)),
    };
  } catch (error) {
    if (socketDir !== undefined) rmSync(socketDir, { recursive: true, force: true });
    ownership.release();
    throw error;
  }
}

interface Running {
  readonly serverVersion: number;
  stop(): Promise<void>;
}

/** Starts the server and, until stopped, starts it again whenever it ends. Throws when the first start fails. */
async function keepRunning(
  place: Place,
  connection: ServerAddress,
  log: Log,
  launch: () => ServerRun,
): Promise<Running> {
  const stopping = new AbortController();
  let run: ServerRun;

  async function start(): Promise<number> {
    await heal(place.clusterDir, log);
    stopping.signal.throwIfAborted();
    run = launch();
    return untilReady(run, connection, place.logFile);
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
        log.error({ reason: String(error) }, 'PostgreSQL could not be started again');
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
  if (earlier) rmSync(earlier.connection.host, { recursive: true, force: true });
  rmSync(place.recordFile, { force: true });
}

function readRecord(place: Place): Omit<Embedded, 'stop'> | undefined {
  try {
    const record = parseJson(readFileSync(place.recordFile, 'utf8'));
    const password = readFileSync(place.passwordFile, 'utf8').trim();
    if (!isObject(record) || !path.basename(String(record['host'])).startsWith('kith-pg-')) return undefined;
    const { host, port, user, database, serverVersion } = record;
    return {
      connection: { host: String(host), port: Number(port), user: String(user), password, database: String(database) },
      serverVersion: Number(serverVersion),
    };
  } catch {
    return undefined; // none, or cut off while it was written
  }
}
