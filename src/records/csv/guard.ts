/**
 * Spreadsheets execute cells that begin like a formula. Exports prefix such text with an apostrophe, imports remove
 * it. Text that already looks guarded gets another one, so that every text survives both ways.
 */

const formulaLike = /^'*[=+\-@\t\r]/;
const guarded = /^'+[=+\-@\t\r]/;

/** Begins like a formula but cannot be one: a number, an amount with its currency, phone numbers. */
const harmless = /^(?:[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?: [A-Z]{3})?|\+[0-9 ()-]+(?:; \+?[0-9 ()-]+)*)$/;

/** The text as a cell that no spreadsheet takes for a formula. */
export function guardCell(text: string): string {
  return formulaLike.test(text) && !harmless.test(text) ? `'${text}` : text;
}

/** The text of a guarded cell; other cells are unchanged. */
export function unguardCell(text: string): string {
  return guarded.test(text) ? text.slice(1) : text;
}
