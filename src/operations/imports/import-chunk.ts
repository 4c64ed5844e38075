/** Imports some rows of a file that the command line reads itself, without a job. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Analysis } from '../../records/import/analysis.ts';
import { carryOut, type PartOutcome, type Prepared } from '../../records/import/executing/carry-out.ts';
import type { Choice } from '../../records/import/jobs/states.ts';
import type { MappingEntry } from '../../records/import/mapping/entry.ts';
import type { MissingOptions } from '../../records/import/mapping/missing-options.ts';
import type { TableRow } from '../../records/import/reading/table.ts';
import { askAfterImport, manyRecords } from '../background/after-import.ts';
import { defineRecordOperation } from '../door/operation.ts';
import { isNothing, make, preparedToTry, toBeMade, type Made } from './import-making.ts';
import { callOfFile, fieldsToImport, mappingOf, objectOf, preparedFor } from './import-running.ts';
import { ObjectName } from '../inputs.ts';

export interface Chunk {
  readonly analysis: Analysis;
  /** The mapping of columns that the user specified; the others follow the proposals. */
  readonly given: readonly MappingEntry[];
  readonly options: Choice['options'];
  readonly rows: readonly TableRow[];
  /** The index of the first row in the file. */
  readonly first: number;
}

export interface ChunkOutcome {
  readonly mapping: readonly MappingEntry[];
  /** Options that fields lack. */
  readonly missing: readonly MissingOptions[];
  /** The fields and options that were created for these rows; if there are no rows, or in a dry run, those that would be. */
  readonly made: Made;
  readonly result: PartOutcome;
}

export const importChunk = defineRecordOperation({
  id: 'records.import',
  summary: 'Create or change records from rows of a file',
  input: Type.Object({ object: ObjectName, chunk: Type.Unsafe<Chunk>(Type.Unknown()) }),
  output: Type.Object({}),
  needs: 'create',
  effect: 'write',
  cost: 'bulk',
  source: 'import',
  adminOnly: 'Importing records',
  async run(call, { chunk }, object): Promise<ChunkOutcome> {
    const { ready, choice } = readyFor(call, object, chunk);
    const { mapping } = choice;
    const { missing } = ready;
    const made = toBeMade(chunk.analysis, ready);
    if (chunk.rows.length === 0) return { mapping, missing, made, result: nothing };
    if (isNothing(made) || call.isTrial) {
      const result = await write(call, object, chunk, (tx) =>
        preparedToTry(call, tx, object, chunk.analysis, choice, ready),
      );
      return { mapping, missing, made, result };
    }
    await make(call, object, chunk.analysis, ready);
    const result = await call.part(async (within) => {
      const now = objectOf(within, { objectId: object.id });
      return write(within, now, chunk, () => readyFor(within, now, chunk).ready.prepared);
    });
    return { mapping, missing, made, result };
  },
});

function readyFor(call: Call, object: ObjectDef, { analysis, given, options }: Chunk) {
  const choice: Choice = { ...mappingOf(analysis, given, fieldsToImport(call, object)), options };
  return { choice, ready: preparedFor(call, object, analysis, choice) };
}

function write(
  call: Call,
  object: ObjectDef,
  { analysis, rows, first }: Chunk,
  prepared: (tx: WorkspaceTransaction) => Prepared | Promise<Prepared>,
): Promise<PartOutcome> {
  return call.workspace.transaction(async (tx) => {
    const written = await carryOut(callOfFile(call, analysis), tx, await prepared(tx), rows, first);
    if (written.created.length >= manyRecords) await askAfterImport(call, tx, object);
    const { created, updated, skipped, failed } = written;
    call.audit(tx, 'import', {
      ...{ object: object.name, first_row: first + 1, rows: rows.length, created: created.length },
      ...{ updated: updated.length, skipped: skipped.length, failed: failed.length },
    });
    return written;
  });
}

const nothing: PartOutcome = {
  created: [],
  updated: [],
  skipped: [],
  failed: [],
  warnings: [],
  doubled: 0,
  made: new Map(),
  values: new Map(),
  ignored: [],
  unknownOwners: 0,
};
