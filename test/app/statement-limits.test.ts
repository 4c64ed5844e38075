/** How long the statements of a request may take goes by what the request costs. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportRecords } from '../../src/operations/exports/export.ts';
import { importRecords } from '../../src/operations/imports/import.ts';
import { applyManifest } from '../../src/operations/workspace/manifest.ts';
import type { Operation } from '../../src/operations/door/operation.ts';
import { createRecord, updateRecord } from '../../src/operations/records/records.ts';
import { statementLimits, type Database } from '../../src/postgres/database.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, firstOrganization, type Engine } from '../support/engine.ts';

const limits = new Set<number | undefined>();
let database: TestDatabase;
let engine: Engine;
let token: string;
let id: string;

beforeAll(async () => {
  database = await testDatabase();
  engine = createEngine(watched(database.database));
  ({ token } = await firstOrganization(engine, database.database));
  ({ id } = await engine.perform(token, createRecord, { object: 'contacts', values: {} }));
});
afterAll(() => database.drop());

function watched(wrapped: Database): Database {
  return {
    ...wrapped,
    run(affinity, wanted, limitMs) {
      limits.add(limitMs);
      return wrapped.run(affinity, wanted, limitMs);
    },
    write(affinity, wanted, limitMs, signal) {
      limits.add(limitMs);
      return wrapped.write(affinity, wanted, limitMs, signal);
    },
    transaction(affinity, body, limitMs) {
      limits.add(limitMs);
      return wrapped.transaction(affinity, body, limitMs);
    },
    stream(affinity, wanted, batch, limitMs) {
      limits.add(limitMs);
      return wrapped.stream(affinity, wanted, batch, limitMs);
    },
  };
}

it('PSL-11: five minutes are the most, for an import', () => {
  expect(statementLimits.bulk).toBe(300_000);
  expect(Math.max(...Object.values(statementLimits))).toBe(statementLimits.bulk);
});

it('of one transaction for a whole request, too', async () => {
  limits.clear();
  const values = { object: 'contacts', values: {} };
  await engine.perform(token, createRecord, values, { dryRun: true });
  expect([...limits]).toEqual([statementLimits.global]);
});

it.each<[string, Operation, () => object, number]>([
  ['a create', createRecord, () => ({ object: 'contacts', values: {} }), statementLimits.global],
  [
    'an update',
    updateRecord,
    () => ({ object: 'contacts', id, values: { first_name: 'Ada' } }),
    statementLimits.global,
  ],
  ['an import', importRecords, () => ({ object: 'contacts', records: [{}] }), statementLimits.bulk],
  ['an export', exportRecords, () => ({ object: 'contacts' }), statementLimits.bulk],
  [
    'a manifest',
    applyManifest,
    () => ({ manifest: { objects: [{ name: 'contacts', fields: [{ name: 'size', type: 'NUMBER' }] }] } }),
    statementLimits.expensive,
  ],
])('of %s', async (_what, operation, input, limit) => {
  limits.clear();
  await engine.perform(token, operation, input());
  expect([...limits]).toEqual([limit]);
});
