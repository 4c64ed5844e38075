/** Records that were just created, as the caller may see them. */
import type { Call } from '../access/call.ts';
import { StaleCaller } from '../access/workspace.ts';
import type { ObjectDef } from '../model/model.ts';
import { join, sql, statement } from '../postgres/sql.ts';
import { objectScope } from '../query/object-scope.ts';
import { selectRecord } from '../query/selection.ts';
import { visibleRow } from '../query/where.ts';

/** JSON texts in the order of `ids`; one that the caller may not see is its id alone. */
export async function readCreated(call: Call, object: ObjectDef, ids: readonly string[]): Promise<string[]> {
  const selection = selectRecord(object, call, 'r', 'read');
  const query = sql`select ${join([sql`r.id`, ...selection.columns], ', ')} from ${call.workspace.table(object.name)} r
    where r.id = any(${ids}::uuid[]) and ${visibleRow(objectScope(call, object, 'r'))}`;
  const texts = new Map<string, string>();
  try {
    const [found] = await call.workspace.read(statement(query, call.model.version));
    for (const row of found?.rows ?? []) texts.set(row[0] ?? '', selection.json(row, 1));
  } catch (error) {
    if (!(error instanceof StaleCaller)) throw error; // they are written: what the caller lost meanwhile is the sight of them
  }
  return ids.map((id) => texts.get(id) ?? `{"id":"${id}"}`);
}
