/** A worker process as seen by the primary. */
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
  /** The source of its connections. */
  readonly handover: Handover;
  /** The primary's URL, once it listens. */
  readonly url: Promise<string>;
  /** The metrics of all processes. */
  gather(): Promise<string>;
}

export interface Member {
  readonly pid: number | undefined;
  /** Resolves when it accepts connections; rejects when the process ends earlier. */
  readonly ready: Promise<void>;
  /** Resolves, with the reason, when the process has ended. */
  readonly ended: Promise<string>;
  /** Its metrics; empty when it ends or hangs meanwhile. */
  measure(): Promise<Measured>;
  /** Lets it finish its requests within so many milliseconds. */
  stop(withinMillis: number): void;
  kill(): void;
}

const launcher = fileURLToPath(new URL('../../bin/kith.js', import.meta.url));
const measureMillis = 2_000;

/** Starts a process that serves with `config`; it is killed when it hangs. */
export function launch({ config, connection, limiter, handover, url, gather }: MemberParts): Member {
  const worker = fork(launcher, ['serve'], { env: { ...process.env, [workerMark]: '1' } });
  const send = (message: ToWorker) => void worker.send(message, () => {});
  // Kept open here, to give it to another worker when this one does not take it.
  const hand = (taken: Socket) => {
    worker.send({ kind: 'connection' } satisfies ToWorker, taken, { keepOpen: true }, () => {});
    send({ kind: 'sent' });
  };
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  let taker: Taker | undefined;
  const measurements = createMeasurements(send, ended.promise);
  const kill = () => void worker.kill('SIGKILL');
  let hung: string | undefined;
  const pulse = watchPulse(
    () => send({ kind: 'pulse' }),
    (seconds) => {
      hung = `no sign of life for ${seconds} seconds`;
      kill();
    },
  );
  worker.once('error', (error) => ended.resolve(error.message));
  // On 'close' rather than 'exit', since confirmations may still be in transit; Node emits no 'disconnect' on a
  // channel with an untaken connection.
  worker.once('close', () => taker?.leave());
  worker.once('exit', (code, signal) => ended.resolve(hung ?? signal ?? `exit code ${code}`));
  void ended.promise.then((reason) => {
    pulse.stop();
    ready.reject(new Error(`A worker process ended before it was ready: ${reason}`));
  });
  ready.promise.catch(() => {}); // whoever needs it awaits it
  worker.on('message', (message: ToPrimary) => {
    pulse.felt();
    if (message.kind === 'ready') {
      taker = handover.join(hand);
      ready.resolve();
      void url.then((at) => send({ kind: 'serves', url: at }));
    } else if (message.kind === 'failed') ready.reject(new Error(message.message));
    else if (message.kind === 'confirmed') taker?.confirmed(message.came);
    else if (message.kind === 'measured') measurements.answer(message.id, message.measured);
    else if (message.kind === 'gather') void gather().then((text) => send({ ...message, kind: 'metrics', text }));
    else if (message.kind === 'take' && limiter) {
      send({ kind: 'limitDecisions', answers: answersTo(message.claims, limiter) });
    }
  });
  send({ kind: 'start', config, connection });
  return {
    pid: worker.pid,
    ready: ready.promise,
    ended: ended.promise,
    measure: measurements.ask,
    stop: (withinMillis) => send({ kind: 'stop', withinMillis }),
    kill,
  };
}

/** Requests to one worker, answered later or never; empty when it has ended. */
function createMeasurements(send: (message: ToWorker) => void, ended: Promise<string>) {
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
      send({ kind: 'measure', id });
      return promise.finally(() => {
        clearTimeout(nothing);
        open.delete(id);
      });
    },
  };
}
