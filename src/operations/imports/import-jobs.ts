/** Imports in steps: analyze, preview, execute, get, cancel. [spec: crm_import_records] */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { newId } from '../../lib/id.ts';
import { insertJob, selectJob } from '../../jobs/table.ts';
import { statement } from '../../postgres/sql.ts';
import { analyze } from '../../records/import/analysis.ts';
import type { Prepared } from '../../records/import/executing/carry-out.ts';
import { executePart } from '../../records/import/jobs/steps.ts';
import { failedRows, isJson } from '../../records/import/jobs/failed-rows.ts';
import { settledOf } from '../../records/import/jobs/outcomes.ts';
import { nothingYet, type Choice as Chosen, type Outcome } from '../../records/import/jobs/states.ts';
import { relatedTo } from '../../records/import/lookups.ts';
import {
  insertImport,
  lockImport,
  readImport,
  readPart,
  readPartNoTx,
  rowsKeptMs,
  updateImport,
  type StoredImport,
} from '../../records/import/jobs/table.ts';
import { tryOut, type Trial } from '../../records/import/jobs/trial.ts';
import { addToLists, parseListKeys } from '../../records/writing/list-entries.ts';
import { askAfterImport, manyRecords } from '../background/after-import.ts';
import { endedEarly, importJob, importKind } from '../background/import-job.ts';
import { defineOperation, Download } from '../door/operation.ts';
import { bytesOf, formatOfBody } from './import-file-body.ts';
import {
  auditImport,
  callOfFile,
  choiceOf,
  fieldsToImport,
  importObject,
  importOut,
  missingOut,
  objectOf,
  outcomeOut,
  preparedFor,
  type ReadyImport,
} from './import-running.ts';
import { isNothing, make, preparedToTry, toBeMade, type Made } from './import-making.ts';
import {
  ExecuteOut,
  FileIn,
  ImportId,
  ImportOptionsIn,
  ImportOut,
  MappingEntryIn,
  PreviewOut,
} from './import-shapes.ts';
import { ListKeyInput, ObjectName } from '../inputs.ts';
import { soMany } from '../../lib/so-many.ts';

const adminOnly = 'Importing records';

/** The most rows that are imported within the request; a job imports more. [spec: Page and size limits] */
const mostAtOnce = 2_000;

export const analyzeImport = defineOperation({
  id: 'imports.analyze',
  summary: 'Analyse a file and propose a mapping of its columns',
  input: Type.Object(
    {
      object_name: ObjectName,
      ...FileIn,
      has_header: Type.Optional(Type.Boolean({ description: 'Detected from the file when absent' })),
    },
    { additionalProperties: false },
  ),
  output: ImportOut,
  effect: 'write',
  cost: 'bulk',
  adminOnly,
  takesFile: true,
  status: 201,
  async run(call, input) {
    const object = importObject(call, input.object_name);
    const fields = fieldsToImport(call, object);
    const { analysis, rows } = await analyze(bytesOf(input), object, fields, relatedTo(call), {
      fileName: input.file_name ?? '',
      ...formatOfBody(input),
      ...(input.has_header !== undefined && { hasHeader: input.has_header }),
    });
    const id = newId(call.now);
    return call.workspace.transaction(async (tx) => {
      await insertImport(call, tx, { id, objectId: object.id, analysis, rows });
      return importOut(call, await lockImport(call, tx, id));
    });
  },
});

export const getImport = defineOperation({
  id: 'imports.get',
  summary: 'Progress and outcome of an import',
  input: Type.Object({ id: ImportId }, { additionalProperties: false }),
  output: ImportOut,
  effect: 'read',
  cost: 'global',
  adminOnly,
  run: async (call, { id }) => importOut(call, await withJob(call, await readImport(call, id))),
});

const ChoiceIn = {
  mapping: Type.Optional(Type.Array(MappingEntryIn, { description: 'Columns that go elsewhere than is proposed' })),
  import_options: Type.Optional(ImportOptionsIn),
};

export const previewImport = defineOperation({
  id: 'imports.preview',
  summary: 'Preview an import row by row',
  input: Type.Object({ id: ImportId, ...ChoiceIn }, { additionalProperties: false }),
  output: PreviewOut,
  effect: 'write',
  cost: 'bulk',
  adminOnly,
  showsOnly: true,
  async run(call, { id, ...given }) {
    return call.workspace.transaction(async (tx) => {
      const stored = await lockImport(call, tx, id);
      refuseClosed(call, stored);
      const object = objectOf(call, stored);
      const choice = choiceOf(call, object, stored, asChosen(given));
      const ready = preparedFor(call, object, stored.analysis, choice);
      const prepared = await preparedToTry(call, tx, object, stored.analysis, choice, ready);
      const trial = await tryOut(call, tx, id, prepared, choice);
      const { created, updated, skipped, failed } = trial.outcome;
      const preview = { hash: trial.hash, rows: trial.rows, created, updated, skipped, failed };
      await updateImport(call, tx, id, { status: 'previewed', choice, preview });
      return previewOut(stored, choice, trial, ready);
    });
  },
});

