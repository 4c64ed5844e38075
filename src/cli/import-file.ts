/** One import from the file to the answer: shows where the columns go, runs the batches, stops when it is asked to. */
import { writeFileSync } from 'node:fs';
import { errors } from '../errors.ts';
import { objectHint } from '../lib/other-names.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Desk } from '../kernel.ts';
import { importChunk, type ChunkOutcome } from '../operations/import-chunk.ts';
import { importableFields } from '../records/csv/columns.ts';
import type { FailedRow } from '../records/import/executing/carry-out.ts';
import { failedRows } from '../records/import/jobs/failed-rows.ts';
import { withPart } from '../records/import/jobs/outcomes.ts';
import { nothingYet, type Outcome } from '../records/import/jobs/states.ts';
import { relatedTo } from '../records/import/lookups.ts';
import type { MappingEntry } from '../records/import/mapping/entry.ts';
import { sourceOf } from '../records/import/sources/sources.ts';
import { lineOf } from '../records/import/reasons.ts';
import { unlinked } from '../records/import/mapping/propose.ts';
import type { Format } from '../records/import/reading/kind-of-file.ts';
import type { TableRow } from '../records/import/reading/table.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { isAtTerminal } from './ask.ts';
import { asked, type ImportOptions } from './import-asked.ts';
import { agrees, linesOfMapping, linesOfMissing, linesOfOffers, withAnswers } from './import-mapping.ts';
import { readFile, type ReadFile } from './import-reading.ts';
import { terminalWidth, textOf, type Answer } from './output.ts';
import { createProgress } from './progress.ts';

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
  readonly newFields: Set<string>;
  /** Labels by field. */
  readonly newOptions: Map<string, Set<string>>;
  /** Whether rows could be records that were there. */
  isMatched: boolean;
}

function nothingRead(): Totals {
  return {
    read: 0,
    outcome: nothingYet,
    createdIds: [],
    failed: [],
    duplicates: 0,
    unknownOwners: 0,
    failedRows: [],
    newFields: new Set(),
    newOptions: new Map(),
    isMatched: false,
  };
}

