/** Many requests with one key wait for the first one without a connection each: those of their organization's others are free. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRecord } from '../../src/operations/records/records.ts';
import type { Database } from '../../src/postgres/database.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, firstOrganization } from '../support/engine.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

it('hold one connection together', async () => {
  const { database } = test;
  let held = 0;
  let most = 0;
  const counting: Database = {
    ...database,
    async transaction(...asked) {
      most = Math.max(most, ++held);
      return database.transaction(...asked).finally(() => held--);
    },
  };
  const engine = createEngine(counting);
  const { token } = await firstOrganization(engine, database);
  most = 0;
  let replays = 0;
  const ask = (key: string) =>
    engine.perform(
      token,
      createRecord,
      { object: 'contacts', values: { first_name: 'Once' } },
      { dryRun: false, once: { key, request: 'the same', replayed: () => void replays++ } },
    );
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask('one')));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect([most, replays]).toEqual([1, 7]);

  await Promise.all([ask('two'), ask('three')]);
  expect(most, 'other keys do not wait').toBe(2);
});
