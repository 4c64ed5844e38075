/** One import from the file to the answer: shows where the columns go, runs the batches, stops when it is asked to. */
import { writeFileSync } from 'node:fs';
import { errors } from '../errors.ts';
import { objectHint } from '../lib/other-names.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Desk } from '../kernel.ts';
import { importChunk, type ChunkOutcome } from '../operations/import-chunk.ts';
import { importableFields } from '../records/csv/columns.ts';
import type { Analysis } from '../records/import/analysis.ts';
import type { FailedRow } from '../records/import/executing/carry-out.ts';
import { failedRows } from '../records/import/jobs/failed-rows.ts';
import { withPart } from '../records/import/jobs/outcomes.ts';
import { nothingYet, type Choice, type Outcome } from '../records/import/jobs/states.ts';
import type { MappingEntry } from '../records/import/mapping/entry.ts';
import type { DateOrder } from '../records/import/guessing/dates.ts';
import { lineOf } from '../records/import/reasons.ts';
import type { Format } from '../records/import/reading/kind-of-file.ts';
import type { TableRow } from '../records/import/reading/table.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { agrees, linesOfMapping } from './import-mapping.ts';
import { readFile, type ReadFile } from './import-reading.ts';
import { terminalWidth, textOf, type Answer } from './output.ts';
import { createProgress } from './progress.ts';

export interface ImportOptions {
  readonly org?: string;
  readonly object: string;
  readonly file: string;
  readonly format?: 'csv' | 'json' | 'vcard';
  readonly map: ReadonlyMap<string, string>;
  readonly match?: readonly string[];
  readonly onMatch?: 'update' | 'skip' | 'create';
  readonly createMissing?: boolean;
  readonly dateFormat?: DateOrder;
  readonly badCells?: 'fail' | 'empty';
  readonly dryRun?: boolean;
  readonly errorsOut?: string;
  readonly yes?: boolean;
  readonly allowErrors?: boolean;
}

/** Rows that go in together, and that an interruption may lose none of. */
const batchSize = 1000;

/** What has become of the rows so far. */
interface Totals {
  read: number;
  outcome: Outcome;
  readonly createdIds: string[];
  readonly failed: FailedRow[];
  duplicates: number;
  unknownOwners: number;
  /** With what is wrong with each. */
  readonly failedRows: (readonly [row: TableRow, reason: string])[];
}

/** Brings the records of the file in, batch by batch, and answers what became of them. */
export async function importFile(context: Context, options: ImportOptions): Promise<Answer> {
  const warnings = new Set<string>();
  const desk = await context.desk(options.org, (warning) => warnings.add(warning), 'import');
  const object = objectOf(desk, options.object);
  const fields = importableFields(object);
  const { format } = options;
  const wanted = new Set(options.map.keys());
  const read = { file: options.file, wanted, object, fields, batchSize, ...(format && { format: format as Format }) };
  const file = await readFile(read, context.interruption);
  const totals: Totals = {
    read: 0,
    outcome: nothingYet,
    createdIds: [],
    failed: [],
    duplicates: 0,
    unknownOwners: 0,
    failedRows: [],
  };
  let mapping: readonly MappingEntry[] = [];
  const progress = createProgress(process.stderr, process.env);
  const send = async (rows: readonly TableRow[]) => {
    const chunk = { ...asked(options, await file.analysis()), rows, first: totals.read };
    const input = { object: object.name, chunk };
    return options.dryRun ? desk.tryOut(importChunk, input) : desk.perform(importChunk, input);
  };
  try {
    ({ mapping } = await send([]));
    if ((options.match?.length ?? 0) === 0) neededBy(object, mapping).forEach(context.note);
    if (options.dryRun) linesOfMapping(await file.analysis(), mapping).forEach(context.note);
    else if (!options.yes && !(await agrees(await file.analysis(), mapping, object.name, context.interruption)))
      return {
        value: { object_name: object.name, created: 0 },
        text: 'Nothing was imported\n',
        exitCode: exitCodes.failure,
      };
    for await (const rows of file.batches) {
      const sent = await send(rows);
      ({ mapping } = sent);
      count(totals, sent, rows, options.errorsOut !== undefined);
      progress.show(totals.read, file.share());
      if (context.interruption.aborted) break;
    }
  } catch (error) {
    // An input that is closed by an interruption fails in whoever reads it.
    if (!context.interruption.aborted) {
      if (totals.read > 0) context.note(`Stopped after ${summary(totals)}`);
      throw error;
    }
  } finally {
    progress.clear();
    file.stop();
  }
  warnings.forEach(context.note);
  if (totals.unknownOwners > 0)
    context.note(`${totals.unknownOwners.toLocaleString('en')} owners are no users here; their records are yours`);
  if (options.errorsOut !== undefined) await writeFailed(options.errorsOut, file, totals);
  return answerOf(context, options, totals, mapping);
}

function objectOf(desk: Desk, name: string): ObjectDef {
  const { objects } = desk.session.model;
  const object = objects.get(name);
  const known = [...objects.values()]
    .filter(({ kind }) => kind !== 'managed' && kind !== 'internal')
    .map((one) => one.name);
  if (!object) throw errors.invalidObject(name, known, objectHint(name, known));
  return object;
}

