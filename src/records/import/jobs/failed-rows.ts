/** The failed rows as a file like the original, each with its reason. */
import { isObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { csvLine } from '../../csv/writer.ts';
import { jsonText } from '../reading/cell.ts';
import type { Analysis } from '../analysis.ts';
import type { StoredPart } from './table.ts';

/** The column with the reason. */
const reasonColumn = 'import_error';

/** Whether the file is JSON lines; otherwise it is CSV. */
export function isJson({ format }: Pick<Analysis, 'format'>): boolean {
  return format === 'json' || format === 'jsonl';
}

/** The pieces of the file. `parts` are read one by one. */
export async function* failedRows(
  analysis: Pick<Analysis, 'format' | 'columns'>,
  parts: AsyncIterable<StoredPart>,
): AsyncGenerator<string> {
  const json = isJson(analysis);
  if (!json) yield csvLine([...analysis.columns, reasonColumn]);
  for await (const { rows, failed } of parts) {
    let text = '';
    for (const [at, reason] of failed) {
      const row = rows[at];
      const cells = row && 'cells' in row ? row.cells : [];
      if (json) text += `${JSON.stringify(asObject(analysis.columns, cells, reason))}\n`;
      else text += csvLine([...analysis.columns.map((_, column) => cellText(cells[column] ?? null)), reason]);
    }
    if (text !== '') yield text;
  }
}

function asObject(columns: readonly string[], cells: readonly Json[], reason: string): JsonObject {
  const values = columns.flatMap((column, at): [string, Json][] => {
    const cell = cells[at] ?? null;
    return cell === null ? [] : [[column, cell]];
  });
  return Object.fromEntries([...values, [reasonColumn, reason]]);
}

/** The values of a card go into one cell. */
function cellText(cell: Json): string {
  const items = Array.isArray(cell) && cell.every((item) => isObject(item) && 'value' in item) ? cell : undefined;
  return items
    ? items.map((item) => (isObject(item) ? jsonText(item['value'] ?? null) : '')).join('; ')
    : jsonText(cell);
}
