/**
 * The composition root: makes the parts of the service, in the order in which they need each other, and joins them. With
 * several workers this process has what there is once: the database, the demo and the limits.
 */
import { fstatSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.ts';
import { KithError } from './errors.ts';
import { openFront } from './front.ts';
import { requireFree } from './http/listening.ts';
import { createFirst } from './lib/first-organization.ts';
import { createLog } from './lib/log.ts';
import type { Log } from './lib/log.ts';
import { isLoopback } from './lib/loopback.ts';
import { ownVersion } from './lib/own-version.ts';
import type { LockedOut } from './directory/sealed.ts';
import { createLimiter } from './limits/in-process.ts';
import { openLimiter } from './limits/open.ts';
import { connectDatabase } from './postgres/connect.ts';
import type { DatabaseOptions } from './postgres/connect.ts';
import type { Database } from './postgres/database.ts';
import { refusalOf } from './postgres/remedy.ts';
import type { Connection } from './postgres/session.ts';
import { openDemo } from './demo/demo.ts';
import type { Demo } from './demo/demo.ts';
import { openKernel, type LimiterWith } from './kernel.ts';
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
const patienceMs = 30_000;

/** What there is to say of a service that is ready. */
export interface Started {
  readonly url: string;
  readonly config: Config;
  /** The database's server, such as `PostgreSQL 18.4`. */
  readonly server: string;
  readonly hasOrganizations: boolean;
  readonly demo: Demo | undefined;
  /** The organizations that the root secret at hand does not open. */
  readonly locked: LockedOut | undefined;
}

/**
 * Starts the service and prints how to reach it to `print`, standard output when it is not given, as `greet` says it.
 * `warnings` are those of the configuration. Throws with one sentence for the operator; nothing is left running then.
 */
export async function startService(
  config: Config,
  warnings: readonly string[] = [],
  print: (text: string) => void = (text) => process.stdout.write(text),
  greet: (started: Started) => string = greeting,
): Promise<Service> {
  const log = createLog(config.logLevel);
  for (const warning of warnings) log.warn({}, warning);
  const resources = new AsyncDisposableStack();
  try {
    const { broken, ...started } = await start(config, log, resources);
    const { url, demo } = started;
    print(greet(started));
    if (demo?.token !== undefined && [1, 2].some(isReadByOthers))
      log.warn({}, 'What is printed goes to a file that others can read, with the token of the demo: chmod 600 it');
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
): Promise<Started & Pick<Service, 'broken'>> {
  await requireFree(config.host, config.port);
  const { main, connection } = await openDatabase(config, log, resources);
  const { rateLimits, redisUrl, workers } = config;
  const here = rateLimits === 'off' ? undefined : createLimiter(rateLimits);
  const limiterWith: LimiterWith = (keyring) => {
    if (!here || workers > 1) return here; // of several workers, each has its own way to the store
    return openLimiter(
      { policies: here.policies, storeUrl: redisUrl, nameKey: keyring.current('limits').bytes, here, log },
      resources,
    );
  };
  const kernel = await openKernel(config, main, log, limiterWith).catch((error: unknown) => {
    throw refused(error, config) ?? error;
  });
  resources.defer(() => kernel.close());
  const locked = await kernel.lockedOut();
  if (locked) log.error({ organizations: locked.ids.slice(0, 20) }, locked.sentence);
  const { applied, failed, obstacles } = kernel.migrated;
  if (applied.length > 0) log.info({ applied }, 'The schemas were brought up to date');
  for (const { schema, message } of failed) log.error({ schema, reason: message }, 'A schema could not be migrated');
  for (const { schema, message } of obstacles) log.warn({ schema, reason: message }, 'An organization lacks something');
  const demo = config.demo ? await openDemo(kernel, new Date()) : undefined;
  const { url, broken } =
    workers === 1
      ? {
          url: await openFront({ config, main, kernel, log }, resources).listen(config.host, config.port),
          broken: never,
        }
      : await startWorkers({ config, connection, limiter: here, log }, resources);
  const leadsAstray = linksProblem(config, url);
  if (leadsAstray !== undefined) log.warn({}, leadsAstray);
  if (demo?.complete) resources.defer(completing(demo.complete, log));
  const hasOrganizations = (await kernel.provision.directory.organizations()).length > 0;
  return { url, broken, demo, config, locked, server: serverOf(main), hasOrganizations };
}

/** What is wrong with the links in mails that others get; undefined where nothing is. */
function linksProblem({ publicUrl, host, mail }: Config, url: string): string | undefined {
  if (publicUrl !== undefined || mail.smtpUrl === undefined || isLoopback(host)) return undefined;
  return `Links in mails lead to ${url}, which others may not reach: set KITH_PUBLIC_URL to the address that they use`;
}

function serverOf({ engine, serverVersion }: Database): string {
  const postgres = `PostgreSQL ${Math.floor(serverVersion / 10_000)}.${serverVersion % 10_000}`;
  return engine === 'citus' ? `Citus on ${postgres}` : postgres;
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
  // Beside workers there is little to read, or to write.
  const options = {
    log,
    processes: config.workers,
    ...(config.workers > 1 && { pipelinedClients: 1, writingClients: 0 }),
  };
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
    main = await connectPatiently({ connection, ...options }, log, (error) => refused(error, config));
  }
  resources.defer(() => main.close());
  return { main, connection };
}

/** What to tell instead where an external database wants to be granted something; no waiting helps then. */
function refused(error: unknown, { databaseUrl }: Config): Error | undefined {
  return databaseUrl === undefined ? undefined : refusalOf(error, databaseUrl);
}

/** A database may be started together with the service, and need longer. */
async function connectPatiently(
  options: DatabaseOptions,
  log: Log,
  refusalIn: (error: unknown) => Error | undefined,
): Promise<Database> {
  const deadline = performance.now() + patienceMs;
  for (let pauseMillis = 250; ; pauseMillis = Math.min(pauseMillis * 2, 4_000)) {
    try {
      return await connectDatabase(options);
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal) throw refusal;
      const passes = error instanceof KithError && error.code === 'UNAVAILABLE';
      if (!passes || performance.now() + pauseMillis > deadline) throw error;
      log.warn({ reason: error.message }, 'The database does not answer yet; trying again');
      await sleep(pauseMillis);
    }
  }
}

/** Whether the open file is one on disk that other accounts can read. */
function isReadByOthers(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFile() && (found.mode & 0o044) !== 0;
  } catch {
    return false; // it was closed
  }
}

const arriving = ' (its records come in over the next seconds)';

function greeting({ url, config, demo, locked, hasOrganizations }: Started): string {
  const lines = [
    `Kith ${ownVersion()} serves ${url}`,
    config.databaseUrl === undefined
      ? `data       ${config.dataDir}`
      : `data       ${config.dataDir} (the database is elsewhere)`,
    ...(config.workers > 1 ? [`workers    ${config.workers}`] : []),
    ...(locked ? [`secret     ${locked.sentence}`] : []),
    `demo       ${config.demo ? 'on' : 'off'}${demo ? `: ${demo.organizationName}` : ''}${demo?.complete ? arriving : ''}`,
  ];
  if (demo?.token !== undefined)
    lines.push(
      '',
      'Try it:',
      `  curl -s '${url}/api/v1/records/contacts?limit=2' -H 'Authorization: Bearer ${demo.token}'`,
      '',
    );
  if (!hasOrganizations) lines.push(`No organization yet: ${createFirst}`);
  lines.push('Another token: npx kith token create --help. Ctrl-C stops the service.');
  return `${lines.join('\n')}\n`;
}
