/**
 * CSV of any size as rows of cells, in pieces. The delimiter and the line end are guessed from the first piece; a row that
 * breaks the rules of quoting is handed on with what is wrong, and reading goes on after it.
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

/** A row longer than this is a quote that is never closed: reading it to the end of the file would hold all of it. */
const maxRowLength = 16 * 1024 * 1024;

/** Characters that are parsed at one go: as many rows, where each is a line end. */
const partLength = 65_536;

interface Parsed {
  readonly data: readonly (readonly string[])[];
  readonly errors: readonly { readonly code: string; readonly row: number }[];
  readonly meta: { readonly cursor: number };
}

/** Batches of rows; rows without any text are left out. `text` comes without a byte order mark, its first piece long enough to guess from. */
export async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<readonly CsvRow[]> {
  let dialect: Dialect | undefined;
  let rest = '';
  // Whoever looks for the end of a long row with each piece goes through its beginning again and again.
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
      // Cells without end take the longest.
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

/** As much at a time as is parsed within some milliseconds. */
async function* inParts(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of text)
    for (let at = 0; at < piece.length; at += partLength) yield piece.slice(at, at + partLength);
}

/** In a file of both line ends, the rows that end in the other one would keep half of it. */
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

/** `more`: the last row may be cut and is left to the next piece. */
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
