/** An import of any number of rows, in batches through the engine; what becomes of each row is counted once. */
import type { JsonObject } from '../lib/json.ts';
import type { SourceRow } from './import-source.ts';

/** What became of a batch; indexes are those of the batch. */
export interface BatchOutcome {
  readonly created_ids: readonly string[];
  readonly duplicates: number;
  readonly failed: number;
  readonly errors: readonly RowError[];
}

export interface RowError {
  /** Zero-based; the header is not counted. */
  readonly index: number;
  readonly error: string;
}

/** Takes a batch of rows; each stands on its own. */
export type RowSink = (rows: readonly JsonObject[]) => Promise<BatchOutcome>;

export interface Totals {
  /** Rows whose fate is known: created, duplicate or failed. */
  read: number;
  readonly created_ids: string[];
  duplicates: number;
  failed: number;
  /** The first hundred. [spec: Import] */
  readonly errors: RowError[];
}

export interface RunOptions {
  readonly batchSize: number;
  /** Stops after the batch at hand. */
  readonly signal: AbortSignal;
  onProgress(rows: number): void;
}

const maxErrors = 100;

/** Characters of one batch, unless a row alone has more: half of what the HTML of one may be. */
const mostText = 4_000_000;

/** What an import begins to count with. */
export function newTotals(): Totals {
  return { read: 0, created_ids: [], duplicates: 0, failed: 0, errors: [] };
}

/** Adds to `totals` as it goes, so that they are right also where it throws. */
export async function runImport(
  source: AsyncIterable<readonly SourceRow[]>,
  sink: RowSink,
  totals: Totals,
  { batchSize, signal, onProgress }: RunOptions,
): Promise<void> {
  let index = 0;
  let batch: { index: number; values: JsonObject }[] = [];
  let length = 0;
  const flush = async () => {
    const rows = batch;
    batch = [];
    length = 0;
    if (rows.length > 0) count(totals, await sink(rows.map(({ values }) => values)), rows);
    onProgress(index);
  };
  for await (const piece of source) {
    for (const row of piece) {
      const more = 'values' in row ? textLength(row.values) : 0;
      if (length + more > mostText) await flush();
      if (signal.aborted && batch.length === 0) return;
      length += more;
      if ('values' in row) batch.push({ index, values: row.values });
      else fail(totals, { index, error: row.problem });
      index++;
      if (batch.length === batchSize) await flush();
    }
  }
  await flush();
}

function textLength(values: JsonObject): number {
  let length = 0;
  for (const value of Object.values(values)) if (typeof value === 'string') length += value.length;
  return length;
}

function count(totals: Totals, outcome: BatchOutcome, rows: readonly { readonly index: number }[]): void {
  totals.read += rows.length;
  for (const id of outcome.created_ids) totals.created_ids.push(id);
  totals.duplicates += outcome.duplicates;
  totals.failed += outcome.failed;
  for (const { index, error } of outcome.errors) keep(totals, { index: rows[index]?.index ?? index, error });
}

function fail(totals: Totals, error: RowError): void {
  totals.read++;
  totals.failed++;
  keep(totals, error);
}

function keep({ errors }: Totals, error: RowError): void {
  if (errors.length < maxErrors) errors.push(error);
}
