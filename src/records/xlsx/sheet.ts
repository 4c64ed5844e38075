/** A spreadsheet's sheet as XML. Numbers are numeric cells, all else is text, and no cell is a formula. */
import { errors } from '../../errors.ts';

/** Rows of a sheet, and characters of a cell: no program opens more. */
const mostRows = 1_048_576;
const longestCell = 32_767;

/** Digits that programs keep of a number; longer ones are written as text. */
const mostDigits = 15;

/** The beginning of the sheet, with the column names as its first row. */
export function sheetHead(names: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rowOf(1, names.map(textCell))}`;
}

/** A column of cells. */
export interface SheetColumn {
  readonly name: string;
  readonly isNumber: boolean;
}

/**
 * The row with that number, counted from 1; `id` names the record in errors. Throws VALIDATION_ERROR for cells that
 * no sheet can hold.
 */
export function sheetRow(
  number: number,
  id: string,
  cells: readonly string[],
  columns: readonly SheetColumn[],
): string {
  refuseMoreRows(number);
  return rowOf(
    number,
    cells.map((text, at) => {
      const { name, isNumber } = columns[at] ?? { name: '', isNumber: false };
      if (text.length > longestCell) throw tooLong(id, name, text.length);
      return isNumber && isShortNumber(text) ? `><v>${text}</v></c>` : textCell(text);
    }),
  );
}

export const sheetTail = '</sheetData></worksheet>';

/** Throws VALIDATION_ERROR where a sheet cannot have so many rows. */
export function refuseMoreRows(count: number): void {
  if (count <= mostRows) return;
  const most = (mostRows - 1).toLocaleString('en');
  throw errors.validation(`A spreadsheet takes at most ${most} records: take csv, json or ndjson`);
}

/** The XML of a row from the parts that follow each cell's name. */
function rowOf(number: number, cells: readonly string[]): string {
  const row = cells.map((cell, at) => (cell === '' ? '' : `<c r="${columnName(at)}${number}"${cell}`)).join('');
  return `<row r="${number}">${row}</row>`;
}

function textCell(text: string): string {
  if (text === '') return '';
  const space = /^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : '';
  return ` t="inlineStr"><is><t${space}>${escaped(text)}</t></is></c>`;
}

function isShortNumber(text: string): boolean {
  return (
    text.length <= mostDigits + 2 && /^-?\d+(?:\.\d+)?$/.test(text) && text.replaceAll(/\D/g, '').length <= mostDigits
  );
}

/** Characters that XML reserves or forbids: the latter are written as `_x000D_`, and so is text of that form. */
// oxlint-disable-next-line no-control-regex -- these are the characters that XML does not take
const special = /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[\dA-Fa-f]{4}_)/g;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A cell's lines end in a line feed. */
function escaped(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(special, (sign) => entities[sign] ?? `_x${hexOf(sign)}_`);
}

function hexOf(sign: string): string {
  return sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

/** `A` to `Z`, `AA`, … */
function columnName(at: number): string {
  const last = String.fromCharCode(65 + (at % 26));
  return at < 26 ? last : columnName(Math.floor(at / 26) - 1) + last;
}

function tooLong(id: string, name: string, length: number): Error {
  const [given, most] = [length, longestCell].map((count) => count.toLocaleString('en'));
  return errors.validation(
    `${name} of ${id} has ${given} characters, and a cell of a spreadsheet takes ${most}: take csv, json or ndjson`,
  );
}
