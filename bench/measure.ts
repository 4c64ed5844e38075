/** What requests cost, measured from outside: the processor time of the service and of PostgreSQL while they are answered. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Ask, Job, Outcome } from './load-generator.ts';
import { processorSeconds } from './processes.ts';

export interface Target {
  readonly pid: number;
  readonly port: number;
  readonly authorization: string;
}

/** Milliseconds of processor time for one answer. */
export interface Cost {
  readonly service: number;
  readonly postgres: number;
  readonly medianMs: number;
}

export interface Load {
  readonly connections: number;
  readonly measuredMs: number;
  readonly warmupMs?: number;
}

/** Sends `asks` in turn for a while; `postgres` is the process above all of the server's. Throws when one is refused. */
export async function measure(target: Target, postgres: number, asks: readonly Ask[], load: Load): Promise<Cost> {
  const generator = fork(fileURLToPath(new URL('load-generator.ts', import.meta.url)));
  const { port, authorization } = target;
  generator.send({ port, authorization, warmupMs: 1500, ...load, asks } satisfies Job);
  await once(generator, 'message');
  const before = [processorSeconds(target.pid), processorSeconds(postgres)] as const;
  const [{ answers, failure, medianMs }] = (await once(generator, 'message')) as [Outcome];
  if (failure !== undefined) throw new Error(`${asks[0]?.method} ${asks[0]?.path}: ${failure}`);
  const cost = (now: number, then: number) => ((now - then) / answers) * 1000;
  return {
    service: cost(processorSeconds(target.pid), before[0]),
    postgres: cost(processorSeconds(postgres), before[1]),
    medianMs,
  };
}
