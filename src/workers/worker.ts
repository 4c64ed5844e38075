/**
 * A worker: serves HTTP like a service of one process, on the database and with the configuration that the primary gave
 * it, and asks the primary for what is counted over all workers. It ends when the primary says so, or is gone.
 */
import type { Socket } from 'node:net';
import { errors } from '../errors.ts';
import { openFront, type Front } from '../front.ts';
import type { Measured, SharedMetrics } from '../http/metrics.ts';
import { openKernel, type LimiterWith } from '../kernel.ts';
import { logLastWords } from '../lib/last-words.ts';
import { createLog } from '../lib/log.ts';
import { messageOf } from '../lib/thrown.ts';
import { createRemoteLimiter, type RemoteLimiter } from '../limits/remote.ts';
import { createLimiter } from '../limits/in-process.ts';
import { openLimiter } from '../limits/open.ts';
import { strictly } from '../limits/strict.ts';
import { connectDatabase } from '../postgres/connect.ts';
import type { ToPrimary, ToWorker } from './messages.ts';

/** Requests get nine seconds to finish; what hangs longer is cut off. */
const patienceMillis = 10_000;

type Start = Extract<ToWorker, { kind: 'start' }>;

/** Works until told to stop; ends the process. */
export async function work(): Promise<void> {
  // A terminal or a supervisor may signal all processes at once: when a worker ends is for the primary to say.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const metrics = createSharedMetrics();
  const started = Promise.withResolvers<Start>();
  /** In how many milliseconds, when the primary says so. */
  const stopped = Promise.withResolvers<number | undefined>();
  let front: Front | undefined;
  let remote: RemoteLimiter | undefined;
  /** Whether the connection that was sent last has come. */
  let came = false;
  // Both ends of the channel are Kith.
  process.on('message', (message: unknown, connection?: Socket) => {
    const told = message as ToWorker;
    if (told.kind === 'start') started.resolve(told);
    else if (told.kind === 'limitDecisions') remote?.answer(told.answers);
    else if (told.kind === 'measure') void metrics.measured(told.id);
    else if (told.kind === 'pulse') tell({ kind: 'pulse' });
    else if (told.kind === 'serves') front?.servesAt(told.url);
    else if (told.kind === 'metrics') metrics.gathered(told.id, told.text);
    else if (told.kind === 'connection') {
      if (!connection) return;
      came = true;
      // First: the primary may not give it to another when something was read from it.
      tell({ kind: 'confirmed', came });
      take(connection, front);
    } else if (told.kind === 'sent') {
      if (!came) tell({ kind: 'confirmed', came });
      came = false;
    } else stopped.resolve(told.withinMillis);
  });
  process.once('disconnect', () => {
    remote?.end();
    stopped.resolve(undefined);
  });
  const resources = new AsyncDisposableStack();
  try {
    const given = await started.promise;
    const { rateLimits } = given.config;
    if (rateLimits !== 'off') remote = createRemoteLimiter(rateLimits, (claims) => tell({ kind: 'take', claims }));
    front = await start(given, remote, metrics, resources);
    await front.open();
    tell({ kind: 'ready' });
  } catch (error) {
    tell({ kind: 'failed', message: messageOf(error) });
    await resources.disposeAsync();
    process.exit(1);
  }
  const withinMillis = await stopped.promise;
  setTimeout(() => process.exit(1), patienceMillis).unref();
  await front.close(withinMillis);
  await resources.disposeAsync();
  process.exit(0);
}

async function start(
  { config, connection }: Start,
  remote: RemoteLimiter | undefined,
  sharedMetrics: SharedMetrics,
  resources: AsyncDisposableStack,
): Promise<Front> {
  const log = createLog(config.logLevel);
  logLastWords(log);
  const main = await connectDatabase({ connection, log, processes: config.workers });
  resources.defer(() => main.close());
  const limiterWith: LimiterWith = (keyring) => {
    if (!remote) return undefined;
    const { policies } = remote;
    // Where the primary does not answer either, this process counts what nobody may do uncounted.
    const here = strictly(remote, createLimiter(policies));
    return openLimiter(
      { policies, storeUrl: config.redisUrl, nameKey: keyring.current('limits').bytes, here, log },
      resources,
    );
  };
  const kernel = await openKernel(config, main, log, limiterWith);
  resources.defer(() => kernel.close());
  return openFront({ config, main, kernel, log, sharedMetrics }, resources);
}

function take(connection: Socket, front: Front | undefined): void {
  connection.allowHalfOpen = true; // as that of a server, and unlike what Node makes of one that was sent
  front?.take(connection);
}

function createSharedMetrics() {
  const open = new Map<number, (text: string) => void>();
  let measure: () => Promise<Measured> = () => Promise.resolve([]);
  let lastId = 0;
  return {
    offer(own: typeof measure): void {
      measure = own;
    },
    gather(): Promise<string> {
      if (!process.connected) throw errors.unavailable(new Error('The primary process is gone'));
      const { promise, resolve } = Promise.withResolvers<string>();
      open.set(++lastId, resolve);
      tell({ kind: 'gather', id: lastId });
      return promise;
    },
    async measured(id: number): Promise<void> {
      tell({ kind: 'measured', id, measured: await measure() });
    },
    gathered(id: number, text: string): void {
      open.get(id)?.(text);
      open.delete(id);
    },
  };
}

/** Says nothing when nobody is there any more. */
function tell(message: ToPrimary): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
