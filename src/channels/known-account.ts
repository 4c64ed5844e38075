/** Reads the account that messages are imported for, by a sync or a hook. */
import type { Call } from '../access/call.ts';
import { sql, statement } from '../postgres/sql.ts';
import { addressIn } from '../records/conversations/addresses.ts';
import type { Mailbox } from './mailbox.ts';

/** An account with its recent failures. */
export interface KnownAccount extends Mailbox {
  /** Failed syncs since the last successful one. */
  readonly failures: number;
}

/** The account with that id; undefined if it was removed. */
export async function knownAccount({ workspace, model }: Call, id: string): Promise<KnownAccount | undefined> {
  const [accounts, users] = [workspace.table('_integrations'), workspace.table('_users')];
  const query = sql`select a.workspace_user_id, a.failures, (select json_agg(o.address) from (
      select b.account_email address from ${accounts} b where b.workspace_user_id = a.workspace_user_id
      union select u.email from ${users} u where u.id = a.workspace_user_id) o)
    from ${accounts} a where a.id = ${id}::uuid`;
  const [found] = await workspace.read(statement(query, model.version));
  const [row] = found?.rows ?? [];
  if (!row) return undefined;
  const [owner, failures, addresses] = row;
  const own = (JSON.parse(addresses ?? '[]') as string[]).flatMap((text) => addressIn(text) ?? []);
  return { integrationId: id, owner: owner ?? '', failures: Number(failures), ownAddresses: new Set(own) };
}
