/** What commands work with: configuration, the database (with or without a running server), keys, directory. */
import { createKeyring, type Keyring } from '../auth/keys.ts';
import { loadSecret } from '../auth/secret.ts';
import { createTokens } from '../auth/tokens.ts';
import { readConfig, type Config } from '../config.ts';
import { createDirectory, type Directory } from '../directory/directory.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog, type Log } from '../lib/log.ts';
import { connectDatabase } from '../postgres/connect.ts';
import type { Database } from '../postgres/database.ts';
import { attachOrStart } from '../postgres/embedded/supervisor.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import { migrate, type MigrationResult } from '../provision/migrate.ts';
import { exitCodes } from './exit-codes.ts';

export interface Context {
  readonly directory: Directory;
  readonly provision: ProvisionDeps;
  /** What had to be done so that this program can work on the database. */
  readonly migrated: MigrationResult;
  /** Aborted by the first SIGINT or SIGTERM: stop at the next good place. The second one ends the process. */
  readonly interruption: AbortSignal;
  /** Something that a person should know beside the answer. */
  note(message: string): void;
}

export class Interrupted extends Error {
  readonly exitCode = exitCodes.interrupted;
}

/** Opens everything, brings the schemas up to date, does `work` and closes everything again. Throws UNAVAILABLE without a database. */
export async function withContext<T>(note: (message: string) => void, work: (context: Context) => Promise<T>): Promise<T> {
  const { config, warnings } = readConfig();
  warnings.forEach(note);
  // Errors are told once, as the command's own.
  const log = createLog(config.logLevel === 'debug' ? 'debug' : 'silent');
  await using resources = new AsyncDisposableStack();
  const interruption = watchSignals(resources);
  const main = await openDatabase(config, log, resources);
  const clock = systemClock;
  const keyring = await openKeyring(config);
  const connect = (url: string) => connectDatabase({ connection: url, log });
  const directory = createDirectory({ main, keyring, connect, clock });
  resources.defer(() => directory.close());
  const migrated = await migrate({ main, directory, clock });
  for (const { schema, message } of migrated.failed) note(`${schema} could not be migrated: ${message}`);
  const provision = { directory, keyring, tokens: createTokens(keyring, clock), clock };
  try {
    return await work({ directory, provision, migrated, interruption, note });
  } catch (error) {
    throw interruption.aborted ? new Interrupted('Interrupted', { cause: error }) : error;
  }
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

async function openKeyring({ secretKey, oldSecretKeys, dataDir }: Config): Promise<Keyring> {
  return createKeyring(secretKey ?? (await loadSecret(dataDir)), oldSecretKeys);
}

async function openDatabase({ databaseUrl, dataDir }: Config, log: Log, resources: AsyncDisposableStack): Promise<Database> {
  let connection: Parameters<typeof connectDatabase>[0]['connection'];
  if (databaseUrl === undefined) {
    const embedded = await attachOrStart({ dataDir, log });
    resources.defer(() => embedded.stop());
    connection = embedded.connection;
  } else connection = databaseUrl;
  const database = await connectDatabase({ connection, log });
  resources.defer(() => database.close());
  return database;
}
