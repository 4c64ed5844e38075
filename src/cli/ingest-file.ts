/** Ingests one file in batches of lines; a rejected line does not affect others. */
import { parseJson, type Json } from '../lib/json.ts';
import { messageOf } from '../lib/thrown.ts';
import { ingestLines } from '../operations/conversations/ingest.ts';
import { decodeText } from '../records/csv/text.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { openInput } from './input-file.ts';
import { linesIn } from './lines-in.ts';
import { terminalWidth, textOf, type Answer } from './output.ts';
import { createProgress } from './progress.ts';

export interface IngestOptions {
  readonly org?: string;
  readonly file: string;
}

const batchLines = 500;
/** Most characters of a batch, unless a single line has more. */
const batchText = 4_000_000;
/** The most rejected lines in the answer. */
const mostErrors = 10_000;

interface LineError {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

interface Totals {
  integrations: number;
  threads: number;
  interactions: number;
  events: number;
  skipped: number;
  /** Rejected lines. */
  failed: number;
  readonly errors: LineError[];
}

interface GivenLine {
  readonly line: number;
  readonly value: Json;
}

/** Ingests the lines of the file, and answers with the outcome. */
export async function ingestFile(context: Context, options: IngestOptions): Promise<Answer> {
  const desk = await context.desk(options.org, context.note, 'import');
  const input = openInput(options.file, context.interruption);
  const progress = createProgress(process.stderr, process.env);
  const totals: Totals = { integrations: 0, threads: 0, interactions: 0, events: 0, skipped: 0, failed: 0, errors: [] };
  try {
    for await (const { lines, read } of batchesOf(decodeText(input.bytes), totals)) {
      if (lines.length > 0) add(totals, await desk.perform(ingestLines, { lines }));
      progress.show(read, input.share());
      if (context.interruption.aborted) break;
    }
  } catch (error) {
    // The interruption closes the input, which fails for its reader.
    if (!context.interruption.aborted) throw error;
  } finally {
    progress.clear();
    input.stop();
  }
  return answerOf(totals, context.interruption.aborted);
}

/** Batches of JSON lines with their numbers from 1. Invalid JSON is reported at once. */
async function* batchesOf(
  text: AsyncIterable<string>,
  totals: Totals,
): AsyncGenerator<{ readonly lines: readonly GivenLine[]; readonly read: number }> {
  let lines: GivenLine[] = [];
  let length = 0;
  let read = 0;
  for await (const given of linesIn(text)) {
    read++;
    if (given.trim() === '') continue;
    try {
      const value = parseJson(given);
      if (lines.length === batchLines || length + given.length > batchText) {
        yield { lines, read };
        lines = [];
        length = 0;
      }
      lines.push({ line: read, value });
      length += given.length;
    } catch (error) {
      refuse(totals, { line: read, code: 'VALIDATION_ERROR', message: `not JSON: ${messageOf(error)}` });
    }
  }
  yield { lines, read };
}

interface Outcome extends Omit<Totals, 'failed' | 'errors'> {
  readonly errors: readonly LineError[];
}

function add(totals: Totals, outcome: Outcome): void {
  for (const name of ['integrations', 'threads', 'interactions', 'events', 'skipped'] as const)
    totals[name] += outcome[name];
  for (const error of outcome.errors) refuse(totals, error);
}

function refuse(totals: Totals, error: LineError): void {
  totals.failed++;
  if (totals.errors.length < mostErrors) totals.errors.push(error);
}

function answerOf({ errors: found, failed, ...counts }: Totals, isStopped: boolean): Answer {
  const errors = found.toSorted((a, b) => a.line - b.line);
  const lines = errors.map(({ line, code, message }) => `line ${line}: ${code} ${message}\n`).join('');
  return {
    value: { ...counts, errors, failed },
    text: textOf({ ...counts, failed }, terminalWidth()) + lines,
    ...(isStopped && { exitCode: exitCodes.interrupted }),
  };
}