/** A line for each field that every record needs, and that nothing goes to. */
function neededBy({ name: object, fields }: ObjectDef, mapping: readonly MappingEntry[]): string[] {
  const going = new Set(
    mapping.flatMap(({ action, field = '' }) => (action === 'map' ? [field.split(/[.:]/)[0]] : [])),
  );
  return fields
    .filter(({ name, isRequired, isReadonly, defaultValue }) => {
      return isRequired && !isReadonly && defaultValue === null && !going.has(name);
    })
    .map(({ name }) => `No column goes to ${name}, which each record of ${object} needs: --map 'COLUMN=${name}'`);
}

/** What the command line says of the columns and the rows. */
function asked(options: ImportOptions, analysis: Analysis) {
  const { map, match = [], onMatch = 'update', dateFormat, createMissing, badCells = 'fail' } = options;
  const proposed = new Map(analysis.proposals.map(({ column, suggestion }) => [column, suggestion]));
  const chosen = new Map<string, MappingEntry>(
    // A file of JSON lines may bring the column later.
    [...map]
      .filter(([column]) => analysis.format === 'csv' || proposed.has(column))
      .map(([column, field]) => [
        column,
        field === '' ? { column, action: 'ignore' } : { column, action: 'map', field },
      ]),
  );
  if (dateFormat) {
    for (const { column, ambiguousDates } of analysis.profiles) {
      const entry = chosen.get(column) ?? proposed.get(column);
      if (ambiguousDates && entry) chosen.set(column, { ...entry, date_format: dateFormat });
    }
  }
  const choice: Choice['options'] = {
    bad_cells: badCells,
    ...(createMissing && { create_missing: true }),
    ...(match.length > 0 && { duplicate_strategy: onMatch, duplicate_fields: match }),
  };
  return { analysis, given: [...chosen.values()], options: choice };
}

function count(totals: Totals, { result }: ChunkOutcome, rows: readonly TableRow[], keepsRows: boolean): void {
  for (const { id } of result.created) totals.createdIds.push(id);
  for (const row of result.failed) {
    if (row.isDuplicate) totals.duplicates++;
    else if (totals.failed.length < maxErrors) totals.failed.push(row);
    const given = rows[row.index - totals.read];
    if (keepsRows && given) totals.failedRows.push([given, row.reason]);
  }
  totals.outcome = withPart(totals.outcome, result, []);
  totals.unknownOwners += result.unknownOwners;
  totals.read += rows.length;
}

/** Errors that the answer names. [spec: Import] */
const maxErrors = 100;

async function writeFailed(path: string, file: ReadFile, totals: Totals): Promise<void> {
  const failed = totals.failedRows.map(([, reason], at) => [at, reason] as const);
  const part = { part: 0, first: 0, rows: totals.failedRows.map(([row]) => row), planned: null, failed };
  let text = '';
  for await (const piece of failedRows(await file.analysis(), inOnePart(part))) text += piece;
  writeFileSync(path, text);
}

async function* inOnePart<T>(part: T): AsyncGenerator<T> {
  yield part;
}

function answerOf(
  context: Context,
  { object, allowErrors, match, dryRun }: ImportOptions,
  totals: Totals,
  mapping: readonly MappingEntry[],
): Answer {
  const stopped = context.interruption.aborted;
  const { createdIds, read, duplicates, outcome } = totals;
  const ignored = mapping.filter(({ action }) => action === 'ignore').map(({ column }) => column);
  const failed = outcome.failed - duplicates;
  const errorList = totals.failed
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, reason }) => ({ index, error: reason }));
  if (ignored.length > 0) context.note(`Ignored columns: ${ignored.join(', ')}`);
  if (stopped) context.note('Interrupted: the rows counted here are in, the others are not');
  const more = {
    ...((match?.length ?? 0) > 0 && { updated: outcome.updated, skipped: outcome.skipped }),
    ...((match?.length ?? 0) === 0 && outcome.skipped > 0 && { skipped: outcome.skipped }),
    ...(outcome.warnings > 0 && { warnings: outcome.warnings }),
    ...(Object.keys(outcome.made).length > 0 && { records_made: outcome.made }),
  };
  const made = Object.entries(outcome.made).map(
    ([name, number]) => `${number} records of ${name} made for relations\n`,
  );
  const lines = [...made, ...[...outcome.problems, ...outcome.notes].map((reason) => `${lineOf(reason)}\n`)];
  const code = stopped ? exitCodes.interrupted : outcome.failed > 0 && !allowErrors ? exitCodes.failure : undefined;
  return {
    value: {
      object_name: object,
      created: createdIds.length,
      created_ids: dryRun ? [] : createdIds,
      duplicates,
      failed,
      errors: errorList,
      read,
      ignored_columns: ignored,
      ...more,
    },
    text:
      textOf({ read, created: createdIds.length, duplicates, failed, ...counts(more) }, terminalWidth()) +
      lines.join(''),
    ...(code !== undefined && { exitCode: code }),
  };
}

function counts(more: object): Record<string, number> {
  return Object.fromEntries(Object.entries(more).filter(([, value]) => typeof value === 'number'));
}

function summary({ read, createdIds, duplicates, outcome }: Totals): string {
  return `${read} rows: ${createdIds.length} created, ${duplicates} duplicates, ${outcome.failed - duplicates} failed`;
}
