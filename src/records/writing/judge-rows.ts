/** The checks of a write by themselves, under the locks that it takes. */
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { join, sql, withClauses } from '../../postgres/sql.ts';
import type { Judged, RowWrite } from './row-write.ts';

/** What holds of the rows; nothing is written. */
export async function judgeRows(tx: WorkspaceTransaction, write: RowWrite): Promise<Judged> {
  if (write.checks.length === 0 && write.action === 'create') return new Map(write.ids.map((id) => [id, []]));
  const facts = [write.id, ...write.checks.map(({ condition }) => condition)];
  const { rows } = await tx.run(sql`${withClauses(write.reads)} select ${join(facts, ', ')} from ${write.from}`);
  return new Map(rows.map(([id, ...held]) => [id ?? '', held.map((cell) => cell === 't')]));
}
