/**
 * A process that carries out jobs, for tests that kill it. It tells where each job is and, where it is told to hold, waits to
 * be sent on. Its clock may be ahead: what others hold is then over for it.
 */
import { createKeyring } from '../../src/auth/keys.ts';
import { createDirectory } from '../../src/directory/directory.ts';
import { startRunner } from '../../src/jobs/runner.ts';
import { connectDatabase } from '../../src/postgres/connect.ts';
import { silentLog } from '../support/log.ts';
import { stepping } from './steps.ts';

export interface WorkerOptions {
  readonly url: string;
  readonly aheadMs: number;
  /** The places where it waits. */
  readonly holds: readonly string[];
}

/** A place that a job has come to; `ready` when it works, `stopped` when it has handed back what it had. */
export type FromWorker = { readonly place: string; readonly name?: string };
export type ToWorker = 'on' | 'stop';

const { url, aheadMs, holds } = JSON.parse(process.argv[2] ?? '') as WorkerOptions;
const clock = { now: () => Date.now() + aheadMs };
const main = await connectDatabase({ connection: url, log: silentLog });
const connect = () => Promise.reject(new Error('There is no second cluster'));
const directory = createDirectory({ main, keyring: createKeyring('secret', []), connect, clock });
const tell = (message: FromWorker) => process.send?.(message);
let on = Promise.withResolvers<void>();

const kind = stepping(async (place, job) => {
  tell({ place, name: (job.input as { name: string }).name });
  if (holds.includes(place)) await on.promise;
});
const runner = startRunner({ directory, clock, log: silentLog, kinds: [kind] });
process.on('message', (message: ToWorker) => {
  if (message === 'on') {
    on.resolve();
    on = Promise.withResolvers();
  } else void runner.stop().then(() => tell({ place: 'stopped' }));
});
process.on('disconnect', () => process.exit(0));
tell({ place: 'ready' });
