/** Writes CSV as in RFC 4180: CRLF line ends, quotes where needed; cells that begin like a formula are guarded. */
import { guardCell } from './guard.ts';

const needsQuotes = /[",\r\n]|^\s|\s$/;

/** One line of CSV with its line end. */
export function csvLine(cells: readonly string[]): string {
  // A single empty cell would be an empty line, which readers skip.
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = guardCell(text);
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
