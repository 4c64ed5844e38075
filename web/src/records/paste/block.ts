/** Cells in the clipboard format of spreadsheets: tabs between cells, line breaks between rows, quotes around cells that contain either. */

/** Parses the text into rows; a trailing line break does not start another row. */
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

/** A quoted or plain cell and its separator. An unclosed quote is part of the text. */
const cell = /(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))([\t\n]|$)/g;

/** The rows as text for spreadsheets. */
export function textOfCells(rows: readonly (readonly string[])[]): string {
  const written = (text: string) => (/[\t\n\r]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => row.map(written).join('\t')).join('\n');
}

/** The rows as an HTML table. */
export function htmlOfCells(rows: readonly (readonly string[])[]): string {
  const table = document.createElement('table');
  for (const row of rows) {
    const line = table.insertRow();
    for (const text of row) line.insertCell().textContent = text;
  }
  return table.outerHTML;
}
