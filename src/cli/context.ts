/** What commands work with: the kernel or parts of it, with or without a running server, and interruption by signals. */
import { readConfig, type Config } from '../config.ts';
import { openGround, openKernel, type Desk, type Ground, type Kernel } from '../kernel.ts';
import { createLog, type Log } from '../lib/log.ts';
import { connectDatabase } from '../postgres/connect.ts';
import type { Database } from '../postgres/database.ts';
import { exitCodes } from './exit-codes.ts';
import { organizationMeant } from './organization.ts';

export interface Context extends Pick<Kernel, 'provision' | 'migrated' | 'perform' | 'signIn'> {
  /**
   * The id of the organization named by `wanted`, or else by KITH_ORG; without both, of the only one. Throws NOT_FOUND,
   * VALIDATION_ERROR.
   */
  organization(wanted?: string): Promise<string>;
  /** A desk in the name of the organization's oldest active admin; warnings of operations become notes. */
  desk(wanted?: string, onWarning?: (warning: string) => void, source?: Parameters<Kernel['desk']>[1]): Promise<Desk>;
  /** A desk in the name of the token's user. Throws UNAUTHORIZED. */
  deskOfToken(token: string): Promise<Desk>;
  /** Aborted by the first SIGINT or SIGTERM: stop at the next safe point. The second one ends the process. */
  readonly interruption: AbortSignal;
  /** Prints a message besides the answer. */
  note(message: string): void;
}

/** For commands that only read: no migration, and no new secret. */
export interface Onlooker {
  readonly config: Config;
  /** Throws UNAVAILABLE without a database. */
  connect(): Promise<Database>;
  /** As `connect`, but only to a running database; undefined if none runs. */
  join(): Promise<Database | undefined>;
  /** The directory and keys for the organizations on that database. */
  groundOn(main: Database): Promise<Ground>;
  /** As in `Context`. */
  readonly interruption: AbortSignal;
  note(message: string): void;
}

class Interrupted extends Error {
  readonly exitCode = exitCodes.interrupted;
}

/** Opens everything, migrates the schemas, runs `work`, and closes everything. Throws UNAVAILABLE without a database. */
export function withContext<T>(note: (message: string) => void, work: (context: Context) => Promise<T>): Promise<T> {
  return withResources(note, async (config, resources, interruption) =>
    work(await openContext(config, resources, interruption, note)),
  );
}

/** Runs `work`, which opens what it needs, and closes everything. */
export function withOnlooker<T>(note: (message: string) => void, work: (onlooker: Onlooker) => Promise<T>): Promise<T> {
  return withResources(note, (config, resources, interruption) => {
    const log = quietLog(config);
    return work({
      config,
      interruption,
      connect: () => openDatabase(config, log, resources, note),
      join: () => joinDatabase(config, log, resources),
      async groundOn(main) {
        const ground = await openGround(config, main, log);
        resources.defer(() => ground.directory.close());
        return ground;
      },
      note,
    });
  });
}

/** Runs `work` with the configuration and an interruption signal, and closes what it opened. */
export async function withResources<T>(
  note: (message: string) => void,
  work: (config: Config, resources: AsyncDisposableStack, interruption: AbortSignal) => Promise<T>,
): Promise<T> {
  const { config, warnings } = readConfig();
  warnings.forEach(note);
  const resources = new AsyncDisposableStack();
  const interruption = watchSignals(resources);
  try {
    return await work(config, resources, interruption);
  } catch (error) {
    throw interruption.aborted ? new Interrupted('Interrupted', { cause: error }) : error;
  } finally {
    await resources.disposeAsync();
  }
}

/** Opens the context; it is closed with `resources`. */
export async function openContext(
  config: Config,
  resources: AsyncDisposableStack,
  interruption: AbortSignal,
  note: (message: string) => void,
): Promise<Context> {
  const log = quietLog(config);
  const main = await openDatabase(config, log, resources, note);
  const kernel = await openKernel(config, main, log);
  const { provision, migrated, perform, signIn, lockedOut, desk, deskOfToken, close } = kernel;
  resources.defer(close);
  // A service with the right secret would refuse a token made with the wrong one.
  const locked = await lockedOut(20);
  if (locked) note(locked.sentence);
  const organization = (wanted = config.client.org) => organizationMeant(provision.directory, wanted);
  for (const { schema, message } of migrated.failed) note(`${schema} could not be migrated: ${message}`);
  return {
    provision,
    migrated,
    perform,
    signIn,
    interruption,
    note,
    organization,
    deskOfToken: (token) => deskOfToken(token, 'cli', note),
    desk: async (wanted, onWarning = note, source = 'cli') => desk(await organization(wanted), source, onWarning),
  };
}

/** A log for commands, whose errors are printed by the command line instead. */
export function quietLog(config: Config): Log {
  return createLog(config.logLevel === 'debug' ? 'debug' : 'silent');
}

/** How long an interrupted command has to close its resources. */
const patienceMs = 10_000;

/** Closes the resources on a signal; otherwise an interrupted command would leave its database running. */
function watchSignals(resources: AsyncDisposableStack): AbortSignal {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
    process.stdin.destroy(); // ends waiting for input
    // A command blocked on a pipe notices no signal and does not exit by itself.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), patienceMs).unref();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  resources.defer(() => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal));
  return controller.signal;
}

async function openDatabase(
  { databaseUrl, dataDir }: Config,
  log: Log,
  resources: AsyncDisposableStack,
  note: (message: string) => void,
): Promise<Database> {
  let connection: Parameters<typeof connectDatabase>[0]['connection'];
  if (databaseUrl === undefined) {
    const { attachOrStart } = await import('../postgres/embedded/supervisor.ts');
    const embedded = await attachOrStart({ dataDir, log });
    resources.defer(() => embedded.stop());
    connection = embedded.connection;
    if (embedded.isNew) note(`Made a new data directory: ${dataDir}; set KITH_DATA_DIR to use another one`);
  } else connection = databaseUrl;
  const database = await connectDatabase({ connection, log });
  resources.defer(() => database.close());
  return database;
}

async function joinDatabase(
  { databaseUrl, dataDir }: Config,
  log: Log,
  resources: AsyncDisposableStack,
): Promise<Database | undefined> {
  const { findRunning } = await import('../postgres/embedded/supervisor.ts');
  const connection = databaseUrl ?? findRunning(dataDir);
  if (connection === undefined) return undefined;
  const database = await connectDatabase({ connection, log });
  resources.defer(() => database.close());
  return database;
}
