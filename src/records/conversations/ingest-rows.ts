/** Shared by the writes of conversations and meetings. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { Rows } from '../../postgres/database.ts';
import { internalObject } from '../reading/named.ts';
import { authorOf, leaveStateOf } from '../writing/leave.ts';

/** Adds to the object's row count, and increments its version. Do it last for an object, since the row is contended. */
export async function raise(call: Call, tx: WorkspaceTransaction, name: string, count: number): Promise<void> {
  if (count === 0) return;
  const entry = { objectId: internalObject(call, name).id, action: 'create' } as const;
  await tx.run(leaveStateOf(authorOf(call), entry, 1, count));
}

/** Increments the object's version if rows were changed. */
export async function raiseVersion(call: Call, tx: WorkspaceTransaction, name: string, count: number): Promise<void> {
  if (count === 0) return;
  const entry = { objectId: internalObject(call, name).id, action: 'update' } as const;
  await tx.run(leaveStateOf(authorOf(call), entry, 0, count));
}

/** The ids that a statement returned. */
export function idsIn({ rows }: Rows): ReadonlySet<string> {
  return new Set(rows.map(([id]) => id ?? ''));
}
