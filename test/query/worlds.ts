/** Random worlds for the tests that ask PostgreSQL and a model in memory the same. KITH_SEED plays one again. */
import { afterAll, beforeAll, describe } from 'vitest';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { randomFrom, type Random } from './random.ts';
import { createWorld, type World } from './world.ts';

export const deep = process.env['KITH_DEEP'] === '1';
const firstSeed = Number(process.env['KITH_SEED'] ?? (deep ? Date.now() % 1_000_000_000 : 1));
const seeds = Array.from({ length: deep ? 10 : 2 }, (_, index) => firstSeed + index);

/** There once the tests run. */
export interface WorldStage {
  readonly random: Random;
  database(): TestDatabase;
  world(): World;
}

export function describeWorlds(tests: (stage: WorldStage) => void): void {
  describe.each(seeds)('a world from KITH_SEED=%i', (seed) => {
    const random = randomFrom(seed);
    let database: TestDatabase;
    let world: World;
    beforeAll(async () => {
      database = await testDatabase();
      world = await createWorld(database.database, random, deep ? 300 : 150);
    });
    afterAll(() => database.drop());
    tests({ random, database: () => database, world: () => world });
  });
}
