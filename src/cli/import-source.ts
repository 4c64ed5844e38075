/** The file of an import as rows of values by field name, whatever its format and spelling. */
import { extname } from 'node:path';
import { errors } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { isObject, unstorable, type JsonObject } from '../lib/json.ts';
import { bytesOfText, Lru } from '../lib/lru.ts';
import { findHeader, mapColumns, tooManyColumns, type ColumnMapping } from '../records/csv/columns.ts';
import { readCsv, type CsvRow } from '../records/csv/reader.ts';
import { decodeText } from '../records/csv/text.ts';
import { readJson, type JsonRow } from '../records/import/reading/json-records.ts';

export type Format = 'csv' | 'json';

export interface SourceOptions {
  /** Read from the name's extension, else from the first character, when absent. */
  readonly format?: Format;
  readonly fileName: string;
  /** The fields that an import can set. */
  readonly fields: ReadonlyMap<string, FieldDef>;
  /** Field by column, as asked for; '' ignores the column. */
  readonly chosen: ReadonlyMap<string, string>;
}

/** A row as the engine takes it, or why it cannot be one. */
export type SourceRow = { readonly values: JsonObject } | { readonly problem: string };

export interface ImportSource {
  readonly rows: AsyncIterable<readonly SourceRow[]>;
  /** The columns that go nowhere; complete when `rows` is at its end. */
  readonly ignored: ReadonlySet<string>;
}

/** Some programs write notes above the header: it is looked for in this many rows. */
const headerWithin = 10;

/** An .xlsx or .ods is a ZIP. */
const startOfZip = 'PK\u0003\u0004';

/** Opens `bytes` for an import. Errors of the whole file are thrown while `rows` is read. */
export function openSource(bytes: AsyncIterable<Uint8Array>, options: SourceOptions): ImportSource {
  const ignored = new Set<string>();
  return { rows: readRows(decodeText(bytes), options, ignored), ignored };
}

async function* readRows(
  text: AsyncGenerator<string>,
  options: SourceOptions,
  ignored: Set<string>,
): AsyncGenerator<readonly SourceRow[]> {
  const first = await text.next();
  const head = first.done ? '' : first.value;
  if (head.startsWith(startOfZip))
    throw errors.validation('The file is a spreadsheet or an archive, not text: save it as CSV');
  const whole = withHead(head, text);
  if ((options.format ?? formatOf(options.fileName, head)) === 'csv') yield* csvRows(readCsv(whole), options, ignored);
  else yield* jsonRows(readJson(whole), options, ignored);
}

async function* withHead(head: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head;
  yield* rest;
}

function formatOf(fileName: string, head: string): Format {
  const extension = extname(fileName).toLowerCase();
  if (['.json', '.jsonl', '.ndjson'].includes(extension)) return 'json';
  if (['.csv', '.tsv', '.txt'].includes(extension)) return 'csv';
  return /^\s*[[{]/.test(head) ? 'json' : 'csv';
}

async function* csvRows(
  batches: AsyncGenerator<readonly CsvRow[]>,
  options: SourceOptions,
  ignored: Set<string>,
): AsyncGenerator<readonly SourceRow[]> {
  try {
    let head: readonly CsvRow[] = [];
    while (head.length < headerWithin) {
      const next = await batches.next();
      if (next.done) break;
      head = head.concat(next.value);
    }
    const first = head.slice(0, headerWithin).map((row) => row.cells);
    const widest = tooManyColumns(Math.max(0, ...first.map((cells) => cells.length)));
    if (widest !== undefined) throw errors.validation(`The file ${widest}`);
    const at = findHeader(first, options.fields, options.chosen);
    const mapping = mapColumns(first[at] ?? [], options.fields, options.chosen);
    if (!mapsAnything(mapping)) {
      throw errors.validation('No column of the file is named like a field', undefined, [...options.fields.keys()]);
    }
    mapping.ignored.forEach((column) => ignored.add(column));
    yield head.slice(at + 1).map((row) => csvRow(row, mapping));
    for await (const batch of batches) yield batch.map((row) => csvRow(row, mapping));
  } finally {
    await batches.return(undefined);
  }
}

function mapsAnything({ fields }: ColumnMapping): boolean {
  return fields.some((field) => field !== null);
}

function csvRow({ cells, problem }: CsvRow, { fields }: ColumnMapping): SourceRow {
  if (problem !== undefined) return { problem };
  const width = tooManyColumns(cells.length);
  if (width !== undefined) return { problem: `the row ${width}` };
  if (cells.slice(fields.length).some((cell) => cell !== '')) {
    return { problem: `the row has ${cells.length} cells, the header ${fields.length}` };
  }
  const values: JsonObject = {};
  fields.forEach((field, at) => {
    if (field !== null) values[field] = (cells[at] ?? '').trim(); // in a CSV, white space around a value is layout
  });
  return storable(values);
}

async function* jsonRows(
  batches: AsyncGenerator<readonly JsonRow[]>,
  options: SourceOptions,
  ignored: Set<string>,
): AsyncGenerator<readonly SourceRow[]> {
  // Most records of a file have the same keys in the same order.
  const mappings = new Lru<string, ColumnMapping>({
    maxBytes: 8 * 1024 * 1024,
    bytesOf: (shape) => 4 * bytesOfText(shape),
  });
  const mappingOf = (keys: readonly string[]) => {
    const shape = JSON.stringify(keys);
    let mapping = mappings.get(shape);
    if (!mapping) {
      const chosen = new Map([...options.chosen].filter(([key]) => keys.includes(key)));
      mapping = mapColumns(keys, options.fields, chosen);
      mapping.ignored.forEach((key) => ignored.add(key));
      mappings.set(shape, mapping);
    }
    return mapping;
  };
  for await (const batch of batches) yield batch.map((row) => jsonRow(row, mappingOf));
}

function jsonRow(row: JsonRow, mappingOf: (keys: readonly string[]) => ColumnMapping): SourceRow {
  if ('problem' in row) return row;
  if (!isObject(row.value)) return { problem: 'not an object' };
  const entries = Object.entries(row.value);
  const width = tooManyColumns(entries.length);
  if (width !== undefined) return { problem: `the row ${width}` };
  const mapping = mappingOf(entries.map(([key]) => key));
  if (!mapsAnything(mapping)) return { problem: 'none of its keys is a field' };
  const values: JsonObject = {};
  entries.forEach(([, value], at) => {
    const field = mapping.fields[at];
    if (field) values[field] = value;
  });
  return storable(values);
}

/** A file has not been through the checks of a request. */
function storable(values: JsonObject): SourceRow {
  for (const [field, value] of Object.entries(values)) {
    const problem = unstorable(value);
    if (problem !== undefined) return { problem: `${field} ${problem}` };
  }
  return { values };
}
