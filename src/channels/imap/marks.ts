/** Marks a conversation in its mailbox, as any other mail program does. [spec: crm_mark_email] */
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

/** Messages that one search asks for. */
const mostAsked = 20;

/** Marks all copies of the messages with these ids. Throws ChannelFailure where the mailbox has none of them. */
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
        throw new ChannelFailure(`The mail server does not take the mark ${flag} in ${JSON.stringify(path)}`);
      marked += uids.length;
    } finally {
      lock.release();
    }
  }
  if (marked === 0) throw new ChannelFailure('The mailbox has none of the messages of this thread any more');
}

/** Of the messages that the opened folder has, by their Message-IDs. */
export async function uidsOf(client: ImapFlow, messageIds: readonly string[]): Promise<readonly number[]> {
  const found: number[] = [];
  for (let at = 0; at < messageIds.length; at += mostAsked) {
    const asked = messageIds.slice(at, at + mostAsked).map((id) => ({ header: { 'message-id': id } }));
    const [only, ...others] = asked;
    const query = others.length === 0 ? only! : { or: asked };
    found.push(...(await uidsFound(client, query)));
  }
  return [...new Set(found)];
}
