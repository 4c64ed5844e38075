/**
 * Records that a merge moves without reporting them, since not everybody may see them, such as private notes.
 * [decisions: Writing]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';

/**
 * A nonexistent user: what it sees, everybody does. Counts are stored, and later shown to others than the merging
 * user.
 */
const nobody = '00000000-0000-0000-0000-000000000000';

/** The records that are neither counted nor named; none where the object has no condition of its own. */
export async function unreported(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef | undefined,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!object?.condition || ids.length === 0) return new Set();
  const seen = visibleRow(objectScope({ ...call, me: nobody }, object, 't'));
  const { rows } = await tx.run(sql`select t.id from ${call.workspace.table(object.table)} t
    where t.id = any(${ids}::uuid[]) and ${seen}`);
  const seenByAll = new Set(rows.map(([id]) => id));
  return new Set(ids.filter((id) => !seenByAll.has(id)));
}
