/** The lock has a statement of its own: what follows sees the row as it is once nobody else holds it. */
import type { Call } from '../../access/call.ts';
import type { RowsRule } from '../../access/policies.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import type { ObjectScope } from '../../query/row-scope.ts';
import { compileRule } from '../../query/where.ts';

/**
 * Locks the record `id` until the end of the transaction, and says whether `rule` admits it; undefined where there is none that
 * is `present`, a condition on `scope`'s row.
 */
export async function judgeLocked(
  call: Call,
  tx: WorkspaceTransaction,
  scope: ObjectScope,
  id: string,
  present: Sql,
  rule: RowsRule,
): Promise<boolean | undefined> {
  const table = call.workspace.table(scope.object.table);
  await tx.run(sql`select t.id from ${table} t where t.id = ${id}::uuid for update`);
  const { rows } = await tx.run(sql`select (${compileRule(rule, scope)})::boolean from ${table} ${scope.row}
    where ${scope.row}.id = ${id}::uuid and ${present}`);
  return rows[0] && rows[0][0] === 't';
}
