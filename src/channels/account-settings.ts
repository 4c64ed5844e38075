/** Settings of accounts, and how they are sealed in the database. [contract: Accounts] */
import type { Call, Vault } from '../access/call.ts';
import { sql, statement } from '../postgres/sql.ts';
import { selectDataKey, vaultIn } from '../records/conversations/contents.ts';

/** The settings that all providers have in common. */
export interface AccountSettings {
  readonly provider: string;
  readonly account_email: string;
  readonly send_enabled?: boolean;
}

/** The settings encrypted with the organization's data key, bound to their account. */
export function sealSettings(vault: Vault, accountId: string, settings: AccountSettings): string {
  return vault.seal(JSON.stringify(settings), placeOf(accountId));
}

/** The settings of an account; undefined for an account that is known from imported data alone. */
export async function settingsOf(call: Call, accountId: string): Promise<AccountSettings | undefined> {
  const query = sql`select (${selectDataKey(call)}), a.settings from ${call.workspace.table('_integrations')} a
    where a.id = ${accountId}::uuid`;
  const [found] = await call.workspace.read(statement(query, call.model.version));
  const [dataKey, sealed] = found?.rows[0] ?? [];
  if (typeof sealed !== 'string') return undefined;
  return JSON.parse(call.vault(dataKey ?? '').open(sealed, placeOf(accountId))) as AccountSettings;
}

/** Replaces the settings of an account, unless they have changed since they were read. */
export async function replaceSettings(
  call: Call,
  accountId: string,
  read: AccountSettings,
  settings: AccountSettings,
): Promise<void> {
  const table = call.workspace.table('_integrations');
  await call.workspace.transaction(async (tx) => {
    const vault = await vaultIn(call, tx);
    const { rows } = await tx.run(sql`select a.settings from ${table} a where a.id = ${accountId}::uuid for update`);
    const sealed = rows[0]?.[0];
    if (typeof sealed !== 'string' || vault.open(sealed, placeOf(accountId)) !== JSON.stringify(read)) return;
    await tx.run(
      sql`update ${table} set settings = ${sealSettings(vault, accountId, settings)} where id = ${accountId}::uuid`,
    );
  });
}

function placeOf(accountId: string): string {
  return `_integrations/${accountId}/settings`;
}