/** Brings the records of the file in, batch by batch, and answers what became of them. */
export async function importFile(context: Context, options: ImportOptions): Promise<Answer> {
  const warnings = new Set<string>();
  const desk = await context.desk(options.org, (warning) => warnings.add(warning), 'import');
  const object = objectOf(desk, options.object);
  const fields = importableFields(object);
  const related = relatedTo(desk.session);
  const file = await readFile({ ...readingOf(options), object, fields, related }, context.interruption);
  const totals = nothingRead();
  let mapping: readonly MappingEntry[] = [];
  const progress = createProgress(process.stderr, process.env);
  const send: Send = async (rows, wanted) => {
    const wishes = asked(wanted, await file.analysis(), related);
    totals.isMatched ||= wishes.options.duplicate_fields !== undefined;
    const input = { object: object.name, chunk: { ...wishes, rows, first: totals.read } };
    return options.dryRun ? desk.tryOut(importChunk, input) : desk.perform(importChunk, input);
  };
  try {
    const agreed = await settled(context, options, object, file, send);
    // Who has stopped it at a question has said neither yes nor no.
    if (!agreed || context.interruption.aborted)
      return {
        value: { object_name: object.name, created: 0 },
        text: 'Nothing was imported\n',
        exitCode: exitCodes.failure,
      };
    ({ mapping } = agreed);
    for await (const rows of file.batches) {
      const sent = await send(rows, agreed.wanted);
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

function readingOf({ file, format, map, newField }: ImportOptions) {
  const wanted = new Set([...map.keys(), ...(newField?.keys() ?? [])]);
  return { file, wanted, batchSize, ...(format && { format: format as Format }) };
}

type Send = (rows: readonly TableRow[], wanted: ImportOptions) => Promise<ChunkOutcome>;

/** What is wanted when nobody has a question any more, with where the columns go; undefined where somebody does not agree. */
async function settled(
  { note, interruption }: Context,
  options: ImportOptions,
  object: ObjectDef,
  file: ReadFile,
  send: Send,
): Promise<{ readonly wanted: ImportOptions; readonly mapping: readonly MappingEntry[] } | undefined> {
  const { mapping, missing } = await send([], options);
  if ((options.match?.length ?? 0) === 0) neededBy(object, mapping).forEach(note);
  const analysis = await file.analysis();
  if (options.dryRun) {
    [...linesOfMapping(analysis, mapping), ...linesOfOffers(analysis, mapping, missing)].forEach(note);
    return { wanted: options, mapping };
  }
  unlinked(analysis.proposals).forEach(note);
  if (options.keepIds && sourceOf(analysis.source, object.name)?.idField === undefined)
    note('Nothing is known of ids in this file: --new-field keeps those of a column');
  if (options.yes || !isAtTerminal()) {
    linesOfMissing(missing).forEach(note);
    return { wanted: options, mapping };
  }
  const wanted = await withAnswers(options, analysis, mapping, missing, interruption);
  const { mapping: last } = await send([], wanted);
  return (await agrees(analysis, last, object.name, interruption)) ? { wanted, mapping: last } : undefined;
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

function count(totals: Totals, { result, made }: ChunkOutcome, rows: readonly TableRow[], keepsRows: boolean): void {
  for (const { id } of result.created) totals.createdIds.push(id);
  for (const row of result.failed) {
    if (row.isDuplicate) totals.duplicates++;
    else if (totals.failed.length < maxErrors) totals.failed.push(row);
    const given = rows[row.index - totals.read];
    if (keepsRows && given) totals.failedRows.push([given, row.reason]);
  }
  made.fields.forEach((name) => totals.newFields.add(name));
  for (const [field, labels] of Object.entries(made.options))
    totals.newOptions.set(field, new Set([...(totals.newOptions.get(field) ?? []), ...labels]));
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
  { object, allowErrors, dryRun }: ImportOptions,
  totals: Totals,
  mapping: readonly MappingEntry[],
): Answer {
  const stopped = context.interruption.aborted;
  const { createdIds, read, duplicates, outcome, isMatched } = totals;
  const ignored = mapping.filter(({ action }) => action === 'ignore').map(({ column }) => column);
  const failed = outcome.failed - duplicates;
  const errorList = totals.failed
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, reason }) => ({ index, error: reason }));
  if (ignored.length > 0) context.note(`Ignored columns: ${ignored.join(', ')}`);
  if (stopped) context.note('Interrupted: the rows counted here are in, the others are not');
  const more = {
    ...(isMatched && { updated: outcome.updated, skipped: outcome.skipped }),
    ...(!isMatched && outcome.skipped > 0 && { skipped: outcome.skipped }),
    ...(outcome.warnings > 0 && { warnings: outcome.warnings }),
    ...(Object.keys(outcome.made).length > 0 && { records_made: outcome.made }),
    ...madeOf(totals),
  };
  const made = Object.entries(outcome.made).map(
    ([name, number]) => `${number} records of ${name} made for relations\n`,
  );
  const lines = [
    ...made,
    ...linesOfMade(totals),
    ...[...outcome.problems, ...outcome.notes].map((reason) => `${lineOf(reason)}\n`),
  ];
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

/** The fields and options that were made; in a dry run, that would be. */
function madeOf({ newFields, newOptions }: Totals) {
  const options = [...newOptions].map(([field, labels]) => [field, [...labels]] as const);
  return {
    ...(newFields.size > 0 && { new_fields: [...newFields] }),
    ...(newOptions.size > 0 && { enum_options: Object.fromEntries(options) }),
  };
}

function linesOfMade({ newFields, newOptions }: Totals): string[] {
  return [
    ...[...newFields].map((name) => `new field: ${name}\n`),
    ...[...newOptions].map(([field, labels]) => `new options of ${field}: ${[...labels].join(', ')}\n`),
  ];
}

function counts(more: object): Record<string, number> {
  return Object.fromEntries(Object.entries(more).filter(([, value]) => typeof value === 'number'));
}

function summary({ read, createdIds, duplicates, outcome }: Totals): string {
  return `${read} rows: ${createdIds.length} created, ${duplicates} duplicates, ${outcome.failed - duplicates} failed`;
}