function previewOut(
  { analysis }: StoredImport,
  { mapping }: Chosen,
  { hash, rows, outcome, samples, changes }: Trial,
  { toMake, missing }: ReadyImport,
) {
  const known = new Map(analysis.profiles.map((profile) => [profile.column, profile]));
  return {
    preview_hash: hash,
    rows_tried: rows,
    ...outcomeOut(outcome),
    new_fields: toMake.map(({ new_field_name: name = '' }) => name),
    missing_options: missing.map(missingOut),
    effective_mapping: mapping,
    sample_rows: samples,
    changes,
    column_diagnostics: mapping.map(({ column, action, field, new_field_name: made }) => ({
      column,
      action,
      ...((field ?? made) !== undefined && { field: field ?? made }),
      filled: known.get(column)?.filled ?? 0,
      distinct: known.get(column)?.distinct ?? 0,
    })),
    duplicates: outcome.duplicates,
  };
}

export const executeImport = defineOperation({
  id: 'imports.execute',
  summary: 'Execute an import: at once, or as a job for more than 2,000 rows',
  input: Type.Object(
    {
      id: ImportId,
      ...ChoiceIn,
      preview_hash: Type.Optional(Type.String({ description: 'Do what that preview has shown, or nothing' })),
      ...ListKeyInput,
    },
    { additionalProperties: false },
  ),
  output: ExecuteOut,
  effect: 'write',
  cost: 'bulk',
  changesModel: true,
  source: 'import',
  adminOnly,
  async run(call, { id, preview_hash: hash, add_to_list_ids, create_list_name, ...given }) {
    const keys = parseListKeys(call, { add_to_list_ids, create_list_name });
    const stored = await withJob(call, await readImport(call, id));
    refuseClosed(call, stored);
    const object = objectOf(call, stored);
    const choice = { ...choiceOf(call, object, stored, asChosen(given)), ...(hash !== undefined && { hash }) };
    if (hash !== undefined && (hash !== stored.preview?.hash || given.mapping || given.import_options))
      throw errors.conflict('The import was not previewed so: preview it again');
    const ready = preparedFor(call, object, stored.analysis, choice);
    const made = toBeMade(stored.analysis, ready);
    const run = (within: Call) => carryOut(within, id, choice, made, keys);
    if (isNothing(made)) return run(call);
    if (call.isTrial) throw errors.notSupported('A dry run makes no fields and options: preview the import instead');
    await make(call, object, stored.analysis, ready);
    return call.part(run);
  },
});

async function carryOut(call: Call, id: string, choice: Chosen, made: Made, keys: ReturnType<typeof parseListKeys>) {
  const { fields } = made;
  const started = await call.workspace.transaction(async (tx) => {
    const stored = await lockImport(call, tx, id);
    refuseClosed(call, stored);
    const object = objectOf(call, stored);
    const { prepared } = preparedFor(call, object, stored.analysis, choice);
    if (stored.analysis.rows > mostAtOnce) {
      const job = importJob(call, id);
      await tx.run(insertJob(call.model, job, call.now));
      const outcome = { ...nothingYet, fields };
      const { changeSet } = call;
      await updateImport(call, tx, id, { status: 'queued', choice, outcome, jobId: job.id, changeSet });
      auditImport(call, tx, stored, { status: 'queued' });
      return { stored, object, isQueued: true } as const;
    }
    let outcome: Outcome = { ...nothingYet, fields };
    const ids: string[] = [];
    for (let at = 0; ; at++) {
      const part = await readPart(call, tx, id, at);
      if (!part) break;
      const step = await executePart(callOfFile(call, stored.analysis), tx, id, prepared, part, outcome, false);
      outcome = step.outcome;
      ids.push(...step.result.created.map((row) => row.id));
    }
    const [first] = outcome.moved;
    if (choice.hash !== undefined && first)
      throw errors.conflict(
        `${soMany(outcome.moved.length, 'row')} would become something else than was previewed; row ${first.index + 1} was to be ${first.previewed}, and would be ${first.now}: preview it again`,
      );
    const status = outcome.failed > 0 ? 'completed_with_errors' : 'completed';
    await updateImport(call, tx, id, { status, choice, outcome, changeSet: call.changeSet, finishedAt: call.now });
    if (ids.length >= manyRecords) await askAfterImport(call, tx, object);
    auditImport(call, tx, stored, { status, outcome });
    return { stored, object, prepared, outcome, ids, status };
  });
  const common = { import_job_id: id, rows: started.stored.analysis.rows };
  const wantsLists = keys.listIds.length > 0 || keys.createName !== undefined;
  if ('isQueued' in started) {
    call.wake(call.now);
    const note = wantsLists && { lists_note: 'Lists were not applied: a queued import adds to none' };
    return { ...common, mode: 'queued', status: 'queued', change_set: call.changeSet, ...note };
  }
  const { outcome, ids, object, status, prepared } = started;
  return {
    ...common,
    mode: 'completed',
    status,
    change_set: call.changeSet,
    ...outcomeOut(outcome),
    ...(outcome.moved.length > 0 && { moved: outcome.moved }),
    ...fieldDetails(prepared, made),
    ...(ids.length > 0 && wantsLists && (await addToLists(call, object, ids, keys))),
  };
}

