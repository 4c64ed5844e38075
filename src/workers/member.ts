/** One worker process as the primary sees it. */
import { fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import type { Measured } from '../http/metrics.ts';
import { answersTo } from '../limits/remote.ts';
import type { LimiterHere } from '../limits/in-process.ts';
import type { Connection } from '../postgres/session.ts';
import type { Handover, Taker } from './handover.ts';
import type { ToPrimary, ToWorker } from './messages.ts';
import { workerMark } from './mark.ts';
import { watchPulse } from './pulse.ts';

export interface MemberParts {
  readonly config: Config;
  readonly connection: Connection;
  /** Counts for all workers. */
  readonly limiter: LimiterHere | undefined;
  /** Where it gets its connections from. */
  readonly handover: Handover;
  /** Where the primary listens, once it does. */
  readonly url: Promise<string>;
  /** What all processes have measured. */
  gather(): Promise<string>;
}

export interface Member {
  readonly pid: number | undefined;
  /** Resolves when it gets connections; rejects when the process does not come so far. */
  readonly ready: Promise<void>;
  /** Resolves, with the reason, when the process has ended. */
  readonly ended: Promise<string>;
  /** What it has measured; nothing when it ends or hangs meanwhile. */
  measure(): Promise<Measured>;
  /** Lets it finish what it has, for so many milliseconds. */
  stop(withinMillis: number): void;
  kill(): void;
}

const launcher = fileURLToPath(new URL('../../bin/kith.js', import.meta.url));
const measureMillis = 2_000;

/** Starts a process that serves with `config`; it is ended when it hangs. */
export function launch({ config, connection, limiter, handover, url, gather }: MemberParts): Member {
  const worker = fork(launcher, ['serve'], { env: { ...process.env, [workerMark]: '1' } });
  const tell = (message: ToWorker) => void worker.send(message, () => {});
  // Kept open here, to be given to another when this one does not come to take it.
  const hand = (taken: Socket) => {
    worker.send({ kind: 'connection' } satisfies ToWorker, taken, { keepOpen: true }, () => {});
    tell({ kind: 'sent' });
  };
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  let taker: Taker | undefined;
  const measurements = createMeasurements(tell, ended.promise);
  const kill = () => void worker.kill('SIGKILL');
  let hung: string | undefined;
  const pulse = watchPulse(
    () => tell({ kind: 'pulse' }),
    (seconds) => {
      hung = `no sign of life for ${seconds} seconds`;
      kill();
    },
  );
  worker.once('error', (error) => ended.resolve(error.message));
  // Not at its exit, when what it has confirmed may still be on its way; and of a channel with a connection in it that nobody
  // takes any more, Node tells no 'disconnect'.
  worker.once('close', () => taker?.leave());
  worker.once('exit', (code, signal) => ended.resolve(hung ?? signal ?? `exit code ${code}`));
  void ended.promise.then((reason) => {
    pulse.stop();
    ready.reject(new Error(`A worker process ended before it was ready: ${reason}`));
  });
  ready.promise.catch(() => {}); // where it counts, somebody waits for it
  worker.on('message', (message: ToPrimary) => {
    pulse.felt();
    if (message.kind === 'ready') {
      taker = handover.join(hand);
      ready.resolve();
      void url.then((at) => tell({ kind: 'serves', url: at }));
    } else if (message.kind === 'failed') ready.reject(new Error(message.message));
    else if (message.kind === 'confirmed') taker?.confirmed(message.came);
    else if (message.kind === 'measured') measurements.answer(message.id, message.measured);
    else if (message.kind === 'gather') void gather().then((text) => tell({ ...message, kind: 'metrics', text }));
    else if (message.kind === 'take' && limiter) {
      tell({ kind: 'limitDecisions', answers: answersTo(message.claims, limiter) });
    }
  });
  tell({ kind: 'start', config, connection });
  return {
    pid: worker.pid,
    ready: ready.promise,
    ended: ended.promise,
    measure: measurements.ask,
    stop: (withinMillis) => tell({ kind: 'stop', withinMillis }),
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
