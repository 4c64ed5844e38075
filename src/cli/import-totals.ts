/** Counts the outcome of an import's rows, and words the answer. */
import type { ChunkOutcome } from '../operations/imports/import-chunk.ts';
import type { FailedRow } from '../records/import/executing/carry-out.ts';
import { withPart } from '../records/import/jobs/outcomes.ts';
import { nothingYet, type Outcome } from '../records/import/jobs/states.ts';
import type { MappingEntry } from '../records/import/mapping/entry.ts';
import type { TableRow } from '../records/import/reading/table.ts';
import { lineOf } from '../records/import/reasons.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import type { ImportOptions } from './import-settings.ts';
import { terminalWidth, textOf, type Answer } from './output.ts';
import { soMany } from '../lib/so-many.ts';

/** The outcome of the rows so far. */
export interface Totals {
  read: number;
  outcome: Outcome;
  readonly createdIds: string[];
  readonly failed: FailedRow[];
  duplicates: number;
  unknownOwners: number;
  /** With the reason of each. */
  readonly failedRows: (readonly [row: TableRow, reason: string])[];
  readonly newFields: Set<string>;
  /** Option labels by field. */
  readonly newOptions: Map<string, Set<string>>;
  /** Whether rows were matched with existing records. */
  isMatched: boolean;
}

/** The totals before the first row. */
export function nothingRead(): Totals {
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

/** The most errors in the answer. [spec: Import] */
const maxErrors = 100;

/** Adds the outcome of a batch. */
export function count(
  totals: Totals,
  { result, made }: ChunkOutcome,
  rows: readonly TableRow[],
  keepsRows: boolean,
): void {
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

/** The answer at the end, or after an interruption. */
export function answerOf(
  context: Context,
  { object, allowErrors, dryRun = false }: ImportOptions,
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
  if (stopped && !dryRun) context.note('Interrupted: the rows counted here are in, the others are not');
  if (dryRun) context.note('Nothing was changed: this is what an import would do');
  const more = {
    ...(isMatched && { updated: outcome.updated, skipped: outcome.skipped }),
    ...(!isMatched && outcome.skipped > 0 && { skipped: outcome.skipped }),
    ...(outcome.warnings > 0 && { warnings: outcome.warnings }),
    ...(Object.keys(outcome.made).length > 0 && { records_made: outcome.made }),
    ...madeOf(totals),
  };
  const made = Object.entries(outcome.made).map(
    ([name, number]) => `${soMany(number, 'record')} of ${name} ${dryRun ? 'to be ' : ''}made for relations\n`,
  );
  const lines = [
    ...made,
    ...linesOfMade(totals, dryRun),
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
      ...(dryRun && { dry_run: true }),
      ...more,
    },
    text:
      textOf({ read, created: createdIds.length, duplicates, failed, ...counts(more) }, terminalWidth()) +
      lines.join(''),
    ...(code !== undefined && { exitCode: code }),
  };
}

/** The created fields and options; in a dry run, those that would be. */
function madeOf({ newFields, newOptions }: Totals) {
  const options = [...newOptions].map(([field, labels]) => [field, [...labels]] as const);
  return {
    ...(newFields.size > 0 && { new_fields: [...newFields] }),
    ...(newOptions.size > 0 && { enum_options: Object.fromEntries(options) }),
  };
}

function linesOfMade({ newFields, newOptions }: Totals, dryRun: boolean): string[] {
  const toBe = dryRun ? ' to be made' : '';
  return [
    ...[...newFields].map((name) => `new field${toBe}: ${name}\n`),
    ...[...newOptions].map(([field, labels]) => `new options of ${field}${toBe}: ${[...labels].join(', ')}\n`),
  ];
}

function counts(more: object): Record<string, number> {
  return Object.fromEntries(Object.entries(more).filter(([, value]) => typeof value === 'number'));
}

/** The totals in one line. */
export function summary({ read, createdIds, duplicates, outcome }: Totals): string {
  return `${soMany(read, 'row')}: ${createdIds.length} created, ${soMany(duplicates, 'duplicate')}, ${outcome.failed - duplicates} failed`;
}
