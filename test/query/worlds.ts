/**
 * Random worlds for the tests that ask PostgreSQL and a model in memory the same. KITH_SEED plays one again. What differs is made
 * small before it is told, and the cases in `past-failures.ts` are played first.
 */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { pastFailures } from './past-failures.ts';
import { noting, randomFrom, repeating, type Random } from './random.ts';
import { shrunk, type Case } from './shrink.ts';
import { createWorld, storeWorld, type World } from './world.ts';

export const deep = process.env['KITH_DEEP'] === '1';
const firstSeed = Number(process.env['KITH_SEED'] ?? (deep ? Date.now() % 1_000_000_000 : 1));
const seeds = Array.from({ length: deep ? 10 : 2 }, (_, index) => firstSeed + index);
const thingCount = deep ? 300 : 150;

/** What PostgreSQL and the model in memory answer to one question, which is drawn from `random`. */
export type Ask = (
  database: TestDatabase,
  world: World,
  random: Random,
) => Promise<{ readonly actual: unknown; readonly expected: unknown }>;

/** There once the tests run. */
export interface WorldStage {
  /** Asks so many questions; `of` is what `past-failures.ts` calls them. */
  expectAlike(of: string, rounds: number, ask: Ask): Promise<void>;
}

/** To make a failure small takes its time. */
export const patience = 600_000;

export function describeWorlds(tests: (stage: WorldStage) => void): void {
  describe.each(seeds)('a world from KITH_SEED=%i', (seed) => {
    const random = randomFrom(seed);
    let database: TestDatabase;
    let world: World;
    beforeAll(async () => {
      database = await testDatabase();
      world = await createWorld(database.database, random, thingCount);
    });
    afterAll(() => database.drop());
    tests({
      async expectAlike(of, rounds, ask) {
        if (seed === seeds[0]) await playPast(database, of, ask);
        for (let round = 0; round < rounds; round++) {
          const choices: number[] = [];
          const found = await differenceOf(ask, database, world, noting(random, choices));
          if (found === undefined) continue;
          const small = await smallOf(ask, database, world, choices, found);
          const line = JSON.stringify({ of, seed, count: thingCount, ...small });
          const left = await only(database, world, small);
          const answers = await ask(database, left, repeating(small.choices));
          expect(answers.actual, `made small; for test/query/past-failures.ts: ${line}`).toEqual(answers.expected);
          throw new Error(`Once, in round ${round}: ${found}`);
        }
      },
    });
  });
}

async function playPast(database: TestDatabase, of: string, ask: Ask): Promise<void> {
  for (const past of pastFailures.filter((failure) => failure.of === of)) {
    const whole = await createWorld(database.database, randomFrom(past.seed), past.count);
    const { actual, expected } = await ask(database, await only(database, whole, past), repeating(past.choices));
    expect(actual, JSON.stringify(past)).toEqual(expected);
  }
}

/** The world with some of its things, in a schema of its own. */
async function only({ database }: TestDatabase, { companies, things }: World, { things: left }: Case): Promise<World> {
  return storeWorld(database, { companies, things: things.filter((_, index) => left.includes(index)) });
}

async function smallOf(
  ask: Ask,
  database: TestDatabase,
  world: World,
  choices: readonly number[],
  found: string,
): Promise<Case> {
  const all = { things: world.things.map((_, index) => index), choices };
  let made: { readonly things: readonly number[]; readonly left: World } | undefined;
  return shrunk(all, async (smaller) => {
    const { things } = smaller;
    if (made?.things !== things) made = { things, left: await only(database, world, smaller) };
    const { left } = made;
    return kindOf(await differenceOf(ask, database, left, repeating(smaller.choices))) === kindOf(found);
  });
}

/** How an ask fails, in words; undefined where it does not. */
async function differenceOf(
  ask: Ask,
  database: TestDatabase,
  world: World,
  random: Random,
): Promise<string | undefined> {
  try {
    const { actual, expected } = await ask(database, world, random);
    expect(actual).toEqual(expected);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** Of an answer that differs, whatever it says; of a failure, its message. */
function kindOf(difference: string | undefined): string | undefined {
  return difference?.startsWith('AssertionError') ? 'AssertionError' : difference;
}
