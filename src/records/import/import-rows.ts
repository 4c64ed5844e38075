/**
 * Many records at once, each standing on its own: bad rows are found before anything is sent, good ones go in by the
 * thousand, each thousand one statement. [spec: Import; contract: batch create]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { KithError, type Mistakes } from '../../errors.ts';
import { newId } from '../../lib/id.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import { inSlices, nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import { storedColumns } from '../writing/columns.ts';
import type { Decoded } from '../writing/decode.ts';
import { refuseFloodOfHtml } from '../writing/html-flood.ts';
import { createEach, type NewRecord } from '../writing/create-rows.ts';
import { addStrayReferences } from '../writing/stray-references.ts';
import { RowDecoder } from './decode-rows.ts';
import type { RowFailure } from './row-failure.ts';
import { mostWeight, weightOfLink } from '../writing/links.ts';

export interface ImportOutcome {
  /** In the order of the rows. */
  readonly createdIds: readonly string[];
  /** Rows that a unique field already has; they are among `failures` too, as DUPLICATE_RECORD. */
  readonly duplicates: number;
  readonly failures: readonly RowFailure[];
  /** Read-only columns that were left out. */
  readonly ignored: readonly string[];
  /** Rows whose `owner` names nobody here: they belong to the importer. */
  readonly unknownOwners: number;
}

/** `import` takes labels for ids, text for other types, and leaves read-only columns out; `strict` is the create of one record. */
export type ValueStyle = 'import' | 'strict';

const rowsPerStatement = 1000;

/** What a cell counts for, beside its characters. */
const cellWeight = 16;

/** Writes what it can in the transaction, and says what became of each row. Throws VALIDATION_ERROR for more HTML than one request may bring. */
export async function importRows(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  rows: readonly Json[],
  values: ValueStyle,
): Promise<ImportOutcome> {
  refuseFloodOfHtml(object, rows);
  const created: string[] = [];
  const failures: RowFailure[] = [];
  const decoder = new RowDecoder(call, object, values);
  let told = 0;
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    call.signal.throwIfAborted();
    const chunk = rows.slice(start, start + rowsPerStatement);
    const { good, mistaken } = await decodeChunk(tx, decoder, chunk, start, failures);
    for (const group of await statementsOf(object, mistaken)) {
      call.signal.throwIfAborted();
      await addStrayReferences(
        call,
        tx,
        object,
        group.map((record) => ({ record, mistakes: record.mistakes })),
      );
      for (const { index, mistakes } of group) {
        const error = mistakes.error();
        if (error) failures.push(failureOf(index, error));
      }
    }
    for (const group of await statementsOf(object, good)) {
      call.signal.throwIfAborted();
      const refusals = await createEach(call, tx, object, group);
      for (const { id, index } of group) {
        const error = refusals.get(id);
        if (error) failures.push(shortened(failureOf(index, error), told));
        if (error) told += error.fieldErrors?.length ?? 0;
        else created.push(id);
      }
    }
  }
  failures.sort((a, b) => a.index - b.index);
  return {
    createdIds: created,
    duplicates: failures.filter((failure) => failure.code === 'DUPLICATE_RECORD').length,
    failures,
    ignored: decoder.ignored(),
    unknownOwners: decoder.unknownOwners(),
  };
}

/** The rows in groups, each of which is sent at once. */
export async function statementsOf<Row extends Decoded>(
  object: ObjectDef,
  rows: readonly Row[],
): Promise<readonly (readonly Row[])[]> {
  const groups: Row[][] = [];
  let room = 0;
  await inSlices(rows, (row) => {
    const weight = storedColumns(object).length * cellWeight + weightOf(row);
    room -= weight;
    if (room < 0 || groups.length === 0) {
      groups.push([]);
      room = mostWeight - weight;
    }
    groups.at(-1)?.push(row);
  });
  return groups;
}

function weightOf({ cells, links }: Decoded): number {
  let weight = 0;
  for (const given of cells.values()) for (const cell of given) weight += cell?.length ?? 0;
  for (const given of links.values()) for (const link of given) weight += weightOfLink(link);
  return weight;
}

/** A row as far as it could be read. */
interface DecodedRow extends NewRecord {
  readonly index: number;
}

/** A row that is refused already. */
interface MistakenRow extends DecodedRow {
  readonly mistakes: Mistakes;
}

/** Of rows beyond those mistakes only the first is told. */
const mostTold = 1_000;

/** A failure of a row, when so many mistakes of others were told before. */
function shortened(failure: RowFailure, told: number): RowFailure {
  const [first] = failure.fieldErrors ?? [];
  return told < mostTold || !first ? failure : { ...failure, message: first.message, fieldErrors: [first] };
}

/** What is told of a row that was refused. */
export function failureOf(index: number, { code, message, fieldErrors }: KithError): RowFailure {
  return { index, code, message, ...(fieldErrors && { fieldErrors }) };
}

async function decodeChunk(
  tx: WorkspaceTransaction,
  decoder: RowDecoder,
  chunk: readonly Json[],
  start: number,
  failures: RowFailure[],
): Promise<{ readonly good: readonly DecodedRow[]; readonly mistaken: readonly MistakenRow[] }> {
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
  const good: DecodedRow[] = [];
  const mistaken: MistakenRow[] = [];
  for (const { index, values } of objects) {
    if (sliceIsOver()) await nextSlice();
    try {
      const { decoded, mistakes } = await decoder.decode(values);
      const row = { index, id: newId(), ...decoded };
      if (mistakes.count === 0) good.push(row);
      else mistaken.push({ ...row, mistakes });
    } catch (error) {
      if (!(error instanceof KithError)) throw error;
      failures.push(failureOf(index, error));
    }
  }
  return { good, mistaken };
}
