/**
 * Creates many records, each on its own: invalid rows are found before anything is sent; valid ones are written by
 * the thousand, one statement each. [spec: Import, crm_import_records; contract: batch create]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { Mistakes } from '../../errors.ts';
import { newId } from '../../lib/id.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import { refuseFloodOfHtml } from '../writing/html-flood.ts';
import { createEach, type NewRecord } from '../writing/create-rows.ts';
import { addStrayReferences } from '../writing/stray-references.ts';
import { RowDecoder, type CellWarning } from './decode-rows.ts';
import { settleMatches } from './executing/settle-matches.ts';
import { defaultHandling, type Handling } from './handling.ts';
import type { RowFailure } from './row-failure.ts';
import { attempt, failureOf, statementsOf, writeInGroups, type DecodedRow, type ImportedRow } from './rows.ts';

export interface ImportOutcome {
  /** In row order. */
  readonly createdIds: readonly string[];
  /** The created records with their rows. */
  readonly created: readonly ImportedRow[];
  /** Rows whose records existed, changed or skipped. */
  readonly updated: readonly ImportedRow[];
  readonly skipped: readonly ImportedRow[];
  /** Rows whose unique value is taken; they are also among `failures`, as DUPLICATE_RECORD. */
  readonly duplicates: number;
  readonly failures: readonly RowFailure[];
  /** Rows whose records exist already, and which create another one. */
  readonly doubled: number;
  /** Cells whose fields stay empty. */
  readonly warnings: readonly RowWarning[];
  /** Records created for names in cells, by object. */
  readonly made: ReadonlyMap<string, number>;
  /** Read-only columns that were ignored. */
  readonly ignored: readonly string[];
  /** Rows whose `owner` is unknown here: their records belong to the importer. */
  readonly unknownOwners: number;
}

/** A warning about a cell of a row. */
export interface RowWarning extends CellWarning {
  readonly index: number;
}

/**
 * `import` accepts labels for ids and text for other types, and ignores read-only columns; `strict` is as in creating
 * one record.
 */
export type ValueStyle = 'import' | 'strict';

const rowsPerStatement = 1000;

/** Results collected over all rows. */
interface GatheredResults {
  doubled: number;
  readonly created: ImportedRow[];
  readonly updated: ImportedRow[];
  readonly skipped: ImportedRow[];
  readonly failures: RowFailure[];
  readonly warnings: RowWarning[];
}

/**
 * Writes what it can in the transaction, and returns the result of each row. Throws VALIDATION_ERROR for more HTML
 * than one request may bring.
 */
export async function importRows(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  rows: readonly Json[],
  values: ValueStyle,
  handling: Handling = defaultHandling,
): Promise<ImportOutcome> {
  refuseFloodOfHtml(object, rows);
  const gathered: GatheredResults = { doubled: 0, created: [], updated: [], skipped: [], failures: [], warnings: [] };
  const decoder = new RowDecoder(call, handling.toCome?.object ?? object, values, handling);
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    call.signal.throwIfAborted();
    const chunk = rows.slice(start, start + rowsPerStatement);
    const decoded = await decodeChunk(tx, decoder, chunk, start, gathered);
    let pending: readonly DecodedRow[] = decoded;
    while (pending.length > 0) {
      const settled = await settleMatches({ call, tx, object, writing: decoder.writing }, handling, pending);
      gathered.failures.push(...settled.failures);
      gathered.skipped.push(...settled.skipped);
      gathered.updated.push(...settled.updated);
      gathered.doubled += settled.doubled;
      await createNew({ call, tx, object, decoder, handling }, settled.toCreate, gathered);
      pending = settled.later;
    }
  }
  const { created, failures } = gathered;
  const { updated, skipped, warnings } = gathered;
  for (const list of [created, updated, skipped, failures, warnings] as { index: number }[][])
    list.sort((a, b) => a.index - b.index);
  return {
    ...gathered,
    createdIds: created.map(({ id }) => id),
    duplicates: failures.filter((failure) => failure.code === 'DUPLICATE_RECORD').length,
    made: decoder.made(),
    ignored: decoder.ignored(),
    unknownOwners: decoder.unknownOwners(),
  };
}

interface Work {
  readonly call: Call;
  readonly tx: WorkspaceTransaction;
  readonly object: ObjectDef;
  readonly decoder: RowDecoder;
  readonly handling: Handling;
}

/** Creates records from valid rows. */
async function createNew(
  { call, tx, object, decoder, handling }: Work,
  rows: readonly DecodedRow[],
  { created, failures }: GatheredResults,
): Promise<void> {
  const good: NewRow[] = [];
  const mistaken: MistakenRow[] = [];
  for (const row of rows) {
    if (sliceIsOver()) await nextSlice();
    await attempt(row.index, failures, async () => {
      await decoder.complete(row);
      const record = { index: row.index, id: newId(), ...row.decoded };
      if (row.mistakes.count === 0) good.push(record);
      else mistaken.push({ ...record, mistakes: row.mistakes });
    });
  }
  for (const group of await statementsOf(object, mistaken)) {
    call.signal.throwIfAborted();
    const records = group.map((record) => ({ record, mistakes: record.mistakes }));
    await addStrayReferences(call, tx, object, records);
    for (const { index, mistakes } of group) {
      const error = mistakes.error();
      if (error) failures.push(failureOf(index, error));
    }
  }
  let reported = failures.reduce((sum, { fieldErrors }) => sum + (fieldErrors?.length ?? 0), 0);
  const send = (group: readonly NewRow[]) => createEach(call, tx, object, group);
  const { written, refused } = await writeInGroups(call, object, good, (group) =>
    handling.toCome ? handling.toCome.write({ call, tx, object }, group, true, send) : send(group),
  );
  created.push(...written);
  for (const { index, error } of refused) {
    failures.push(shortened(failureOf(index, error), reported));
    reported += error.fieldErrors?.length ?? 0;
  }
}

interface NewRow extends NewRecord {
  readonly index: number;
}

/** A row that is already refused. */
interface MistakenRow extends NewRow {
  readonly mistakes: Mistakes;
}

/** Reported mistakes, after which rows report only their first. */
const mostReported = 1_000;

/** The failure of a row, shortened after many reported mistakes. */
function shortened(failure: RowFailure, reported: number): RowFailure {
  const [first] = failure.fieldErrors ?? [];
  return reported < mostReported || !first ? failure : { ...failure, message: first.message, fieldErrors: [first] };
}

async function decodeChunk(
  tx: WorkspaceTransaction,
  decoder: RowDecoder,
  chunk: readonly Json[],
  start: number,
  { failures, warnings }: GatheredResults,
): Promise<readonly DecodedRow[]> {
  const objects: { index: number; values: JsonObject }[] = [];
  chunk.forEach((values, at) => {
    if (isObject(values)) objects.push({ index: start + at, values });
    else
      failures.push({
        index: start + at,
        code: 'VALIDATION_ERROR',
        message: 'The record must be an object of field values',
      });
  });
  await decoder.resolve(
    tx,
    objects.map(({ values }) => values),
  );
  const rows: DecodedRow[] = [];
  for (const { index, values } of objects) {
    if (sliceIsOver()) await nextSlice();
    await attempt(index, failures, async () => {
      const row = { index, ...(await decoder.decode(values)) };
      rows.push(row);
      for (const warning of row.warnings) warnings.push({ index, ...warning });
    });
  }
  return rows;
}
