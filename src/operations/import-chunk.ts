/** Some rows of a file that the command line reads by itself: the engine of imports, without a job. */
import { Type } from 'typebox';
import type { Analysis } from '../records/import/analysis.ts';
import { carryOut, type PartOutcome } from '../records/import/executing/carry-out.ts';
import type { Choice } from '../records/import/jobs/states.ts';
import type { MappingEntry } from '../records/import/mapping/entry.ts';
import type { TableRow } from '../records/import/reading/table.ts';
import { askAfterImport, manyRecords } from './background/after-import.ts';
import { defineRecordOperation } from './door/operation.ts';
import { callOfFile, fieldsToImport, mappingOf, preparedFor } from './import-running.ts';
import { ObjectName } from './inputs.ts';

export interface Chunk {
  readonly analysis: Analysis;
  /** What somebody says of columns; the others go where they are proposed to. */
  readonly given: readonly MappingEntry[];
  readonly options: Choice['options'];
  readonly rows: readonly TableRow[];
  /** The index of the first of them in the file. */
  readonly first: number;
}

export interface ChunkOutcome {
  readonly mapping: readonly MappingEntry[];
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
    const chosen = mappingOf(chunk.analysis, chunk.given, fieldsToImport(call, object));
    const { mapping } = chosen;
    const { prepared } = preparedFor(call, object, chunk.analysis, { ...chosen, options: chunk.options });
    if (chunk.rows.length === 0) return { mapping, result: nothing };
    const result = await call.workspace.transaction(async (tx) => {
      const written = await carryOut(callOfFile(call, chunk.analysis), tx, prepared, chunk.rows, chunk.first);
      if (written.created.length >= manyRecords) await askAfterImport(call, tx, object);
      return written;
    });
    return { mapping, result };
  },
});

const nothing: PartOutcome = {
  created: [],
  updated: [],
  skipped: [],
  failed: [],
  warnings: [],
  made: new Map(),
  values: new Map(),
  ignored: [],
  unknownOwners: 0,
};
