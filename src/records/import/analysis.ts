/** The analysis of a file: its rows, the profiles of its columns, and the proposed mapping. */
import { basename } from 'node:path';
import { errors } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Related } from './lookups.ts';
import { alikeWritten, ColumnValues, type ColumnProfile } from './guessing/profile.ts';
import { propose, type Proposal } from './mapping/propose.ts';
import { compact, isKnownName } from './mapping/vocabulary.ts';
import type { Format } from './reading/kind-of-file.ts';
import { openTable, unstorableIn, type Table, type TableOptions, type TableRow } from './reading/table.ts';
import { leftOutBy, type Source } from './sources/source.ts';
import { isSourceColumn, recognise } from './sources/sources.ts';

/** What is stored of a file besides its rows. */
export interface Analysis {
  readonly format: Format;
  /** The file's name, if given. */
  readonly fileName?: string;
  readonly source?: string;
  readonly hasHeader: boolean;
  readonly above: number;
  /** Contents of the file that are in no column, by their names there. */
  readonly unread?: readonly string[];
  readonly columns: readonly string[];
  readonly profiles: readonly ColumnProfile[];
  readonly proposals: readonly Proposal[];
  readonly rows: number;
}

/** Stored characters of a file's name. */
const longestName = 200;

/** Tests whether a text is a known column name: of a program, in a language, or of a field. */
export function namesOf(fields: ReadonlyMap<string, FieldDef>): (text: string) => boolean {
  const own = new Set([...fields.values()].flatMap(({ name, label }) => [compact(name), compact(label)]));
  return (text) => isKnownName(text) || isSourceColumn(text) || own.has(compact(text));
}

/** Collects the values of a table's columns, row by row. */
export class Analyzer {
  readonly #table: Table;
  readonly #fileName: string;
  readonly #values: ColumnValues[] = [];
  readonly #source: Source | undefined;
  #rows = 0;
  /** The problem of the first invalid row. */
  #problem: string | undefined;

  constructor(table: Table, path: string) {
    this.#table = table;
    this.#source = recognise(table.columns);
    this.#fileName = basename(path).slice(0, longestName).toWellFormed();
  }

  /** Returns the row, or why it cannot be stored. */
  add(row: TableRow): TableRow {
    this.#rows++;
    if ('problem' in row) {
      this.#problem ??= row.problem;
      return row;
    }
    const { columns } = this.#table;
    const problem = unstorableIn(row.cells, columns);
    if (problem !== undefined) return { problem };
    // Rows that the source leaves out do not affect the profiles.
    if (leftOutBy(this.#source, columns, row.cells) !== undefined) return row;
    for (const [at, cell] of row.cells.entries()) (this.#values[at] ??= new ColumnValues(columns[at] ?? '')).add(cell);
    return row;
  }

  /** The analysis so far, with a proposal for each column. Throws VALIDATION_ERROR where no row is valid. */
  async analysis(object: ObjectDef, fields: ReadonlyMap<string, FieldDef>, related: Related): Promise<Analysis> {
    const { format, columns, hasHeader, above, unread = [] } = this.#table;
    if (columns.length === 0 && this.#problem !== undefined)
      throw errors.validation(`No row of the file is a record: it is ${this.#problem}`);
    const found: ColumnProfile[] = [];
    for (const [at, column] of columns.entries()) {
      if (sliceIsOver()) await nextSlice();
      found.push(await (this.#values[at] ?? new ColumnValues(column)).profile());
    }
    const profiles = alikeWritten(found);
    const source = recognise(columns);
    return {
      format,
      ...(this.#fileName !== '' && { fileName: this.#fileName }),
      ...(source && { source: source.name }),
      hasHeader,
      above,
      ...(unread.length > 0 && { unread }),
      columns: [...columns],
      profiles,
      proposals: propose(object, fields, profiles, source, related),
      rows: this.#rows,
    };
  }
}

/** Reads and analyses a whole file. Throws VALIDATION_ERROR for one that is no table or has no rows. */
export async function analyze(
  bytes: AsyncIterable<Uint8Array>,
  object: ObjectDef,
  fields: ReadonlyMap<string, FieldDef>,
  related: Related,
  options: Omit<TableOptions, 'isName'>,
): Promise<{ readonly analysis: Analysis; readonly rows: readonly TableRow[] }> {
  const table = await openTable(bytes, { ...options, isName: namesOf(fields) });
  const analyzer = new Analyzer(table, options.fileName);
  const rows: TableRow[] = [];
  for await (const batch of table.rows) {
    for (const row of batch) {
      if (sliceIsOver()) await nextSlice();
      rows.push(analyzer.add(row));
    }
  }
  if (rows.length === 0) throw errors.validation('The file has no rows');
  return { analysis: await analyzer.analysis(object, fields, related), rows };
}
