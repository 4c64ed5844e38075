/** Imports one file: shows the mapping, runs the batches, and stops on interruption. */
import { writeFileSync } from 'node:fs';
import { errors } from '../errors.ts';
import { objectHint } from '../lib/other-names.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Desk } from '../kernel.ts';
import { importChunk, type ChunkOutcome } from '../operations/imports/import-chunk.ts';
import { importableFields } from '../records/csv/columns.ts';
import { failedRows } from '../records/import/jobs/failed-rows.ts';
import { relatedTo, type Related } from '../records/import/lookups.ts';
import type { MappingEntry } from '../records/import/mapping/entry.ts';
import { sourceOf } from '../records/import/sources/sources.ts';
import { unlinked } from '../records/import/mapping/propose.ts';
import type { Format } from '../records/import/reading/kind-of-file.ts';
import type { TableRow } from '../records/import/reading/table.ts';
import { unknownOwnersWarning, unreadWarnings } from '../records/import/reasons.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { isAtTerminal } from './ask.ts';
import { linesOfHints, watching } from './import-hints.ts';
import { agrees, linesOfMapping, linesOfMissing, linesOfOffers, withAnswers } from './import-mapping.ts';
import { readFile, type ReadFile } from './import-reading.ts';
import { settingsOf, type ImportOptions } from './import-settings.ts';
import { answerOf, count, nothingRead, summary, type Totals } from './import-totals.ts';
import type { Answer } from './output.ts';
import { createProgress } from './progress.ts';
import { refuseMissingFolder } from './written-file.ts';

/** Rows per transaction, which an interruption cannot split. */
const batchSize = 1000;

/** Rows that a dry run tries together, as a preview does: later rows see what earlier ones would create. */
const triedAtOnce = 20_000;

/** Imports the file in batches, and answers with the outcome. */
export async function importFile(context: Context, options: ImportOptions): Promise<Answer> {
  if (options.errorsOut !== undefined) await refuseMissingFolder(options.errorsOut);
  const warnings = new Set<string>();
  const desk = await context.desk(options.org, (warning) => warnings.add(warning), 'import');
  const object = objectOf(desk, options.object);
  const fields = importableFields(object);
  const related = relatedTo(desk.session);
  const file = await readFile({ ...readingOf(options), object, fields, related }, context.interruption);
  const totals = nothingRead();
  let mapping: readonly MappingEntry[] = [];
  let parts = 0;
  const progress = createProgress(process.stderr, process.env);
  const send: Send = async (rows, wanted) => {
    const wishes = settingsOf(wanted, await file.analysis(), related);
    totals.isMatched ||= wishes.options.duplicate_fields !== undefined;
    const choice = { ...watching(wanted, object, mapping, totals.read + rows.length), ...wishes.options };
    const input = { object: object.name, chunk: { ...wishes, options: choice, rows, first: totals.read } };
    return options.dryRun ? desk.tryOut(importChunk, input) : desk.perform(importChunk, input);
  };
  try {
    const agreed = await settled(context, options, object, related, file, send);
    // An interruption during a question is neither yes nor no.
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
      parts++;
      progress.show(totals.read, file.share());
      if (context.interruption.aborted) break;
    }
  } catch (error) {
    // The interruption closes the input, which fails for its reader.
    if (!context.interruption.aborted) {
      if (totals.read > 0) context.note(`Stopped after ${summary(totals)}`);
      throw error;
    }
  } finally {
    progress.clear();
    file.stop();
  }
  warnings.forEach(context.note);
  if (totals.unknownOwners > 0) context.note(unknownOwnersWarning(totals.unknownOwners));
  if (options.dryRun && parts > 1)
    context.note(`The file was tried in ${parts} parts: what rows of one would make, those of the next did not see`);
  if (options.errorsOut !== undefined) await writeFailed(options.errorsOut, file, totals);
  const { source } = await file.analysis();
  linesOfHints(options, object, source, mapping, totals).forEach(context.note);
  return answerOf(context, options, totals, mapping);
}

function readingOf({ file, format, map, newField, dryRun }: ImportOptions) {
  const wanted = new Set([...map.keys(), ...(newField?.keys() ?? [])]);
  return { file, wanted, batchSize: dryRun ? triedAtOnce : batchSize, ...(format && { format: format as Format }) };
}

type Send = (rows: readonly TableRow[], wanted: ImportOptions) => Promise<ChunkOutcome>;

/** The options once all questions are answered, with the mapping; undefined if the user declines. */
async function settled(
  { note, interruption }: Context,
  options: ImportOptions,
  object: ObjectDef,
  related: Related,
  file: ReadFile,
  send: Send,
): Promise<{ readonly wanted: ImportOptions; readonly mapping: readonly MappingEntry[] } | undefined> {
  const { mapping, missing } = await send([], options);
  if ((options.match?.length ?? 0) === 0) neededBy(object, mapping).forEach(note);
  const analysis = await file.analysis();
  unreadWarnings(analysis.unread).forEach(note);
  if (options.dryRun) {
    const matched =
      (options.match?.length ?? 0) === 0 ? settingsOf(options, analysis, related).options.duplicate_fields : [];
    [
      ...linesOfMapping(analysis, mapping),
      ...(matched ?? []).map((name) => `A row is the record that has its ${name}, if there is one`),
      ...linesOfOffers(analysis, mapping, missing),
    ].forEach(note);
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

/** A line for each required field that no column maps to. */
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
