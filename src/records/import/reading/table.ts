/** Opens any supported file as a table: named columns, and rows of cells. */
import { errors } from '../../../errors.ts';
import { isObject, unstorable, type Json } from '../../../lib/json.ts';
import { mapInSlices } from '../../../lib/slices.ts';
import { tooManyColumns } from '../../csv/columns.ts';
import { readCsv, type CsvRow } from '../../csv/reader.ts';
import { decodeText } from '../../csv/text.ts';
import { columnNames, findHeader, headerWithin } from './header.ts';
import { longestText, readJson, type JsonRow } from './json-records.ts';
import { formatOf, type Format } from './kind-of-file.ts';
import { cardColumns, readCards, type Cards } from './vcard.ts';

/** A row's cells in column order, or the problem of an invalid row. */
export type TableRow = { readonly cells: readonly Json[] } | { readonly problem: string };

export interface Table {
  readonly format: Format;
  /** Complete at the end of `rows`: a JSON record may add a new key. */
  readonly columns: readonly string[];
  /** Whether the names come from the file; otherwise they are positions. */
  readonly hasHeader: boolean;
  /** Rows above the header that do not belong to the table. */
  readonly above: number;
  /** Contents of the file that are in no column, by their names there. */
  readonly unread?: readonly string[];
  readonly rows: AsyncIterable<readonly TableRow[]>;
}

export interface TableOptions {
  readonly fileName: string;
  /** Detected from the file's name and beginning if absent. */
  readonly format?: Format;
  /** Required columns. */
  readonly wanted?: ReadonlySet<string>;
  /** Whether there is a header; detected if absent. */
  readonly hasHeader?: boolean;
  /** Tests for known column names. */
  isName(text: string): boolean;
}

/** Cards converted to rows at once. */
const cardsAtOnce = 1_000;

/** Rows examined to find the header. */
const lookedAt = 100;

/** Opens the file. Throws VALIDATION_ERROR for one that is no table. */
export async function openTable(bytes: AsyncIterable<Uint8Array>, options: TableOptions): Promise<Table> {
  const text = decodeText(bytes);
  const first = await text.next();
  const head = first.done ? '' : first.value;
  const found = formatOf(options.fileName, head);
  const format = options.format ?? found;
  const whole = withHead(head, text);
  if (format === 'csv') return openCsv(readCsv(whole), options);
  return format === 'vcard' ? openCards(whole) : openJson(readJson(whole), format);
}

async function* withHead(head: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head;
  yield* rest;
}

async function openCsv(batches: AsyncGenerator<readonly CsvRow[]>, options: TableOptions): Promise<Table> {
  let head: readonly CsvRow[] = [];
  let isAll = false;
  while (head.length < lookedAt && !isAll) {
    const next = await batches.next();
    if (next.done) isAll = true;
    else head = head.concat(next.value);
  }
  const rows = head.slice(0, lookedAt).map(({ cells }) => cells);
  const widest = Math.max(0, ...rows.map(({ length }) => length));
  const tooWide = tooManyColumns(widest);
  if (tooWide !== undefined) throw errors.validation(`The file ${tooWide}`);
  if (rows.length === 0) throw errors.validation('The file has no rows');
  const { at, firstRow } = headerOf(rows, options);
  const columns = at === undefined ? columnNames([], widest) : columnNames(rows[at] ?? [], (rows[at] ?? []).length);
  return {
    format: 'csv',
    columns,
    hasHeader: at !== undefined,
    above: at ?? firstRow,
    rows: csvRows(head.slice(firstRow), batches, columns.length),
  };
}

function headerOf(rows: readonly (readonly string[])[], { wanted, hasHeader, isName }: TableOptions) {
  if (hasHeader === false) return { at: undefined, firstRow: 0 };
  if (wanted && wanted.size > 0) {
    const at = rows
      .slice(0, headerWithin)
      .findIndex((row) => [...wanted].every((name) => row.some((cell) => cell.trim() === name)));
    if (at >= 0) return { at, firstRow: at + 1 };
  }
  const found = findHeader(rows, isName);
  return found.at === undefined && hasHeader ? { at: found.firstRow, firstRow: found.firstRow + 1 } : found;
}

