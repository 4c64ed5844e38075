/**
 * Many records at once, each standing on its own: bad rows are found before anything is sent, good ones go in by the
 * thousand, each thousand one statement. [spec: Import, crm_import_records; contract: batch create]
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
import { usually, type Handling } from './handling.ts';
import type { RowFailure } from './row-failure.ts';
import { attempt, failureOf, statementsOf, writeInGroups, type DecodedRow, type ImportedRow } from './rows.ts';

export interface ImportOutcome {
  /** In the order of the rows. */
  readonly createdIds: readonly string[];
  /** The same with their rows. */
  readonly created: readonly ImportedRow[];
  /** Rows that were records already, and are changed or left as they are. */
  readonly updated: readonly ImportedRow[];
  readonly skipped: readonly ImportedRow[];
  /** Rows that a unique field already has; they are among `failures` too, as DUPLICATE_RECORD. */
  readonly duplicates: number;
  readonly failures: readonly RowFailure[];
  /** How many rows are records already, and make another one. */
  readonly doubled: number;
  /** Cells whose fields stay empty. */
  readonly warnings: readonly RowWarning[];
  /** Records that were made since cells name them, by object. */
  readonly made: ReadonlyMap<string, number>;
  /** Read-only columns that were left out. */
  readonly ignored: readonly string[];
  /** Rows whose `owner` names nobody here: they belong to the importer. */
  readonly unknownOwners: number;
}

/** A warning of a row. */
export interface RowWarning extends CellWarning {
  readonly index: number;
}

/** `import` takes labels for ids, text for other types, and leaves read-only columns out; `strict` is the create of one record. */
export type ValueStyle = 'import' | 'strict';

const rowsPerStatement = 1000;

/** What is gathered of all rows. */
interface Gathered {
  doubled: number;
  readonly created: ImportedRow[];
  readonly updated: ImportedRow[];
  readonly skipped: ImportedRow[];
  readonly failures: RowFailure[];
  readonly warnings: RowWarning[];
}

/** Writes what it can in the transaction, and says what became of each row. Throws VALIDATION_ERROR for more HTML than one request may bring. */
export async function importRows(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  rows: readonly Json[],
  values: ValueStyle,
  handling: Handling = usually,
): Promise<ImportOutcome> {
  refuseFloodOfHtml(object, rows);
  const gathered: Gathered = { doubled: 0, created: [], updated: [], skipped: [], failures: [], warnings: [] };
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

/** Makes records of those rows that can be some. */
async function createNew(
  { call, tx, object, decoder, handling }: Work,
  rows: readonly DecodedRow[],
  { created, failures }: Gathered,
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
  let told = failures.reduce((sum, { fieldErrors }) => sum + (fieldErrors?.length ?? 0), 0);
  const send = (group: readonly NewRow[]) => createEach(call, tx, object, group);
  const { written, refused } = await writeInGroups(call, object, good, (group) =>
    handling.toCome ? handling.toCome.write({ call, tx, object }, group, true, send) : send(group),
  );
  created.push(...written);
  for (const { index, error } of refused) {
    failures.push(shortened(failureOf(index, error), told));
    told += error.fieldErrors?.length ?? 0;
  }
}

interface NewRow extends NewRecord {
  readonly index: number;
}

/** A row that is refused already. */
interface MistakenRow extends NewRow {
  readonly mistakes: Mistakes;
}

/** Of rows beyond those mistakes only the first is told. */
const mostTold = 1_000;

/** A failure of a row, when so many mistakes of others were told before. */
function shortened(failure: RowFailure, told: number): RowFailure {
  const [first] = failure.fieldErrors ?? [];
  return told < mostTold || !first ? failure : { ...failure, message: first.message, fieldErrors: [first] };
}

async function decodeChunk(
  tx: WorkspaceTransaction,
  decoder: RowDecoder,
  chunk: readonly Json[],
  start: number,
  { failures, warnings }: Gathered,
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
