/**
 * Reads CSV of any size as rows of cells, in pieces. Delimiter and line end are guessed from the first piece; a row
 * with invalid quoting is returned with its problem, and reading continues after it.
 */
import Papa from 'papaparse';
import { errors } from '../../errors.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import { mostColumns } from './columns.ts';
import { unguardCell } from './guard.ts';

export interface CsvRow {
  readonly cells: readonly string[];
  /** Why the row cannot be trusted. */
  readonly problem?: string;
}

/** A longer row is an unclosed quote: reading it to its end would hold the whole file. */
const maxRowLength = 16 * 1024 * 1024;

/** Characters parsed at once: at worst as many rows. */
const partLength = 65_536;

interface Parsed {
  readonly data: readonly (readonly string[])[];
  readonly errors: readonly { readonly code: string; readonly row: number }[];
  readonly meta: { readonly cursor: number };
}

/**
 * Batches of rows; rows without any text are left out. `text` has no byte order mark, and its first piece is long
 * enough to guess from.
 */
export async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<readonly CsvRow[]> {
  let dialect: Dialect | undefined;
  let rest = '';
  // Doubles for a long row: otherwise each piece would rescan the row's beginning.
  let enough = 1;
  for await (const piece of inParts(text)) {
    rest += piece;
    if (rest.length < Math.min(enough, maxRowLength)) continue;
    if (sliceIsOver()) await nextSlice();
    dialect ??= guessDialect(rest);
    rest = withOwnEnds(rest, dialect);
    const parsed = parse(rest, dialect, true);
    rest = rest.slice(parsed.meta.cursor);
    enough = 1;
    if (parsed.meta.cursor === 0) {
      // Endless cells take the longest.
      const cells = parse(rest, dialect, false).data[0] ?? [];
      if (cells.length > mostColumns)
        throw errors.validation(
          `A row of the file has more columns than the ${mostColumns.toLocaleString('en')} that are taken`,
        );
      enough = 2 * rest.length;
    }
    if (rest.length > maxRowLength) {
      const reason = rest.includes('"') ? 'a quote is opened and never closed' : 'the file has no line ends';
      throw errors.validation(`A row of the file is longer than 16 MB: ${reason}`);
    }
    yield rowsOf(parsed);
  }
  if (dialect && rest !== '') yield rowsOf(parse(withOwnEnds(rest, dialect), dialect, false));
}

/** Pieces that are each parsed within some milliseconds. */
async function* inParts(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of text)
    for (let at = 0; at < piece.length; at += partLength) yield piece.slice(at, at + partLength);
}

/** In a file with mixed line ends, rows with the other one would keep a part of it. */
function withOwnEnds(text: string, { newline }: Dialect): string {
  return newline === '\n' ? text.replaceAll('\r\n', '\n') : text;
}

interface Dialect {
  readonly delimiter: string;
  readonly newline: '\r\n' | '\n' | '\r';
}

function guessDialect(head: string): Dialect {
  // Without 'greedy', files of two columns get the wrong delimiter.
  const { delimiter, linebreak } = Papa.parse<string[]>(head, { preview: 10, skipEmptyLines: 'greedy' }).meta;
  return { delimiter, newline: linebreak === '\r\n' || linebreak === '\r' ? linebreak : '\n' };
}

/** `more`: the last row may be incomplete and is left to the next piece. */
function parse(text: string, dialect: Dialect, more: boolean): Parsed {
  return new Papa.Parser({ ...dialect, header: false }).parse(text, 0, more);
}

function rowsOf(parsed: Parsed): CsvRow[] {
  const problems = new Map(parsed.errors.map(({ code, row }) => [row, problemOf(code)]));
  return parsed.data.flatMap((cells, index) => {
    if (cells.every((cell) => cell.trim() === '')) return [];
    const problem = problems.get(index);
    return [{ cells: cells.map(unguardCell), ...(problem !== undefined && { problem }) }];
  });
}

function problemOf(code: string): string {
  return code === 'MissingQuotes'
    ? 'a quote is opened and never closed'
    : 'a quote inside a quoted cell is not doubled, so it is not clear where the cell ends';
}