async function* csvRows(
  head: readonly CsvRow[],
  batches: AsyncGenerator<readonly CsvRow[]>,
  width: number,
): AsyncGenerator<readonly TableRow[]> {
  try {
    yield head.map((row) => csvRow(row, width));
    for await (const batch of batches) yield batch.map((row) => csvRow(row, width));
  } finally {
    await batches.return(undefined);
  }
}

function csvRow({ cells, problem }: CsvRow, width: number): TableRow {
  if (problem !== undefined) return { problem };
  const tooWide = tooManyColumns(cells.length);
  if (tooWide !== undefined) return { problem: `the row ${tooWide}` };
  if (cells.slice(width).some((cell) => cell !== '')) {
    return { problem: `the row has ${cells.length} cells, the header ${width}` };
  }
  // In a CSV, surrounding white space is layout.
  return { cells: Array.from({ length: width }, (_, at) => (cells[at] ?? '').trim()) };
}

function openJson(batches: AsyncGenerator<readonly JsonRow[]>, format: Format): Table {
  const columns: string[] = [];
  const places = new Map<string, number>();
  const columnsOf = (keys: readonly string[]) => {
    const more = keys.filter((key) => !places.has(key));
    const tooWide = tooManyColumns(columns.length + more.length);
    if (tooWide !== undefined) return { problem: `with the row the file ${tooWide}` };
    for (const key of more) places.set(key, columns.push(key) - 1);
    return { places: keys.map((key) => places.get(key) ?? 0) };
  };
  return { format, columns, hasHeader: true, above: 0, rows: jsonRows(batches, columnsOf) };
}

/** The column indexes of these keys; new keys become columns, all or none of them. */
type ColumnsOf = (keys: readonly string[]) => { readonly places: readonly number[] } | { readonly problem: string };

async function* jsonRows(
  batches: AsyncGenerator<readonly JsonRow[]>,
  columnsOf: ColumnsOf,
): AsyncGenerator<readonly TableRow[]> {
  for await (const batch of batches) yield await mapInSlices(batch, (row) => jsonRow(row, columnsOf));
}

function jsonRow(row: JsonRow, columnsOf: ColumnsOf): TableRow {
  if ('problem' in row) return row;
  if (!isObject(row.value)) return { problem: 'not an object' };
  const entries = Object.entries(row.value);
  const tooWide = tooManyColumns(entries.length);
  if (tooWide !== undefined) return { problem: `the row ${tooWide}` };
  const found = columnsOf(entries.map(([key]) => key));
  if ('problem' in found) return found;
  const cells: Json[] = [];
  for (const [at, [, value]] of entries.entries()) cells[found.places[at] ?? 0] = value;
  return { cells: Array.from(cells, (cell) => cell ?? null) };
}

async function openCards(text: AsyncIterable<string>): Promise<Table> {
  let whole = '';
  for await (const piece of text) {
    whole += piece;
    if (whole.length > longestText) throw errors.validation('The file is too large to be read as one: divide it');
  }
  const { cards, unread } = await readCards(whole);
  if (cards.every((card) => 'problem' in card)) throw errors.validation('The file has no card that is whole');
  return { format: 'vcard', columns: [...cardColumns], hasHeader: true, above: 0, unread, rows: cardRows(cards) };
}

async function* cardRows(cards: Cards['cards']): AsyncGenerator<readonly TableRow[]> {
  for (let at = 0; at < cards.length; at += cardsAtOnce)
    yield cards
      .slice(at, at + cardsAtOnce)
      .map((card) =>
        'problem' in card ? card : { cells: cardColumns.map((column) => (card[column] as Json | undefined) ?? null) },
      );
}

/**
 * The problem of the row's first cell that cannot be stored; undefined if there is none. Files are not covered by the
 * checks of requests.
 */
export function unstorableIn(cells: readonly Json[], columns: readonly string[]): string | undefined {
  for (const [at, cell] of cells.entries()) {
    const problem = unstorable(cell);
    if (problem !== undefined) return `${columns[at] ?? 'a cell'} ${problem}`;
  }
  return undefined;
}
