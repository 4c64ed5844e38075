/**
 * What happens in a random world, as steps: each is drawn from the world's seed and the step's own number, so that any of them can be
 * left out. What fails is played again with ever fewer steps before it is told.
 */
import { randomFrom, type Random } from '../query/random.ts';
import { shrunk } from '../query/shrink.ts';
import { pastFailures } from './past-failures.ts';

export interface Step {
  readonly number: number;
  readonly random: Random;
}

/** Plays steps in a new world of the seed; throws when something is not as it has to be. */
export type Play = (seed: number, steps: readonly Step[]) => Promise<void>;

/** What goes into making a failure small; the test's own patience is longer. */
const mostMs = 300_000;

/** Tests whose past failures were played already: once is enough for all seeds. */
const played = new Set<string>();

/** Plays what failed before, then `count` steps. `of` is what `past-failures.ts` calls the test. */
export async function playSteps(of: string, seed: number, count: number, play: Play): Promise<void> {
  const pastOnes = played.has(of) ? [] : pastFailures.filter((failure) => failure.of === of);
  played.add(of);
  for (const past of pastOnes) await play(past.seed, stepsOf(past.seed, past.steps));
  const all = Array.from({ length: count }, (_, number) => number);
  const playOnly = (numbers: readonly number[]) => play(seed, stepsOf(seed, numbers));
  const failure = await failureOf(() => playOnly(all));
  if (failure === undefined) return;
  const end = performance.now() + mostMs;
  const { things: steps } = await shrunk({ things: all, choices: [] }, async ({ things }) => {
    if (performance.now() > end) return false;
    return kindOf(await failureOf(() => playOnly(things))) === kindOf(failure);
  });
  const small = (await failureOf(() => playOnly(steps))) ?? failure;
  small.message += `\nmade small; for test/permissions/past-failures.ts: ${JSON.stringify({ of, seed, steps })}`;
  throw small;
}

/** The same number is the same step, whichever others there are. */
function stepsOf(seed: number, numbers: readonly number[]): Step[] {
  const mixed = (number: number) => Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b);
  return numbers.map((number) => ({ number, random: randomFrom(mixed(number)) }));
}

async function failureOf(play: () => Promise<void>): Promise<Error | undefined> {
  try {
    await play();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** What differs is of one kind, whatever it says; another failure is the same only where it says the same. */
function kindOf(failure: Error | undefined): string | undefined {
  return failure?.name === 'AssertionError' ? failure.name : failure?.message;
}
