/**
 * Spreadsheets run a cell that begins like a formula. Exports put an apostrophe before such text, imports take it off again.
 * Text that already looks guarded gets one more, so that every text survives the way out and back.
 */

const formulaLike = /^'*[=+\-@\t\r]/;
const guarded = /^'+[=+\-@\t\r]/;

/** Begins like a formula and cannot be one: a number, an amount with its currency, phone numbers. */
const harmless = /^(?:[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?: [A-Z]{3})?|\+[0-9 ()-]+(?:; \+?[0-9 ()-]+)*)$/;

/** The text as a cell that no spreadsheet takes for a formula. */
export function guardCell(text: string): string {
  return formulaLike.test(text) && !harmless.test(text) ? `'${text}` : text;
}

/** The text that `guardCell` made the cell of; other cells stay as they are. */
export function unguardCell(text: string): string {
  return guarded.test(text) ? text.slice(1) : text;
}
