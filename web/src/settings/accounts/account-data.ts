/** People's accounts elsewhere, and how they are, in words. */
import type { SettingTexts } from '../../i18n/setting-catalogue.ts';
import { useQuery } from '@tanstack/react-query';
import type { AccountsListAnswer } from '../../../../client/index.js';
import { kith } from '../../api/kith.ts';
import { keys, queries } from '../../api/queries.ts';

export type Account = AccountsListAnswer['accounts'][number];

/** How often the list is asked for while something comes in, and while nothing does. */
const busyMs = 1_500;
const calmMs = 15_000;

/** The reader's accounts, for admins everybody's, as they are by now. */
export function useAccounts() {
  return useQuery({
    queryKey: keys.accounts,
    queryFn: () => kith.accounts.list(),
    refetchInterval: ({ state }) => (state.data?.accounts.some(isComing) ? busyMs : calmMs),
  });
}

/** Has everything told anew that comes by accounts. */
export async function refreshAccounts(): Promise<void> {
  const shown = [keys.accounts, keys.threads, keys.meetings];
  await Promise.all(shown.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** What the account is called. */
export function nameOfAccount({ account_email: address, provider }: Account): string {
  return address ?? provider;
}

/** Whether the service has settings by which it reaches the account. */
export function isReached({ next_sync_at: next }: Account): boolean {
  return next !== null;
}

/** Whether its sign-in, or what it is reached by, has to be given anew. */
export function isBroken({ status }: Account): boolean {
  return status !== 'active';
}

function isComing(account: Account): boolean {
  const { last_sync_at: last, last_error: error, remaining } = account;
  return isReached(account) && error === null && (last === null || remaining > 0);
}

/** How the account is: `kind` has its colour, and `text` its words. */
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
