/** CSV cells that hold more than one value. [spec: Export] */
import { isObject, parseJson } from '../lib/json.ts';
import type { Json } from '../lib/json.ts';
import { FieldProblem } from './field-problem.ts';
import { jsonInText } from './json-in-text.ts';

/** How an export joins several values in a cell. */
export function joinValues(values: readonly string[]): string {
  return values.join('; ');
}

/** What was joined with semicolons, or with ` ::: ` as other programs do. */
function splitValues(cell: string): string[] {
  const items = cell.includes(' ::: ') ? cell.split(' ::: ') : cell.split(';');
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** Characters of a cell that is taken apart: six thousand ids. */
const longestList = 250_000;

/** A value of several parts as a cell has it: a JSON list, or parts that were joined; null for an empty cell. Throws FieldProblem. */
export function listInCell(cell: string): Json {
  refuseOverlong(cell);
  const items = splitValues(cell);
  return jsonInCell(cell) ?? (items.length === 0 ? null : items);
}

/** The JSON list or object that a cell holds, or undefined: most cells are plain text, even some that begin like JSON. Throws FieldProblem. */
export function jsonInCell(cell: string): Json | undefined {
  if (!/^\s*[[{]/.test(cell)) return undefined;
  refuseOverlong(cell);
  return jsonInText(cell);
}

function refuseOverlong(cell: string): void {
  if (cell.length <= longestList) return;
  throw new FieldProblem(`must be at most ${longestList.toLocaleString('en')} characters long in a cell`);
}

/** What the records of a JSON list are called; one that has no name, or none that the caller may see, is left out. */
export function displaysIn(json: string): readonly string[] {
  const records = parseJson(json);
  if (!Array.isArray(records)) return [];
  return records.flatMap((item) => (isObject(item) && typeof item['display'] === 'string' ? [item['display']] : []));
}
