/** One worker process as the primary sees it. */
import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import type { Measured } from '../http/metrics.ts';
import type { LimiterHere } from '../limits/in-process.ts';
import type { Connection } from '../postgres/session.ts';
import { closeHandedOver } from './handover.ts';
import type { ToPrimary, ToWorker } from './messages.ts';
import { watchPulse } from './pulse.ts';

export interface MemberParts {
  readonly config: Config;
  readonly connection: Connection;
  /** Counts for all workers. */
  readonly limiter: LimiterHere | undefined;
  /** What all processes have measured. */
  gather(): Promise<string>;
}

export interface Member {
  readonly pid: number | undefined;
  /** Resolves to the base URL; rejects when the process does not come so far. */
  readonly ready: Promise<string>;
  /** Resolves, with the reason, when the process has ended. */
  readonly ended: Promise<string>;
  /** What it has measured; nothing when it ends or hangs meanwhile. */
  measure(): Promise<Measured>;
  /** It takes no more connections, and answers on those that it has; resolves when it is so, or it has ended. */
  stopListening(): Promise<void>;
  /** Lets it finish what it has. */
  stop(): void;
  kill(): void;
}

const launcher = fileURLToPath(new URL('../../bin/kith.js', import.meta.url));
const measureMillis = 2_000;

/** Starts a process that serves with `config`; it is ended when it hangs. */
export function launch({ config, connection, limiter, gather }: MemberParts): Member {
  // Round robin: where workers take connections themselves, a few long-lived ones may all end up with one of them.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: launcher, args: ['serve'] });
  const worker = cluster.fork();
  closeHandedOver(worker.process);
  const tell = (message: ToWorker) => void worker.send(message, () => {});
  const ready = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<string>();
  const measurements = createMeasurements(tell, ended.promise);
  const deaf = Promise.withResolvers<void>();
  const kill = () => void worker.process.kill('SIGKILL');
  let hung: string | undefined;
  const pulse = watchPulse(
    () => tell({ kind: 'pulse' }),
    (seconds) => {
      hung = `no sign of life for ${seconds} seconds`;
      kill();
    },
  );
  worker.once('error', (error) => ended.resolve(error.message));
  worker.once('exit', (code, signal) => ended.resolve(hung ?? signal ?? `exit code ${code}`));
  void ended.promise.then((reason) => {
    pulse.stop();
    deaf.resolve();
    ready.reject(new Error(`A worker process ended before it was ready: ${reason}`));
  });
  ready.promise.catch(() => {}); // where it counts, somebody waits for it
  worker.on('message', (message: ToPrimary) => {
    pulse.felt();
    if (message.kind === 'ready') ready.resolve(message.url);
    else if (message.kind === 'failed') ready.reject(new Error(message.message));
    else if (message.kind === 'stopped-listening') deaf.resolve();
    else if (message.kind === 'measured') measurements.answer(message.id, message.measured);
    else if (message.kind === 'gather') void gather().then((text) => tell({ ...message, kind: 'metrics', text }));
    else if (message.kind === 'take' && limiter) {
      const answers = message.claims.map(([id, policy, identity]) => [id, limiter.take(policy, identity)] as const);
      tell({ kind: 'limitDecisions', answers });
    }
  });
  tell({ kind: 'start', config, connection });
  return {
    pid: worker.process.pid,
    ready: ready.promise,
    ended: ended.promise,
    measure: measurements.ask,
    stopListening() {
      tell({ kind: 'stop-listening' });
      return deaf.promise;
    },
    stop: () => tell({ kind: 'stop' }),
    kill,
  };
}

/** What one worker is asked for, and answers later or never; nothing when it has ended. */
function createMeasurements(tell: (message: ToWorker) => void, ended: Promise<string>) {
  const open = new Map<number, (measured: Measured) => void>();
  let lastId = 0;
  return {
    answer: (id: number, measured: Measured) => open.get(id)?.(measured),
    ask(): Promise<Measured> {
      const id = ++lastId;
      const { promise, resolve } = Promise.withResolvers<Measured>();
      open.set(id, resolve);
      const nothing = setTimeout(resolve, measureMillis, []);
      void ended.then(() => resolve([]));
      tell({ kind: 'measure', id });
      return promise.finally(() => {
        clearTimeout(nothing);
        open.delete(id);
      });
    },
  };
}
