/** Locking is a statement of its own, so that later statements see the rows as the previous lock holder left them. */
import type { Call } from '../../access/call.ts';
import type { RowsRule } from '../../access/policies.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import type { ObjectScope } from '../../query/row-scope.ts';
import { compileRule } from '../../query/where.ts';

/**
 * Locks the records of `ids` in id order until the end of the transaction. Returns, for each that is `present` (a
 * condition on `scope`'s row), whether `rule` admits it.
 */
export async function lockRecords(
  call: Call,
  tx: WorkspaceTransaction,
  scope: ObjectScope,
  ids: readonly string[],
  present: Sql,
  rule: RowsRule,
): Promise<ReadonlyMap<string, boolean>> {
  const table = call.workspace.table(scope.object.table);
  await tx.run(sql`select t.id from ${table} t where t.id = any(${ids}::uuid[]) order by t.id for update`);
  const { rows } =
    await tx.run(sql`select ${scope.row}.id, (${compileRule(rule, scope)})::boolean from ${table} ${scope.row}
    where ${scope.row}.id = any(${ids}::uuid[]) and ${present}`);
  return new Map(rows.map(([id, may]) => [id ?? '', may === 't']));
}
