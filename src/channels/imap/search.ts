/** Searches in the opened folder of a mailbox. */
import type { ImapFlow, SearchObject } from 'imapflow';
import { ChannelFailure } from '../channel-failure.ts';

/** The UIDs of what is found. Throws ChannelFailure where the server does not search: the library would say that there is nothing. */
export async function uidsFound(client: ImapFlow, query: SearchObject): Promise<readonly number[]> {
  const found = await client.search(query, { uid: true });
  if (!Array.isArray(found)) throw new ChannelFailure('The mail server did not carry a search out');
  return found;
}
