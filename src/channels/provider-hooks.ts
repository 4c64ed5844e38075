/** What providers tell by themselves, for the account that they tell it of. [contract: Hooks] */
import type { Call } from '../access/call.ts';
import { errors } from '../errors.ts';
import { settingsOf } from './account-settings.ts';
import type { HookRequest } from './provider.ts';
import { connectorOf } from './providers.ts';
import { knownAccount } from './known-account.ts';
import { AccountGone } from './mailbox.ts';

/** An account as its hook's address names it. */
export interface HookAddress {
  readonly provider: string;
  readonly id: string;
}

/** Whoever asks may be anyone, and is told nothing of what there is. */
export const notGenuine = () =>
  errors.unauthorized('The request does not prove that it is the provider of this account');

/** What the provider is answered that asks whether this is the address; undefined where it does not prove to be the provider. */
export async function confirmedHook(
  call: Call,
  address: HookAddress,
  query: URLSearchParams,
): Promise<string | undefined> {
  const found = await hookOf(call, address);
  return found?.hook.confirmed?.(found.settings, query);
}

/** Keeps what the provider tells. Throws UNAUTHORIZED where it does not prove to be the provider, VALIDATION_ERROR for what is no JSON. */
export async function receiveFromProvider(call: Call, address: HookAddress, request: HookRequest): Promise<void> {
  const found = await hookOf(call, address);
  if (!found?.hook.isGenuine(found.settings, request)) throw notGenuine();
  const account = await knownAccount(call, address.id);
  if (!account) throw notGenuine();
  try {
    await found.hook.receive(call, account, found.settings, await request.told());
  } catch (error) {
    throw error instanceof AccountGone ? notGenuine() : error;
  }
}

/** The account's hook, where it is the provider's. */
async function hookOf(call: Call, { provider, id }: HookAddress) {
  const settings = await settingsOf(call, id);
  if (settings?.provider !== provider) return undefined;
  const { hook } = connectorOf(provider);
  return hook && { hook, settings };
}
