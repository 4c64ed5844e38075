/** One import from the file to the answer: opens the file, runs the batches, shows progress, stops when it is asked to. */
import { open } from 'node:fs/promises';
import type { Call } from '../access/call.ts';
import { StaleCaller } from '../access/workspace.ts';
import { errors, quoted } from '../errors.ts';
import { newId } from '../lib/id.ts';
import type { JsonObject } from '../lib/json.ts';
import { writable } from '../records/decode.ts';
import { importRows } from '../records/import-rows.ts';
import { localCall } from '../provision/local-call.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { newTotals, runImport, type BatchOutcome, type RowSink, type Totals } from './import-run.ts';
import { openSource } from './import-source.ts';
import type { ImportOptions } from './import.ts';
import { textOf, type Answer } from './output.ts';
import { createProgress } from './progress.ts';

/** Rows that go in together, and that an interruption may lose none of. */
const batchSize = 1000;

export async function importFile(context: Context, options: ImportOptions): Promise<Answer> {
  const call = await openCall(context, options.org);
  const object = findObject(call, options.object);
  const input = await openInput(options.file);
  const { interruption } = context;
  const progress = createProgress(process.stderr, process.env);
  const source = openSource(input.bytes, {
    fileName: options.file,
    fields: writable(object, call.visibility),
    chosen: options.map,
    ...(options.format && { format: options.format }),
  });
  const totals = newTotals();
  try {
    await runImport(source.rows, sinkOf(context, call, options), totals, {
      batchSize,
      signal: interruption,
      onProgress: (rows) => progress.show(rows, input.share()),
    });
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
  return answerOf(context, options.object, totals, [...source.ignored], interruption.aborted);
}

function openCall(context: Context, organizationId: string): Promise<Call> {
  return localCall(context.provision, organizationId, 'import', context.note);
}

function findObject(call: Call, name: string) {
  const object = call.model.objects.get(name);
  if (object) return object;
  throw errors.invalidObject(name, [...call.model.objects.keys()]);
}

/** One change set for the whole file. A model or a role that changes meanwhile is loaded anew, and the batch done again. */
function sinkOf(context: Context, first: Call, options: ImportOptions): RowSink {
  const changeSet = newId();
  let call = first;
  const send = async (rows: readonly JsonObject[]) =>
    outcomeOf(await importRows(call, findObject(call, options.object), rows, { values: 'import', changeSet }));
  return async (rows) => {
    try {
      return await send(rows);
    } catch (error) {
      if (!(error instanceof StaleCaller)) throw error;
      call = await openCall(context, options.org);
      return send(rows);
    }
  };
}

function outcomeOf({ createdIds, duplicates, failures }: Awaited<ReturnType<typeof importRows>>): BatchOutcome {
  return {
    created_ids: createdIds,
    duplicates,
    failed: failures.length - duplicates,
    errors: failures.map(({ index, message }) => ({ index, error: message })),
  };
}

interface Input {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The part that is read, where the size is known. */
  share(): number | undefined;
  stop(): void;
}

async function openInput(path: string): Promise<Input> {
  if (path === '-') return { bytes: process.stdin, share: () => undefined, stop: () => process.stdin.destroy() };
  const file = await open(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const info = await file.stat();
  if (info.isDirectory()) {
    await file.close();
    throw errors.validation(`${quoted(path)} is a directory`);
  }
  const stream = file.createReadStream({ highWaterMark: 1024 * 1024 });
  return { bytes: stream, share: () => (info.size > 0 ? stream.bytesRead / info.size : undefined), stop: () => stream.destroy() };
}

function unreadable(path: string, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return errors.notFound(`There is no file ${quoted(path)}`);
  if (code === 'EACCES') return errors.permissionDenied(`The file ${quoted(path)} may not be read`);
  return error instanceof Error ? error : new Error(String(error));
}

function answerOf(context: Context, object: string, totals: Totals, ignored: readonly string[], stopped: boolean): Answer {
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
    text: textOf({ read, created: created_ids.length, duplicates, failed }, process.stdout.isTTY) + errorLines(errorList, failed + duplicates),
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
