/** One import from the file to the answer: opens the file, runs the batches, shows progress, stops when it is asked to. */
import { errors } from '../errors.ts';
import { objectHint } from '../lib/other-names.ts';
import { importRecords } from '../operations/import.ts';
import { importableFields } from '../records/csv/columns.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { newTotals, runImport, type Totals } from './import-run.ts';
import { openSource } from './import-source.ts';
import { openInput } from './input-file.ts';
import { terminalWidth, textOf, type Answer } from './output.ts';
import { createProgress } from './progress.ts';

export interface ImportOptions {
  readonly org?: string;
  readonly object: string;
  readonly file: string;
  readonly format?: 'csv' | 'json';
  readonly map: ReadonlyMap<string, string>;
}

/** Rows that go in together, and that an interruption may lose none of. */
const batchSize = 1000;

/** Brings the records of the file in, batch by batch, and answers what became of them. */
export async function importFile(context: Context, options: ImportOptions): Promise<Answer> {
  const warnings = new Set<string>();
  const desk = await context.desk(options.org, (warning) => warnings.add(warning), 'import');
  const { objects } = desk.session.model;
  const object = objects.get(options.object);
  const known = [...objects.values()]
    .filter(({ kind }) => kind !== 'managed' && kind !== 'internal')
    .map(({ name }) => name);
  if (!object) throw errors.invalidObject(options.object, known, objectHint(options.object, known));
  const input = openInput(options.file, context.interruption);
  const progress = createProgress(process.stderr, process.env);
  const { format } = options;
  const source = openSource(input.bytes, {
    fileName: options.file,
    fields: importableFields(object),
    chosen: options.map,
    ...(format && { format }),
  });
  const totals = newTotals();
  const { interruption } = context;
  try {
    await runImport(
      source.rows,
      (records) => desk.perform(importRecords, { object: options.object, records }),
      totals,
      {
        batchSize,
        signal: interruption,
        onProgress: (rows) => progress.show(rows, input.share()),
      },
    );
  } catch (error) {
    // An input that is closed by an interruption fails in whoever reads it.
    if (!interruption.aborted) {
      if (totals.read > 0) context.note(`Stopped after ${summary(totals)}`);
      throw error;
    }
  } finally {
    progress.clear();
    input.stop();
  }
  warnings.forEach(context.note);
  return answerOf(context, options.object, totals, [...source.ignored]);
}

function answerOf(context: Context, object: string, totals: Totals, ignored: readonly string[]): Answer {
  const stopped = context.interruption.aborted;
  const { created_ids, read, duplicates, failed } = totals;
  const errorList = totals.errors.toSorted((a, b) => a.index - b.index);
  if (ignored.length > 0) context.note(`Ignored columns: ${ignored.join(', ')}`);
  if (stopped) context.note('Interrupted: the rows counted here are in, the others are not');
  return {
    value: {
      object_name: object,
      created: created_ids.length,
      created_ids,
      duplicates,
      failed,
      errors: errorList,
      read,
      ignored_columns: ignored,
    },
    text:
      textOf({ read, created: created_ids.length, duplicates, failed }, terminalWidth()) +
      errorLines(errorList, failed),
    ...(stopped && { exitCode: exitCodes.interrupted }),
  };
}

/** People count rows from 1. */
function errorLines(list: Totals['errors'], all: number): string {
  const lines = list.map(({ index, error }) => `row ${index + 1}: ${error}\n`);
  return lines.join('') + (all > list.length && list.length > 0 ? `and ${all - list.length} more\n` : '');
}

function summary({ read, created_ids, duplicates, failed }: Totals): string {
  return `${read} rows: ${created_ids.length} created, ${duplicates} duplicates, ${failed} failed`;
}
