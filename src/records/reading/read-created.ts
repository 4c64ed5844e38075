/** Reads records by id, such as new ones, as the caller may see them. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { mapInSlices } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Rows } from '../../postgres/database.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import { Filling, measuredRows, wasSent } from '../../query/fitting.ts';
import { objectScope } from '../../query/object-scope.ts';
import { selectRecord } from '../../query/selection.ts';
import { visibleRow } from '../../query/where.ts';

/** `readRecords` in the transaction that creates them. */
export function readCreated(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  ids: readonly string[],
): Promise<string[]> {
  return readRecords(call, (query) => tx.run(query), object, ids);
}

/**
 * JSON texts in the order of `ids`; only the id of a record that the caller may not see, or that would make the
 * answer too large. `run` sends the statement.
 */
export async function readRecords(
  call: Call,
  run: (query: Sql) => Promise<Rows>,
  object: ObjectDef,
  ids: readonly string[],
): Promise<string[]> {
  const selection = selectRecord(object, call, 'r', 'read');
  const query = measuredRows({
    kept: [sql`r.id`],
    selection,
    from: sql`from unnest(${ids}::uuid[]) with ordinality i (id, place) join ${call.workspace.table(object.table)} r on r.id = i.id
      where ${visibleRow(objectScope(call, object, 'r'))}`,
    sortedBy: [sql`i.place`],
    order: ([place = sql`i.place`]) => place,
    most: ids.length,
  });
  const { rows } = await run(query);
  const sent = rows.filter((row) => wasSent(row, 1, selection));
  const filling = new Filling();
  const records = await mapInSlices(sent, (row) => [row[0] ?? '', selection.json(row, 1)] as const);
  const texts = new Map(records.filter(([, record]) => filling.takes(record)));
  return ids.map((id) => texts.get(id) ?? `{"id":"${id}"}`);
}
