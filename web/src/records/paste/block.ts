/** Blocks of cells as spreadsheets copy them: tabs between cells, lines between rows, quotes around what has either in it. */

/** The cells of the text, row by row; the line that ends the last row is none of its own. */
export function cellsIn(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, ending] of text.replace(/\r\n?/g, '\n').matchAll(cell)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (ending === '\n') rows.push([]);
    if (ending === '') break;
  }
  const last = rows.at(-1);
  if (rows.length > 1 && (last?.length === 0 || (last?.length === 1 && last[0] === ''))) rows.pop();
  return rows;
}

/** A quoted cell or a plain one, and what ends it. A quote that is not closed is part of the text. */
const cell = /(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))([\t\n]|$)/g;

/** The same rows as text for spreadsheets. */
export function textOfCells(rows: readonly (readonly string[])[]): string {
  const written = (text: string) => (/[\t\n\r]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => row.map(written).join('\t')).join('\n');
}

/** The same rows as a table of HTML. */
export function htmlOfCells(rows: readonly (readonly string[])[]): string {
  const table = document.createElement('table');
  for (const row of rows) {
    const line = table.insertRow();
    for (const text of row) line.insertCell().textContent = text;
  }
  return table.outerHTML;
}
