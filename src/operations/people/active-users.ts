/** Active users, who can be assigned or notified. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { isUuid } from '../../lib/id.ts';
import { sql } from '../../postgres/sql.ts';

/** The active users among `ids`, locked so that they stay active until the transaction ends. */
export async function activeUsers(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.run(sql`select u.id from ${workspace.table('_users')} u
    where u.id = any(${ids.filter(isUuid)}::uuid[]) and u.is_active order by u.id for share`);
  return new Set(rows.map(([id]) => id ?? ''));
}
