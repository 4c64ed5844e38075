/** What the rows of conversations and meetings have in common when they are written. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Rows } from '../../postgres/database.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import { authorOf, leaveStateOf } from '../writing/leave.ts';

/** Raises the object's number of rows, and its version. Last of what is done for an object: others wait for it. */
export async function raise(call: Call, tx: WorkspaceTransaction, name: string, count: number): Promise<void> {
  if (count === 0) return;
  const entry = { objectId: internalObject(call, name).id, action: 'create' } as const;
  await tx.run(leaveStateOf(authorOf(call), entry, 1, count));
}

function internalObject({ model }: Call, name: string): ObjectDef {
  const object = model.objects.get(name);
  if (object?.kind === 'internal') return object;
  throw errors.notSupported(`This organization has an object of its own called ${name}: its admin has to rename it`);
}

/** The ids that a statement returned. */
export function idsIn({ rows }: Rows): ReadonlySet<string> {
  return new Set(rows.map(([id]) => id ?? ''));
}

/** The call's time, for a statement. */
export function timeOf({ now }: Call): Sql {
  return sql`${new Date(now).toISOString()}::timestamptz`;
}
