/** Marks messages in a mailbox by IMAP flags. [spec: crm_mark_email] */
import type { ImapFlow } from 'imapflow';
import { ChannelFailure } from '../channel-failure.ts';
import type { Mark } from '../provider.ts';
import { foldersOf } from './folders.ts';
import { uidsFound } from './search.ts';

const flags: Record<Mark['action'], { readonly flag: string; readonly isSet: boolean }> = {
  read: { flag: '\\Seen', isSet: true },
  unread: { flag: '\\Seen', isSet: false },
  favorite: { flag: '\\Flagged', isSet: true },
  unfavorite: { flag: '\\Flagged', isSet: false },
};

/** Messages per search. */
const mostPerSearch = 20;

/** Marks all copies of the messages with these ids. Throws ChannelFailure if the mailbox has none of them, or the server refuses. */
export async function markMessages(
  client: ImapFlow,
  named: readonly string[] | undefined,
  messageIds: readonly string[],
  action: Mark['action'],
): Promise<void> {
  let marked = 0;
  for (const { path } of await foldersOf(client, named)) {
    const lock = await client.getMailboxLock(path);
    try {
      const uids = await uidsOf(client, messageIds);
      if (uids.length === 0) continue;
      const { flag, isSet } = flags[action];
      const range = uids.join(',');
      const isMarked = isSet
        ? await client.messageFlagsAdd(range, [flag], { uid: true })
        : await client.messageFlagsRemove(range, [flag], { uid: true });
      if (!isMarked)
        throw new ChannelFailure(`The mail server refuses to set or clear ${flag} in ${JSON.stringify(path)}`);
      marked += uids.length;
    } finally {
      lock.release();
    }
  }
  if (marked === 0) throw new ChannelFailure('The mailbox no longer has any message of this thread');
}

/** The UIDs of messages in the opened folder, by their Message-IDs. */
export async function uidsOf(client: ImapFlow, messageIds: readonly string[]): Promise<readonly number[]> {
  const found: number[] = [];
  for (let at = 0; at < messageIds.length; at += mostPerSearch) {
    const conditions = messageIds.slice(at, at + mostPerSearch).map((id) => ({ header: { 'message-id': id } }));
    const [only, ...others] = conditions;
    const query = others.length === 0 ? only! : { or: conditions };
    found.push(...(await uidsFound(client, query)));
  }
  return [...new Set(found)];
}
