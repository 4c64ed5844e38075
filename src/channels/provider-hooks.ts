/** Receives providers' webhooks for the accounts that their URLs name. [contract: Hooks] */
import type { Call } from '../access/call.ts';
import { errors } from '../errors.ts';
import { settingsOf } from './account-settings.ts';
import type { HookRequest } from './provider.ts';
import { connectorOf } from './providers.ts';
import { knownAccount } from './known-account.ts';
import { AccountGone } from './mailbox.ts';

/** The provider and account id in a hook's URL. */
export interface HookAddress {
  readonly provider: string;
  readonly id: string;
}

/** The one error for all rejected requests: the sender may be anyone, and must not learn which accounts exist. */
export const notGenuine = () =>
  errors.unauthorized('The request does not prove that it comes from the provider of this account');

/** The answer to a provider's verification request; undefined if the request does not prove to come from the provider. */
export async function confirmedHook(
  call: Call,
  address: HookAddress,
  query: URLSearchParams,
): Promise<string | undefined> {
  const found = await hookOf(call, address);
  return found?.hook.confirmed?.(found.settings, query);
}

/** Stores what a webhook reports. Throws UNAUTHORIZED without proof that the provider sent it, and VALIDATION_ERROR if it is not JSON. */
export async function receiveFromProvider(call: Call, address: HookAddress, request: HookRequest): Promise<void> {
  const found = await hookOf(call, address);
  if (!found?.hook.isGenuine(found.settings, request)) throw notGenuine();
  const account = await knownAccount(call, address.id);
  if (!account) throw notGenuine();
  try {
    await found.hook.receive(call, account, found.settings, await request.json());
  } catch (error) {
    throw error instanceof AccountGone ? notGenuine() : error;
  }
}

/** The account's hook and settings; undefined if the account is not of that provider, or the provider sends no webhooks. */
async function hookOf(call: Call, { provider, id }: HookAddress) {
  const settings = await settingsOf(call, id);
  if (settings?.provider !== provider) return undefined;
  const { hook } = connectorOf(provider);
  return hook && { hook, settings };
}
