/** Connected accounts, and their states as text. */
import type { SettingTexts } from '../../i18n/setting-catalogue.ts';
import { useQuery } from '@tanstack/react-query';
import type { AccountsListAnswer } from '../../../../client/index.js';
import { kith } from '../../api/kith.ts';
import { keys, queries } from '../../api/queries.ts';

export type Account = AccountsListAnswer['accounts'][number];

/** Poll intervals while an account is syncing and otherwise. */
const busyMs = 1_500;
const calmMs = 15_000;

/** The reader's accounts, for admins everybody's, kept up to date by polling. */
export function useAccounts() {
  return useQuery({
    queryKey: keys.accounts,
    queryFn: () => kith.accounts.list(),
    refetchInterval: ({ state }) => (state.data?.accounts.some(isComing) ? busyMs : calmMs),
  });
}

/** Makes everything stale that comes from accounts. */
export async function refreshAccounts(): Promise<void> {
  const shown = [keys.accounts, keys.threads, keys.meetings];
  await Promise.all(shown.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** The account's display name. */
export function nameOfAccount({ account_email: address, provider }: Account): string {
  return address ?? provider;
}

/** Whether the service has the settings to reach the account. */
export function isReached({ next_sync_at: next }: Account): boolean {
  return next !== null;
}

/** Whether its credentials or settings have to be entered again. */
export function isBroken({ status }: Account): boolean {
  return status !== 'active';
}

function isComing(account: Account): boolean {
  const { last_sync_at: last, last_error: error, remaining } = account;
  return isReached(account) && error === null && (last === null || remaining > 0);
}

/** The account's state: `kind` decides the colour, `text` is shown. */
export function stateOf(
  account: Account,
  { states }: SettingTexts['accounts'],
): { readonly kind: 'good' | 'busy' | 'warn' | 'bad' | 'still'; readonly text: string } {
  if (account.status !== 'active') return { kind: 'bad', text: states[account.status] };
  if (account.last_error !== null) return { kind: 'warn', text: states.lookFailed };
  if (!isReached(account)) return { kind: 'still', text: states.broughtIn };
  if (account.last_sync_at === null) return { kind: 'busy', text: states.first };
  return account.remaining > 0 ? { kind: 'busy', text: states.coming } : { kind: 'good', text: states.works };
}
