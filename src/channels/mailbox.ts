/** An account that messages are imported for: its owner, its lock, and the messages that could not be imported. [contract: Accounts] */
import type { Call } from '../access/call.ts';
import type { WorkspaceTransaction } from '../access/workspace.ts';
import { sql } from '../postgres/sql.ts';

/** An account that messages are imported for, by a sync or a hook: a mailbox, a calendar or a messenger. */
export interface Mailbox {
  readonly integrationId: string;
  readonly owner: string;
  /** The owner's sender addresses, normalized for comparison. */
  readonly ownAddresses: ReadonlySet<string>;
}

/** An item that could not be imported, and why. */
export interface Failed {
  readonly uid: string;
  readonly reason: string;
}

/** Thrown if the account was removed during a sync. */
export class AccountGone extends Error {}

/** Locks all accounts of the owner: two may hold parts of one conversation. Throws AccountGone. */
export async function lockAccounts({ workspace }: Call, tx: WorkspaceTransaction, { owner, integrationId }: Mailbox) {
  const { rows } = await tx.run(sql`select a.id from ${workspace.table('_integrations')} a
    where a.workspace_user_id = ${owner}::uuid order by a.id for update`);
  if (!rows.some(([id]) => id === integrationId)) throw new AccountGone('The account was removed');
}

/** Records the items that could not be imported, by folder. */
export async function noteFailures(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  { integrationId }: Mailbox,
  folder: string,
  failed: readonly Failed[],
): Promise<void> {
  if (failed.length === 0) return;
  await tx.run(sql`insert into ${workspace.table('_account_failures')} (integration_id, folder, uid, reason)
    select ${integrationId}::uuid, ${folder}, n.uid, n.reason
    from unnest(${failed.map(({ uid }) => uid)}::text[], ${failed.map(({ reason }) => reason)}::text[]) n (uid, reason)
    on conflict (integration_id, folder, uid) do update set reason = excluded.reason`);
}
