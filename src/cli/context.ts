/** What commands work with: the kernel on the database, or less of it, with or without a running server, and the signals that stop them. */
import { readConfig, type Config } from '../config.ts';
import { openGround, openKernel, type Ground, type Kernel } from '../kernel.ts';
import { createLog, type Log } from '../lib/log.ts';
import { connectDatabase } from '../postgres/connect.ts';
import type { Database } from '../postgres/database.ts';
import { exitCodes } from './exit-codes.ts';

export interface Context extends Pick<Kernel, 'provision' | 'migrated' | 'desk'> {
  /** Aborted by the first SIGINT or SIGTERM: stop at the next good place. The second one ends the process. */
  readonly interruption: AbortSignal;
  /** Something that a person should know beside the answer. */
  note(message: string): void;
}

/** For commands that look at what is there: nothing is migrated, and no secret is made. */
export interface Onlooker {
  readonly config: Config;
  /** Throws UNAVAILABLE without a database. */
  connect(): Promise<Database>;
  /** The way to the organizations on that database. */
  groundOn(main: Database): Promise<Ground>;
  note(message: string): void;
}

class Interrupted extends Error {
  readonly exitCode = exitCodes.interrupted;
}

/** Opens everything, brings the schemas up to date, does `work` and closes everything again. Throws UNAVAILABLE without a database. */
export function withContext<T>(note: (message: string) => void, work: (context: Context) => Promise<T>): Promise<T> {
  return withResources(note, async (config, resources, interruption) =>
    work(await openContext(config, resources, interruption, note)),
  );
}

/** Does `work`, which opens what it needs, and closes everything again. */
export function withOnlooker<T>(note: (message: string) => void, work: (onlooker: Onlooker) => Promise<T>): Promise<T> {
  return withResources(note, (config, resources) => {
    const log = quietLog(config);
    return work({
      config,
      connect: () => openDatabase(config, log, resources),
      async groundOn(main) {
        const ground = await openGround(config, main, log);
        resources.defer(() => ground.directory.close());
        return ground;
      },
      note,
    });
  });
}

async function withResources<T>(
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

async function openContext(
  config: Config,
  resources: AsyncDisposableStack,
  interruption: AbortSignal,
  note: (message: string) => void,
): Promise<Context> {
  const log = quietLog(config);
  const main = await openDatabase(config, log, resources);
  const { provision, migrated, desk, close } = await openKernel(config, main, log);
  resources.defer(close);
  for (const { schema, message } of migrated.failed) note(`${schema} could not be migrated: ${message}`);
  return { provision, migrated, desk, interruption, note };
}

/** Errors are told once, as the command's own. */
function quietLog(config: Config): Log {
  return createLog(config.logLevel === 'debug' ? 'debug' : 'silent');
}

/** Without this, an interrupted command would leave the database running that it started. */
function watchSignals(resources: AsyncDisposableStack): AbortSignal {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
    process.stdin.destroy(); // whoever waits for input stops waiting
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  resources.defer(() => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal));
  return controller.signal;
}

async function openDatabase(
  { databaseUrl, dataDir }: Config,
  log: Log,
  resources: AsyncDisposableStack,
): Promise<Database> {
  let connection: Parameters<typeof connectDatabase>[0]['connection'];
  if (databaseUrl === undefined) {
    const { attachOrStart } = await import('../postgres/embedded/supervisor.ts');
    const embedded = await attachOrStart({ dataDir, log });
    resources.defer(() => embedded.stop());
    connection = embedded.connection;
  } else connection = databaseUrl;
  const database = await connectDatabase({ connection, log });
  resources.defer(() => database.close());
  return database;
}
