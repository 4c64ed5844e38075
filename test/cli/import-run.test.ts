import { describe, expect, it } from 'vitest';
import { newTotals, runImport, type BatchOutcome } from '../../src/cli/import-run.ts';
import type { SourceRow } from '../../src/cli/import-source.ts';
import type { JsonObject } from '../../src/lib/json.ts';

const good = (name: number): SourceRow => ({ values: { name } });
const bad: SourceRow = { problem: 'broken' };

async function* source(...batches: readonly (readonly SourceRow[])[]): AsyncGenerator<readonly SourceRow[]> {
  yield* batches;
}

function accepted(rows: readonly JsonObject[]): BatchOutcome {
  return { created_ids: rows.map((row) => `id ${String(row['name'])}`), duplicates: 0, failed: 0, errors: [] };
}

function options(controller = new AbortController()) {
  return { batchSize: 2, signal: controller.signal, onProgress() {} };
}

describe('runImport', () => {
  it('sends full batches across the pieces of the source, and the rest', async () => {
    const sizes: number[] = [];
    const totals = newTotals();
    const sink = (rows: readonly JsonObject[]) => Promise.resolve((sizes.push(rows.length), accepted(rows)));
    await runImport(source([good(1)], [good(2), good(3)], [], [good(4), good(5)]), sink, totals, options());
    expect(sizes).toEqual([2, 2, 1]);
    expect(totals).toMatchObject({ read: 5, created_ids: ['id 1', 'id 2', 'id 3', 'id 4', 'id 5'] });
  });

  it('sends long rows in smaller batches', async () => {
    const sizes: number[] = [];
    const long: SourceRow = { values: { name: 'x'.repeat(1_900_000) } };
    const longest: SourceRow = { values: { name: 'x'.repeat(5_000_000) } };
    const sink = (rows: readonly JsonObject[]) => Promise.resolve((sizes.push(rows.length), accepted(rows)));
    const rows = [long, long, long, longest, long, long];
    await runImport(source(rows), sink, newTotals(), { ...options(), batchSize: 100 });
    expect(sizes).toEqual([2, 1, 1, 2]);
  });

  it('counts each row once, and names it by its place in the file', async () => {
    const totals = newTotals();
    const sink = (rows: readonly JsonObject[]) =>
      Promise.resolve({
        created_ids: [],
        duplicates: rows.length - 1,
        failed: 1,
        errors: [{ index: rows.length - 1, error: 'no' }],
      });
    await runImport(source([bad, good(1), bad, good(2), good(3)]), sink, totals, options());
    expect(totals).toEqual({
      read: 5,
      created_ids: [],
      duplicates: 1,
      failed: 4,
      errors: [
        { index: 0, error: 'broken' },
        { index: 2, error: 'broken' },
        { index: 3, error: 'no' },
        { index: 4, error: 'no' },
      ],
    });
  });

  it('keeps the first hundred errors and counts them all', async () => {
    const totals = newTotals();
    await runImport(source(Array.from({ length: 150 }, () => bad)), async (rows) => accepted(rows), totals, options());
    expect(totals).toMatchObject({ read: 150, failed: 150 });
    expect(totals.errors.length).toBe(100);
  });

  it('stops after the batch in which it was interrupted', async () => {
    const controller = new AbortController();
    const totals = newTotals();
    const sink = (rows: readonly JsonObject[]) => Promise.resolve((controller.abort(), accepted(rows)));
    await runImport(source([1, 2, 3, 4, 5].map(good)), sink, totals, options(controller));
    expect(totals).toMatchObject({ read: 2, created_ids: ['id 1', 'id 2'] });
  });

  it('has counted what went in before a failure', async () => {
    const totals = newTotals();
    const sink = (rows: readonly JsonObject[]) =>
      totals.read > 0 ? Promise.reject(new Error('gone')) : Promise.resolve(accepted(rows));
    await expect(runImport(source([1, 2, 3, 4].map(good)), sink, totals, options())).rejects.toThrow('gone');
    expect(totals).toMatchObject({ read: 2, created_ids: ['id 1', 'id 2'] });
  });
});
