/** The typed client, as tests call it where a request is nothing special. */
import { createClient, KithError, type ClientSettings, type KithClient } from '../../client/index.js';
import type { Client, TestKith } from './kith.ts';

/** A typed client of the same user. */
export function typed(
  { url }: Pick<TestKith, 'url'>,
  { token }: Pick<Client, 'token'>,
  settings: Partial<ClientSettings> = {},
): KithClient {
  return createClient({ baseUrl: url, token, ...settings });
}

/** What the call is refused with. Throws where it is not. */
export async function refusal(call: PromiseLike<unknown>): Promise<KithError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof KithError)) throw new Error(`No refusal: ${String(error)}`);
  return error;
}
