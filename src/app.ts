/**
 * The composition root: makes the parts of the service, in the order in which they need each other, and joins them. With
 * several workers this process has what there is once: the database, the demo, the sweep and the limits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.ts';
import { KithError } from './errors.ts';
import { openFront } from './front.ts';
import { createLog } from './lib/log.ts';
import type { Log } from './lib/log.ts';
import { ownVersion } from './lib/own-version.ts';
import { createLimiter } from './limits/in-process.ts';
import { connectDatabase } from './postgres/connect.ts';
import type { DatabaseOptions } from './postgres/connect.ts';
import type { Database } from './postgres/database.ts';
import type { Connection } from './postgres/session.ts';
import { openDemo } from './demo/demo.ts';
import type { Demo } from './demo/demo.ts';
import { openKernel } from './kernel.ts';
import { startWorkers } from './workers/primary.ts';

export interface Service {
  /** The base URL. */
  readonly url: string;
  /** Rejects, with one sentence for the operator, when it can serve no longer. */
  readonly broken: Promise<never>;
  /** Finishes the requests in flight, closes everything; takes ten seconds at most. May be called twice. */
  stop(): Promise<void>;
}

const never = new Promise<never>(() => {});

/** How long a start waits for a DATABASE_URL that does not answer. */
const patienceMillis = 30_000;

/**
 * Starts the service and prints how to reach it to `print`, standard output when it is not given. `warnings` are those of
 * the configuration. Throws with one sentence for the operator; nothing is left running then.
 */
export async function startService(
  config: Config,
  warnings: readonly string[] = [],
  print: (text: string) => void = (text) => process.stdout.write(text),
): Promise<Service> {
  const log = createLog(config.logLevel);
  for (const warning of warnings) log.warn({}, warning);
  const resources = new AsyncDisposableStack();
  try {
    const { url, broken, demo } = await start(config, log, resources);
    print(greeting(url, config, demo));
    return { url, broken, stop: () => resources.disposeAsync() };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

/** What it opens is closed with `resources`, in the opposite order. */
async function start(
  config: Config,
  log: Log,
  resources: AsyncDisposableStack,
): Promise<Pick<Service, 'url' | 'broken'> & { demo: Demo | undefined }> {
  const { main, connection } = await openDatabase(config, log, resources);
  const limiter = config.rateLimits === 'off' ? undefined : createLimiter(config.rateLimits);
  const kernel = await openKernel(config, main, log, limiter);
  resources.defer(() => kernel.close());
  const { applied, failed } = kernel.migrated;
  if (applied.length > 0) log.info({ applied }, 'The schemas were brought up to date');
  for (const { schema, message } of failed) log.error({ schema, reason: message }, 'A schema could not be migrated');
  const demo = config.demo ? await openDemo(kernel, new Date()) : undefined;
  resources.defer(kernel.keepSweeping());
  resources.defer(kernel.keepUp());
  const { url, broken } =
    config.workers === 1
      ? { url: await openFront({ config, main, kernel, limiter, log }, resources), broken: never }
      : await startWorkers({ config, connection, limiter, log }, resources);
  if (demo?.complete) resources.defer(completing(demo.complete, log));
  return { url, broken, demo };
}

/** Fills the demo beside requests. Returned is what stops it; the next start goes on then. */
function completing(complete: NonNullable<Demo['complete']>, log: Log): () => Promise<void> {
  const stop = new AbortController();
  const completed = complete(stop.signal).then(
    () => log.info({}, 'The demo is complete'),
    (error: unknown) => {
      if (!stop.signal.aborted) log.error({ error }, 'The demo is not complete; the next start goes on with it');
    },
  );
  return () => {
    stop.abort();
    return completed;
  };
}

async function openDatabase(
  config: Config,
  log: Log,
  resources: AsyncDisposableStack,
): Promise<{ main: Database; connection: Connection }> {
  // Beside workers there is little to read.
  const options = { log, processes: config.workers, ...(config.workers > 1 && { pipelinedClients: 1 }) };
  let connection: Connection;
  let main: Database;
  if (config.databaseUrl === undefined) {
    const { startEmbedded } = await import('./postgres/embedded/supervisor.ts');
    const embedded = await startEmbedded({ dataDir: config.dataDir, log });
    resources.defer(() => embedded.stop());
    ({ connection } = embedded);
    main = await connectDatabase({ connection, ...options });
  } else {
    connection = config.databaseUrl;
    main = await connectPatiently({ connection, ...options }, log);
  }
  resources.defer(() => main.close());
  return { main, connection };
}

/** A database may be started together with the service, and need longer. */
async function connectPatiently(options: DatabaseOptions, log: Log): Promise<Database> {
  const deadline = performance.now() + patienceMillis;
  for (let pauseMillis = 250; ; pauseMillis = Math.min(pauseMillis * 2, 4_000)) {
    try {
      return await connectDatabase(options);
    } catch (error) {
      const passes = error instanceof KithError && error.code === 'UNAVAILABLE';
      if (!passes || performance.now() + pauseMillis > deadline) throw error;
      log.warn({ reason: error.message }, 'The database does not answer yet; trying again');
      await sleep(pauseMillis);
    }
  }
}

const arriving = ' (its records come in over the next seconds)';

function greeting(url: string, config: Config, demo: Demo | undefined): string {
  const lines = [
    `Kith ${ownVersion()} serves ${url}`,
    config.databaseUrl === undefined
      ? `data       ${config.dataDir}`
      : `data       ${config.dataDir} (the database is elsewhere)`,
    ...(config.workers > 1 ? [`workers    ${config.workers}`] : []),
    `demo       ${config.demo ? 'on' : 'off'}${demo ? `: ${demo.organizationName}` : ''}${demo?.complete ? arriving : ''}`,
  ];
  if (demo?.token !== undefined)
    lines.push(
      '',
      'Try it:',
      `  curl -s '${url}/api/v1/records/contacts?limit=2' -H 'Authorization: Bearer ${demo.token}'`,
      '',
    );
  lines.push('Another token: npx kith token create --help. Ctrl-C stops the service.');
  return `${lines.join('\n')}\n`;
}