/** The created options, and the fields whose links were written. */
function fieldDetails({ object, handling }: Prepared, { options }: Made) {
  const links = object.fields.filter(({ name, type }) => type === 'MANY_TO_MANY' && handling.lookups.has(name));
  return {
    ...(Object.keys(options).length > 0 && { enum_options: options }),
    ...(links.length > 0 && { many_to_many: links.map(({ name }) => name) }),
  };
}

export const cancelImport = defineOperation({
  id: 'imports.cancel',
  summary: 'Cancel an import: its rows so far stay and can be undone; the others are skipped',
  input: Type.Object({ id: ImportId }, { additionalProperties: false }),
  output: ImportOut,
  effect: 'write',
  cost: 'global',
  adminOnly,
  async run(call, { id }) {
    refuseOver(await withJob(call, await readImport(call, id)));
    return call.workspace.transaction(async (tx) => {
      const stored = await lockImport(call, tx, id);
      refuseOver(stored);
      const was = stored.outcome ?? nothingYet;
      const rest = stored.analysis.rows - settledOf(was);
      const outcome = { ...was, skipped: was.skipped + rest };
      await updateImport(call, tx, id, { status: 'cancelled', outcome, finishedAt: call.now });
      if (stored.jobId !== null) auditImport(call, tx, stored, { status: 'cancelled', outcome });
      return importOut(call, await lockImport(call, tx, id));
    });
  },
});

/** Throws CONFLICT for an import that has ended. */
function refuseOver({ status }: StoredImport): void {
  if (!['analyzed', 'previewed', 'queued', 'running'].includes(status))
    throw errors.conflict(`The import is ${status}: there is nothing to cancel`);
}

export const failedImportRows = defineOperation({
  id: 'imports.failedRows',
  summary: 'The rejected rows of an import in the columns of their file, each with its reason',
  input: Type.Object({ id: ImportId }, { additionalProperties: false }),
  output: Type.Unknown(),
  effect: 'read',
  cost: 'bulk',
  adminOnly,
  downloads: ['text/csv', 'application/x-ndjson'],
  async run(call, { id }) {
    const stored = await readImport(call, id);
    const object = objectOf(call, stored);
    if (!stored.hasRows) throw errors.conflict('The rows of this import are not kept any more');
    const type = isJson(stored.analysis) ? ['application/x-ndjson', 'ndjson'] : ['text/csv', 'csv'];
    const name = `${object.name}_failed.${type[1]}`;
    return new Download(`${type[0]}; charset=utf-8`, name, failedRows(stored.analysis, partsOf(call, id)));
  },
});

async function* partsOf(call: Call, id: string) {
  for (let at = 0; ; at++) {
    const part = await readPartNoTx(call, id, at);
    if (!part) return;
    yield part;
  }
}

/** The import as its job stands: it has failed if the job failed or is gone, even before the sweep marks it so. */
async function withJob(call: Call, stored: StoredImport): Promise<StoredImport> {
  if (stored.jobId === null || (stored.status !== 'queued' && stored.status !== 'running')) return stored;
  const query = selectJob(call.model.schema, stored.jobId, importKind, null);
  const [found] = await call.workspace.read(statement(query, call.model.version));
  const row = found?.rows[0];
  const [state, , , error = null, , finished] = row ?? [];
  if (row && state !== 'failed') return stored;
  const finishedAt = finished ? Number(finished) * 1_000 : call.now;
  return { ...stored, status: 'failed', error: error ?? endedEarly, finishedAt };
}

/** Throws CONFLICT for an import that was executed, cancelled, or has expired. */
function refuseClosed({ now }: Call, { status, createdAt, hasRows }: StoredImport): void {
  if (status !== 'analyzed' && status !== 'previewed')
    throw errors.conflict(`The import is ${status}: analyze the file again`);
  if (!hasRows || now >= createdAt + rowsKeptMs) throw errors.conflict('The import is expired: analyze the file again');
}

type Given = Parameters<typeof choiceOf>[3];

/** The input as validated by the schema. */
function asChosen(given: { readonly mapping?: unknown; readonly import_options?: unknown }): Given {
  return given as Given;
}
