/** Searches in the opened folder of a mailbox. */
import type { ImapFlow, SearchObject } from 'imapflow';
import { ChannelFailure } from '../channel-failure.ts';

/** The UIDs of the matching messages. Throws ChannelFailure if the search fails, for which imapflow returns no list. */
export async function uidsFound(client: ImapFlow, query: SearchObject): Promise<readonly number[]> {
  const found = await client.search(query, { uid: true });
  if (!Array.isArray(found)) throw new ChannelFailure('The mail server failed to search');
  return found;
}
