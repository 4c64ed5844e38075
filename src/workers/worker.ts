/**
 * A worker: serves HTTP like a single-process service, with the primary's configuration, and asks the primary for
 * what is counted over all workers. It ends when the primary says so, or is gone.
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

/** Requests get nine seconds to finish; longer ones are cut off. */
const patienceMs = 10_000;

type Start = Extract<ToWorker, { kind: 'start' }>;

/** Works until received to stop, then ends the process. */
export async function work(): Promise<void> {
  // A terminal or a supervisor may signal all processes at once; the primary decides when a worker ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const metrics = createSharedMetrics();
  const started = Promise.withResolvers<Start>();
  /** The milliseconds until the stop, from the primary. */
  const stopped = Promise.withResolvers<number | undefined>();
  let front: Front | undefined;
  let remote: RemoteLimiter | undefined;
  /** Whether the last sent connection arrived. */
  let came = false;
  // Both ends of the channel are Kith, so messages are trusted.
  process.on('message', (message: unknown, connection?: Socket) => {
    const received = message as ToWorker;
    if (received.kind === 'start') started.resolve(received);
    else if (received.kind === 'limitDecisions') remote?.answer(received.answers);
    else if (received.kind === 'measure') void metrics.measured(received.id);
    else if (received.kind === 'pulse') send({ kind: 'pulse' });
    else if (received.kind === 'serves') front?.servesAt(received.url);
    else if (received.kind === 'metrics') metrics.gathered(received.id, received.text);
    else if (received.kind === 'connection') {
      if (!connection) return;
      came = true;
      // Confirm before reading: the primary may otherwise give a connection with consumed bytes to another worker.
      send({ kind: 'confirmed', came });
      take(connection, front);
    } else if (received.kind === 'sent') {
      if (!came) send({ kind: 'confirmed', came });
      came = false;
    } else stopped.resolve(received.withinMillis);
  });
  process.once('disconnect', () => {
    remote?.end();
    stopped.resolve(undefined);
  });
  const resources = new AsyncDisposableStack();
  try {
    const given = await started.promise;
    const { rateLimits } = given.config;
    if (rateLimits !== 'off') remote = createRemoteLimiter(rateLimits, (claims) => send({ kind: 'take', claims }));
    front = await start(given, remote, metrics, resources);
    await front.open();
    send({ kind: 'ready' });
  } catch (error) {
    send({ kind: 'failed', message: messageOf(error) });
    await resources.disposeAsync();
    process.exit(1);
  }
  const withinMillis = await stopped.promise;
  setTimeout(() => process.exit(1), patienceMs).unref();
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
    // If the primary does not answer either, this process counts the policies that must not go uncounted.
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
  connection.allowHalfOpen = true; // as for connections of a server, unlike Node's default for sent ones
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
      send({ kind: 'gather', id: lastId });
      return promise;
    },
    async measured(id: number): Promise<void> {
      send({ kind: 'measured', id, measured: await measure() });
    },
    gathered(id: number, text: string): void {
      open.get(id)?.(text);
      open.delete(id);
    },
  };
}

/** Does nothing when the primary is gone. */
function send(message: ToPrimary): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
