/** [spec: Import] Imports a list of records, or a file in one request. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { Lenient } from '../../describe/annotations.ts';
import { errors, shortened } from '../../errors.ts';
import type { Json } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';
import { analyze, type Analysis } from '../../records/import/analysis.ts';
import { carryOut, type PartOutcome } from '../../records/import/executing/carry-out.ts';
import { importRows } from '../../records/import/import-rows.ts';
import { relatedTo } from '../../records/import/lookups.ts';
import { unknownOwnersWarning, unreadWarnings } from '../../records/import/reasons.ts';
import { addToLists, parseListKeys } from '../../records/writing/list-entries.ts';
import { askAfterImport, manyRecords } from '../background/after-import.ts';
import { bytesOf, formatOfBody, type GivenFile } from './import-file-body.ts';
import { callOfFile, fieldsToImport, preparedFor } from './import-running.ts';
import { FileIn } from './import-shapes.ts';
import { ListKeyInput, ObjectName } from '../inputs.ts';
import { defineRecordOperation } from '../door/operation.ts';
import { Id, ListAdditionsOut } from '../outputs.ts';
import { soMany } from '../../lib/so-many.ts';

const mostRecords = 10_000;
const mostErrors = 100;

export const importRecords = defineRecordOperation({
  id: 'records.import',
  summary: 'Create many records from rows of field values, with labels in place of ids',
  input: Type.Object(
    {
      object: ObjectName,
      records: Type.Array(Lenient(Type.Object({}), 'Values by field; text is taken for every type')),
      ...FileIn,
      data: Type.Optional(FileIn.data),
      ...ListKeyInput,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    object_name: Type.String(),
    created: Type.Integer(),
    created_ids: Type.Array(Id),
    duplicates: Type.Integer(),
    failed: Type.Integer(),
    errors: Type.Array(Type.Object({ index: Type.Integer({ minimum: 0 }), error: Type.String() }), { maxItems: 100 }),
    ...ListAdditionsOut,
  }),
  needs: 'create',
  effect: 'write',
  cost: 'bulk',
  source: 'import',
  adminOnly: 'Importing records',
  takesFile: true,
  async run(call, input, object) {
    const keys = parseListKeys(call, input);
    const write = input.data === undefined ? givenRecords(input.records) : await fileGiven(call, object, input);
    const { created, failed, ignored, leftOut, unread, unknownOwners, warnings } = await call.workspace.transaction(
      async (tx) => {
        const outcome = await write(call, tx, object);
        if (outcome.created.length >= manyRecords) await askAfterImport(call, tx, object);
        const counts = { created: outcome.created.length, failed: outcome.failed.length };
        call.audit(tx, 'import', { object: object.name, ...counts });
        return outcome;
      },
    );
    if (ignored.length > 0) call.warn(`Read-only columns were ignored: ${ignored.join(', ')}`);
    if (leftOut.length > 0)
      call.warn(`Columns that go to no field were left out: ${leftOut.map(shortened).join(', ')}`);
    unreadWarnings(unread).forEach((line) => call.warn(line));
    if (unknownOwners > 0) call.warn(unknownOwnersWarning(unknownOwners));
    const [left] = warnings;
    if (left)
      call.warn(
        `${soMany(warnings.length, 'cell was', 'cells were')} left empty; the first: row ${left.index + 1}, ${left.message}`,
      );
    const others = failed.filter(({ isDuplicate }) => !isDuplicate);
    const ids = created.map(({ id }) => id);
    return {
      object_name: object.name,
      created: ids.length,
      created_ids: ids,
      duplicates: failed.length - others.length,
      failed: others.length,
      errors: others.slice(0, mostErrors).map(({ index, reason }) => ({ index, error: reason })),
      ...(ids.length > 0 && (await addToLists(call, object, ids, keys))),
    };
  },
});

interface Written extends Pick<PartOutcome, 'created' | 'failed' | 'ignored' | 'unknownOwners' | 'warnings'> {
  /** Columns of the file that are not imported. */
  readonly leftOut: readonly string[];
  /** Parts of the file that are in no column. */
  readonly unread?: readonly string[];
}
type Write = (call: Call, tx: WorkspaceTransaction, object: ObjectDef) => Promise<Written>;

/** The records of the specified body. Throws MISSING_REQUIRED_FIELD, VALIDATION_ERROR. */
function givenRecords(records: readonly unknown[]): Write {
  if (records.length === 0) throw errors.missingField('records', 'at least one');
  refuseTooMany(records.length);
  return async (call, tx, object) => {
    const outcome = await importRows(call, tx, object, records as Json[], 'import');
    const failed = outcome.failures.map(({ index, message, code }) => ({
      index,
      reason: message,
      isDuplicate: code === 'DUPLICATE_RECORD',
    }));
    return { ...outcome, failed, leftOut: [] };
  };
}

/** The rows of a file, mapped as proposed. */
async function fileGiven(call: Call, object: ObjectDef, file: GivenFile): Promise<Write> {
  const options = { fileName: file.file_name ?? '', ...formatOfBody(file) };
  const { analysis, rows } = await analyze(
    bytesOf(file),
    object,
    fieldsToImport(call, object),
    relatedTo(call),
    options,
  );
  refuseTooMany(rows.length);
  const mapping = analysis.proposals.map(({ suggestion }) => suggestion);
  const { prepared } = preparedFor(call, object, analysis, { mapping, options: { bad_cells: 'fail' } });
  return async (_call, tx) => {
    const outcome = await carryOut(callOfFile(call, analysis), tx, prepared, rows, 0);
    return { ...outcome, leftOut: columnsLeftOut(analysis), unread: analysis.unread ?? [] };
  };
}

/** Columns with values that are not mapped. */
function columnsLeftOut({ proposals, profiles }: Analysis): readonly string[] {
  return proposals.flatMap(({ column, suggestion }, at) => {
    const isEmpty = profiles[at]?.filled === 0;
    return suggestion.action === 'ignore' && !isEmpty ? [column] : [];
  });
}

function refuseTooMany(count: number): void {
  if (count > mostRecords) throw errors.validation(`records takes at most ${mostRecords} records a call`);
}
