/** Reads the file of an import: the analysis of its columns, and its rows in batches. */
import type { FieldDef } from '../fields/field-def.ts';
import type { ObjectDef } from '../model/model.ts';
import { Analyzer, namesOf, type Analysis } from '../records/import/analysis.ts';
import type { Related } from '../records/import/lookups.ts';
import type { Format } from '../records/import/reading/kind-of-file.ts';
import { openTable, type Table, type TableRow } from '../records/import/reading/table.ts';
import { openInput, type Input } from './input-file.ts';

/** Most characters of a batch, unless a single row has more: half of what the HTML of one may have. */
const mostText = 4_000_000;

export interface ReadFile {
  /** Based on all rows; for a pipe, which can be read only once, on the first ones. */
  analysis(): Promise<Analysis>;
  readonly batches: AsyncIterable<readonly TableRow[]>;
  share(): number | undefined;
  stop(): void;
}

export interface ReadOptions {
  readonly file: string;
  readonly format?: Format;
  readonly wanted: ReadonlySet<string>;
  readonly object: ObjectDef;
  readonly fields: ReadonlyMap<string, FieldDef>;
  readonly related: Related;
  readonly batchSize: number;
}

/** Opens and analyses the file. Errors of the whole file are thrown here, others while it is read. */
export async function readFile(options: ReadOptions, interruption: AbortSignal): Promise<ReadFile> {
  const { object, fields, related, batchSize } = options;
  const first = await opened(options, interruption);
  const analyzer = new Analyzer(first.table, nameOf(options.file));
  let { table, input } = first;
  let rows = table.rows[Symbol.asyncIterator]();
  let ahead: readonly TableRow[] = [];
  if (input.isPlain) {
    for (let next = await rows.next(); !next.done; next = await rows.next())
      next.value.forEach((row) => analyzer.add(row));
    ({ table, input } = await opened(options, interruption));
    rows = table.rows[Symbol.asyncIterator]();
  } else {
    const next = await rows.next();
    ahead = next.done ? [] : next.value.map((row) => analyzer.add(row));
  }
  const analyse = () => analyzer.analysis(object, fields, related);
  const whole = input.isPlain ? analyse() : undefined;
  const check = input.isPlain ? new Analyzer(table, nameOf(options.file)) : analyzer;
  return {
    analysis: () => whole ?? analyse(),
    batches: batchesOf(ahead, rows, check, batchSize),
    share: input.share,
    stop: input.stop,
  };
}

/** The file name; '' for standard input. */
function nameOf(file: string): string {
  return file === '-' ? '' : file;
}

async function opened(
  { file, format, wanted, fields }: ReadOptions,
  interruption: AbortSignal,
): Promise<{ table: Table; input: Input }> {
  const input = openInput(file, interruption);
  try {
    const table = await openTable(input.bytes, {
      fileName: file,
      wanted,
      isName: namesOf(fields),
      ...(format && { format }),
    });
    return { table, input };
  } catch (error) {
    input.stop();
    throw error;
  }
}

async function* batchesOf(
  ahead: readonly TableRow[],
  rest: AsyncIterator<readonly TableRow[]>,
  analyzer: Analyzer,
  size: number,
): AsyncGenerator<readonly TableRow[]> {
  let batch: TableRow[] = [];
  let length = 0;
  let piece = ahead;
  for (let isOver = false; !isOver;) {
    for (const row of piece) {
      const more = 'cells' in row ? textLength(row.cells) : 0;
      if (batch.length > 0 && length + more > mostText) {
        yield batch;
        [batch, length] = [[], 0];
      }
      batch.push(row);
      length += more;
      if (batch.length === size) {
        yield batch;
        [batch, length] = [[], 0];
      }
    }
    const next = await rest.next();
    isOver = next.done === true;
    piece = next.done ? [] : next.value.map((row) => analyzer.add(row));
  }
  if (batch.length > 0) yield batch;
}

function textLength(cells: readonly unknown[]): number {
  return cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0);
}
