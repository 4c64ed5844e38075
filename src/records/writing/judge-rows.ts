/** Checks rows without writing them, under the locks that their write takes. */
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { join, sql, withClauses } from '../../postgres/sql.ts';
import { refusalsOf, type JudgedRows, type Refusals } from './row-write.ts';

/** Why rows may not be written; writes nothing. */
export async function judgeRows(tx: WorkspaceTransaction, judged: JudgedRows): Promise<Refusals> {
  if (judged.checks.length === 0) return new Map();
  const facts = [judged.id, ...judged.checks.map(({ condition }) => condition)];
  const { rows } = await tx.run(sql`${withClauses(judged.reads)} select ${join(facts, ', ')} from ${judged.from}`);
  const held = new Map(rows.map(([id, ...cells]) => [id ?? '', cells.map((cell) => cell === 't')]));
  return refusalsOf(judged, held);
}
