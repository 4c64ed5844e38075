/** An import as a whole takes no longer than one of its statements may. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { importRecords } from '../../src/operations/imports/import.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, firstOrganization } from '../support/engine.ts';
import { storageOf } from '../writes/invariants.ts';

vi.mock(import('../../src/postgres/database.ts'), async (actual) => {
  const original = await actual();
  return { ...original, statementLimits: { ...original.statementLimits, bulk: 4_000 as 300_000 } };
});

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

it('is broken off with nothing written, however short each statement was', async () => {
  const engine = createEngine(test.database);
  const { token, schemaName } = await firstOrganization(engine, test.database);
  // Each thousand rows takes more than half of the time that one statement may take.
  await test.database.transaction('test', (tx) =>
    tx.script(`create function "${schemaName}".slowly() returns trigger language plpgsql as
      $$ begin perform pg_sleep(2.2); return null; end $$;
      create trigger slowly before insert on "${schemaName}".contacts for each statement
      execute function "${schemaName}".slowly()`),
  );
  const records = (count: number) => Array.from({ length: count }, () => ({ first_name: 'x' }));
  const load = (count: number) => engine.perform(token, importRecords, { object: 'contacts', records: records(count) });
  expect(await load(1_000)).toMatchObject({ created: 1_000 });
  await expect(load(1_001)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The request took too long and was broken off; ask for less or try again',
  });
  const { rows } = storageOf(test.database, schemaName);
  expect(await rows(sql`select count(*) from ${identifier(schemaName, 'contacts')}`)).toEqual([['1000']]);
});
