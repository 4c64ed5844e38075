/** Text and rows of CSV for tests. */
import { readCsv, type CsvRow } from '../../src/records/csv/reader.ts';
import { decodeText } from '../../src/records/csv/text.ts';

/** Bytes as a file gives them: in pieces. */
export async function* pieces(bytes: Uint8Array, size = bytes.length || 1): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* texts(...parts: readonly string[]): AsyncGenerator<string> {
  yield* parts;
}

/** Everything that comes, together. */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}

/** All rows of a text that comes in pieces of `size` characters. */
export async function rowsOf(text: string, size = text.length || 1): Promise<readonly CsvRow[]> {
  const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
  return (await collect(readCsv(texts(...parts)))).flat();
}

/** The cells of a file, header included. */
export async function cellsOfBytes(bytes: Uint8Array): Promise<readonly (readonly string[])[]> {
  return (await collect(readCsv(decodeText(pieces(bytes))))).flat().map((row) => row.cells);
}
