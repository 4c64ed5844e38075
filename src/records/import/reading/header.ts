/** Finds the header of a table, if it has one; a row of values is never taken for it. */
import { isValue, lookOf } from './looks-like.ts';

export interface FoundHeader {
  /** The row with the names; undefined without one. */
  readonly at: number | undefined;
  /** The first row of values. */
  readonly firstRow: number;
}

/** The number of rows searched, since some programs write notes above the header. */
export const headerWithin = 20;

/** Rows below the header that are compared with it. */
const comparedRows = 50;

/** Finds the header among the first `rows`; `isName` tests for known column names. */
export function findHeader(rows: readonly (readonly string[])[], isName: (text: string) => boolean): FoundHeader {
  const width = commonWidth(rows);
  for (const [at, row] of rows.slice(0, headerWithin).entries()) {
    const filled = row.filter((cell) => cell.trim() !== '');
    if (filled.length < Math.min(2, width) || filled.length < width * 0.5) continue;
    if (isHeader(row, rows.slice(at + 1, at + 1 + comparedRows), isName)) return { at, firstRow: at + 1 };
    if (filled.length >= width * 0.8 && filled.some(isValue)) return { at: undefined, firstRow: at };
  }
  return {
    at: undefined,
    firstRow: Math.max(
      0,
      rows.findIndex((row) => row.length >= width),
    ),
  };
}

/** The most frequent number of columns. */
function commonWidth(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [width] = [...counts].toSorted(([a, often], [b, oftenB]) => oftenB - often || b - a)[0] ?? [1];
  return width;
}

function isHeader(
  row: readonly string[],
  below: readonly (readonly string[])[],
  isName: (text: string) => boolean,
): boolean {
  const cells = row.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const values = cells.filter((cell) => isValue(cell) && !isName(cell)).length;
  if (cells.length === 0 || values > cells.length * 0.2) return false;
  if (cells.some((cell) => cell.length > 120)) return false;
  const known = cells.filter(isName).length;
  if (known > 0 && known >= cells.length * 0.2) return true;
  if (below.length === 0) return known > 0;
  return row.some((cell, at) => differsBelow(cell, at, below)) || looksLikeNames(cells);
}

/** Whether the cells look like identifiers: `snake_case`, `camelCase`. */
function looksLikeNames(cells: readonly string[]): boolean {
  const written = cells.filter((cell) => /^[a-z][a-z\d]*(?:_[a-z\d]+)+$|^[a-z]+[A-Z][A-Za-z]+$/.test(cell)).length;
  return written >= cells.length * 0.5;
}

/** Whether the cells below are values, and the top one is none. */
function differsBelow(top: string, at: number, below: readonly (readonly string[])[]): boolean {
  if (top.trim() === '' || isValue(top)) return false;
  const looks = below.flatMap((row) => lookOf(row[at] ?? '') ?? []);
  return looks.length >= 1 && looks.filter((look) => look !== 'text').length >= looks.length * 0.9;
}

/** The column names: a repeated one gets a number, an empty one its position. */
export function columnNames(header: readonly string[], width: number): string[] {
  const taken = new Set<string>();
  return Array.from({ length: Math.max(width, header.length) }, (_, at) => {
    const given = (header[at] ?? '').trim() || `Column ${at + 1}`;
    let name = given;
    for (let count = 2; taken.has(name); count++) name = `${given} (${count})`;
    taken.add(name);
    return name;
  });
}
