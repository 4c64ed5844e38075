/** What a merge moves without a word: records that are not there for everybody, such as private notes. [decisions: Writing] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';

/** A user that there is not: what it sees, everybody does. Counts are kept, and shown to others than who merged. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** Those of the records that are neither counted nor named; none of an object without a condition of its own. */
export async function untold(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef | undefined,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!object?.condition || ids.length === 0) return new Set();
  const seen = visibleRow(objectScope({ ...call, me: nobody }, object, 't'));
  const { rows } = await tx.run(sql`select t.id from ${call.workspace.table(object.table)} t
    where t.id = any(${ids}::uuid[]) and ${seen}`);
  const told = new Set(rows.map(([id]) => id));
  return new Set(ids.filter((id) => !told.has(id)));
}
