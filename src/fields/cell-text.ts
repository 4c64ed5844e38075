/** CSV cells with more than one value. [spec: Export] */
import { isObject, parseJson } from '../lib/json.ts';
import type { Json } from '../lib/json.ts';
import { FieldProblem } from './field-problem.ts';
import { jsonInText } from './json-in-text.ts';

/** Joins several values in a cell, as an export does. */
export function joinValues(values: readonly string[]): string {
  return values.join('; ');
}

/** Splits at semicolons, or at ` ::: ` as some programs write. */
function splitValues(cell: string): string[] {
  const items = cell.includes(' ::: ') ? cell.split(' ::: ') : cell.split(';');
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** Characters of a cell that is split: six thousand ids. */
const longestList = 250_000;

/** The parts of a multi-value cell: a JSON list, or joined parts; null for an empty cell. Throws FieldProblem. */
export function listInCell(cell: string): Json {
  refuseOverlong(cell);
  const items = splitValues(cell);
  return jsonInCell(cell) ?? (items.length === 0 ? null : items);
}

/**
 * The JSON list or object in a cell, or undefined: most cells are plain text, some of which begin like JSON. Throws
 * FieldProblem.
 */
export function jsonInCell(cell: string): Json | undefined {
  if (!/^\s*[[{]/.test(cell)) return undefined;
  refuseOverlong(cell);
  return jsonInText(cell);
}

function refuseOverlong(cell: string): void {
  if (cell.length <= longestList) return;
  throw new FieldProblem(`must be at most ${longestList.toLocaleString('en')} characters long in a cell`);
}

/** The labels of records in a JSON list; records without a visible label are left out. */
export function displaysIn(json: string): readonly string[] {
  const records = parseJson(json);
  if (!Array.isArray(records)) return [];
  return records.flatMap((item) => (isObject(item) && typeof item['display'] === 'string' ? [item['display']] : []));
}
