/**
 * Many records at once, each standing on its own: bad rows are found before anything is sent, good ones go in by the
 * thousand, each thousand one statement. All of it is one transaction. [spec: Import; contract: batch create]
 */
import type { Call } from '../access/call.ts';
import type { WorkspaceTransaction } from '../access/workspace.ts';
import { KithError } from '../errors.ts';
import { newId } from '../lib/id.ts';
import { isObject, type Json, type JsonObject } from '../lib/json.ts';
import type { ObjectDef } from '../model/model.ts';
import { statementLimits } from '../postgres/database.ts';
import { tookTooLong } from '../postgres/failure.ts';
import { RowDecoder, type DecodedRow } from './import-decode.ts';
import type { RowFailure } from './row-failure.ts';
import { insertRows } from './insert-rows.ts';

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

/** Throws UNAVAILABLE, with nothing written, when all of it takes longer than one statement of an import may. */
export async function importRows(
  call: Call,
  object: ObjectDef,
  rows: readonly Json[],
  values: ValueStyle,
): Promise<ImportOutcome> {
  return call.workspace.transaction(async (tx) => {
    const created: string[] = [];
    const failures: RowFailure[] = [];
    const decoder = new RowDecoder(call, object, values);
    const end = performance.now() + statementLimits.bulk;
    for (let start = 0; start < rows.length; start += rowsPerStatement) {
      if (start > 0) await limitTo(tx, end - performance.now());
      const chunk = rows.slice(start, start + rowsPerStatement);
      const good = await decodeChunk(tx, decoder, chunk, start, failures);
      created.push(...(await insertRows(call, tx, object, good, failures)));
    }
    failures.sort((a, b) => a.index - b.index);
    return {
      createdIds: created,
      duplicates: failures.filter((failure) => failure.code === 'DUPLICATE_RECORD').length,
      failures,
      ignored: decoder.ignored(),
      unknownOwners: decoder.unknownOwners(),
    };
  });
}

/** What is left of the time is for each statement that follows. */
async function limitTo(tx: WorkspaceTransaction, leftMs: number): Promise<void> {
  if (leftMs < 1) throw tookTooLong();
  await tx.script(`set local statement_timeout = ${Math.trunc(leftMs)}`);
}

async function decodeChunk(
  tx: WorkspaceTransaction,
  decoder: RowDecoder,
  chunk: readonly Json[],
  start: number,
  failures: RowFailure[],
): Promise<DecodedRow[]> {
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
  const decoded: DecodedRow[] = [];
  for (const { index, values } of objects) {
    try {
      decoded.push({ index, id: newId(), ...decoder.decode(values) });
    } catch (error) {
      if (!(error instanceof KithError)) throw error;
      failures.push({
        index,
        code: error.code,
        message: error.message,
        ...(error.fieldErrors && { fieldErrors: error.fieldErrors }),
      });
    }
  }
  return decoded;
}
