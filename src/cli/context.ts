/** What commands work with: the kernel on the database, with or without a running server, and the signals that stop them. */
import { readConfig, type Config } from '../config.ts';
import { openKernel, type Kernel } from '../kernel.ts';
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

class Interrupted extends Error {
  readonly exitCode = exitCodes.interrupted;
}

/** Opens everything, brings the schemas up to date, does `work` and closes everything again. Throws UNAVAILABLE without a database. */
export async function withContext<T>(
  note: (message: string) => void,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const { config, warnings } = readConfig();
  warnings.forEach(note);
  const resources = new AsyncDisposableStack();
  const interruption = watchSignals(resources);
  try {
    return await work(await openContext(config, resources, interruption, note));
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
  // Errors are told once, as the command's own.
  const log = createLog(config.logLevel === 'debug' ? 'debug' : 'silent');
  const main = await openDatabase(config, log, resources);
  const { provision, migrated, desk, close } = await openKernel(config, main, log);
  resources.defer(close);
  for (const { schema, message } of migrated.failed) note(`${schema} could not be migrated: ${message}`);
  return { provision, migrated, desk, interruption, note };
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
