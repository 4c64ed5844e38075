/**
 * Runs two pieces of work on two connections so that only one of them moves at a time: a scheduler decides before each
 * statement whose turn it is. A statement that waits for a lock is seen in pg_locks, and then the other one moves.
 */
import type { Database, Transaction } from '../../src/postgres/database.ts';
import type { Statement } from '../../src/postgres/sql.ts';
import { randomFrom } from '../query/random.ts';
import type { Monitor } from './monitor.ts';

/** One of the two: `pass` stands before each of its statements. */
export interface Turnstile {
  pass(): Promise<void>;
}

/** Picks one of `options`, which has two or more. */
export type Choose = (options: readonly number[]) => number;

interface Actor extends Turnstile {
  state: 'idle' | 'running' | 'waiting';
  go: () => void;
}

export interface Interleaver {
  readonly turnstiles: readonly Turnstile[];
  /** Runs both works to their ends. Answers whose turn each step was. */
  run(works: readonly (() => Promise<unknown>)[], choose: Choose): Promise<readonly number[]>;
}

/** `names` are the application_name of the connections behind each turnstile; `monitor` looks on. */
export function interleaver(names: readonly string[], monitor: Monitor): Interleaver {
  let wake = () => {};
  const actors = names.map((): Actor => {
    const actor: Actor = {
      state: 'idle',
      go: () => {},
      pass() {
        if (actor.state === 'idle') return Promise.resolve();
        actor.state = 'waiting';
        const { promise, resolve } = Promise.withResolvers<void>();
        actor.go = resolve;
        wake();
        return promise;
      },
    };
    return actor;
  });

  /** Until each one waits at its turnstile, is through, or hangs on a lock that another one holds. */
  async function settle(): Promise<void> {
    for (;;) {
      const running = () => names.filter((_, index) => actors[index]?.state === 'running');
      const before = running();
      if (before.length === 0) return;
      const changed = new Promise<void>((resolve) => (wake = resolve));
      const blocked = await Promise.race([changed.then((): string[] => []), monitor.blocked()]);
      const after = running();
      const others = actors.some((actor) => actor.state === 'waiting');
      if (others && after.length === before.length && after.every((name) => blocked.includes(name))) return;
    }
  }

  async function run(works: readonly (() => Promise<unknown>)[], choose: Choose): Promise<readonly number[]> {
    const turns: number[] = [];
    for (const actor of actors) actor.state = 'running';
    const ends = works.map(async (work, index) => {
      try {
        await work();
      } finally {
        const actor = actors[index];
        if (actor) actor.state = 'idle';
        wake();
      }
    });
    const all = Promise.all(ends);
    all.catch(() => {}); // it is awaited below, once the other one is through as well
    for (;;) {
      await settle();
      const options = actors.flatMap((actor, index) => (actor.state === 'waiting' ? [index] : []));
      const turn = options.length > 1 ? choose(options) : options[0];
      const actor = turn === undefined ? undefined : actors[turn];
      if (turn === undefined || !actor) break;
      turns.push(turn);
      actor.state = 'running';
      actor.go();
    }
    await Promise.allSettled(ends);
    await all;
    return turns;
  }

  return { turnstiles: actors, run };
}

/**
 * Calls `once` with every sequence of choices in order, at most `limit` of them; what is left is tried by `samples`
 * sequences drawn from `seed`. A failure names its sequence.
 */
export async function explore(
  { limit, samples, seed }: { limit: number; samples: number; seed: number },
  once: (choose: Choose) => Promise<void>,
): Promise<{ tried: number; all: boolean }> {
  let path: { at: number; of: number }[] = [];
  for (let tried = 1; tried <= limit; tried++) {
    let depth = 0;
    const given = path;
    const taken: { at: number; of: number }[] = [];
    await attempt(once, taken, (options) => {
      const at = Math.min(given[depth++]?.at ?? 0, options.length - 1);
      return { at, of: options.length };
    });
    while (taken.length > 0 && taken.at(-1)?.at === (taken.at(-1)?.of ?? 0) - 1) taken.pop();
    const last = taken.pop();
    if (!last) return { tried, all: true };
    path = [...taken, { ...last, at: last.at + 1 }];
  }
  const random = randomFrom(seed);
  for (let sample = 0; sample < samples; sample++) {
    await attempt(once, [], (options) => ({ at: random.below(options.length), of: options.length }));
  }
  return { tried: limit + samples, all: false };
}

async function attempt(
  once: (choose: Choose) => Promise<void>,
  taken: { at: number; of: number }[],
  decide: (options: readonly number[]) => { at: number; of: number },
): Promise<void> {
  try {
    await once((options) => {
      const choice = decide(options);
      taken.push(choice);
      return options[choice.at] ?? 0;
    });
  } catch (error) {
    const choices = taken.map(({ at }) => at).join('');
    throw new Error(`Choices ${choices || 'none'}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** The database with a turnstile before each statement, and before each commit. Reads that travel together are one step. */
export function gated(database: Database, { pass }: Turnstile): Database {
  return {
    ...database,
    async read(affinity, statements) {
      await pass();
      return database.read(affinity, statements);
    },
    async run(affinity, wanted) {
      await pass();
      return database.run(affinity, inOneBucket(wanted));
    },
    async write(affinity, wanted, limitMs, signal) {
      await pass();
      return database.write(affinity, inOneBucket(wanted), limitMs, signal);
    },
    transaction: (affinity, body) =>
      database.transaction(affinity, async (tx) => {
        const value = await body(gatedTransaction(tx, pass));
        await pass();
        return value;
      }),
  };
}

function gatedTransaction(tx: Transaction, pass: Turnstile['pass']): Transaction {
  return {
    async run(wanted) {
      await pass();
      return tx.run(inOneBucket(wanted));
    },
    async script(text) {
      await pass();
      return tx.script(text);
    },
    copyOut: (text, take) => tx.copyOut(text, take),
    copyIn: (text, feed) => tx.copyIn(text, feed),
  };
}

/** All connections count in one bucket of `_state`: two that share one by chance are the harder case. */
function inOneBucket(wanted: Statement): Statement {
  const text = wanted.text.replaceAll('pg_backend_pid() % 64', '0');
  if (text === wanted.text) return wanted;
  return { ...wanted, text, ...(wanted.name !== undefined && { name: `${wanted.name}_one` }) };
}
