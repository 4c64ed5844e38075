/** Sends mail by SMTP, and marks it by IMAP. [contract: Accounts] */
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { sql, statement } from '../../postgres/sql.ts';
import { settingsOf } from '../account-settings.ts';
import type { Account } from '../accounts.ts';
import type { Delivery, MessageSender } from '../provider.ts';
import { composeMail, sendMail } from '../smtp/send-mail.ts';
import { folderFor } from './folders.ts';
import type { ImapSettings, MailServerSettings } from './imap-settings.ts';
import { markMessages, uidsOf } from './marks.ts';
import { withMailbox } from './open-mailbox.ts';

/** Latest messages of a thread in the References header of a reply. */
const mostReferences = 20;
/** Latest messages of a thread that a mark applies to. */
const mostMarked = 200;

export const imapSender: MessageSender = {
  newMessageId: (id, { address }) => `<${id}@${/@([^\s@<>]+)$/.exec(address)?.[1] ?? 'localhost'}>`,

  async send(call, account, delivery) {
    const { settings, smtp } = await settingsToSend(call, account);
    const { message, messageId, threadId, plain } = delivery;
    const known = await messageIdsOf(call, threadId, mostReferences);
    const references = known.filter((id) => id !== messageId).toReversed();
    const raw = await composeMail(message, { messageId, references }, plain, new Date(call.now));
    const rejected = await sendMail(call, smtp, message, raw);
    if (rejected.length > 0)
      call.warn(`The server of ${account.address} rejected these recipients: ${rejected.join(', ')}`);
    await keepCopy(call, settings, delivery, raw);
    return undefined;
  },

  async mark(call, account, { threadId, action }) {
    const settings = await imapSettings(call, account);
    const server = settings?.imap;
    if (!server)
      throw errors.noAccount(`The account ${account.address} has no mailbox in which the thread could be marked`);
    const ids = await messageIdsOf(call, threadId, mostMarked);
    await withMailbox(call, server, (client) => markMessages(client, settings.folders, ids, action));
  },
};

function imapSettings(call: Call, { id }: Account): Promise<ImapSettings | undefined> {
  return settingsOf(call, id) as Promise<ImapSettings | undefined>;
}

async function settingsToSend(
  call: Call,
  account: Account,
): Promise<{ readonly settings: ImapSettings; readonly smtp: MailServerSettings }> {
  const settings = await imapSettings(call, account);
  if (settings?.smtp) return { settings, smtp: settings.smtp };
  throw errors.sendNotEnabled(account.address, 'it has no server for outgoing mail');
}

/** The Message-IDs of a thread, the latest first. */
async function messageIdsOf({ workspace, model }: Call, threadId: string, most: number): Promise<readonly string[]> {
  const query = sql`select i.external_id from ${workspace.table('_interactions')} i
    where i.interaction_thread_id = ${threadId}::uuid and i.deleted_at is null and i.external_id like '<%>'
    order by i.date desc, i.id desc limit ${most}::integer`;
  const [found] = await workspace.read(statement(query, model.version));
  return (found?.rows ?? []).map(([id]) => id ?? '');
}

/** Stores a copy in the sent folder, unless the server has. The message has been sent, so a failure is only a warning. */
async function keepCopy(
  call: Call,
  { imap: server }: ImapSettings,
  { messageId }: Delivery,
  raw: Buffer,
): Promise<void> {
  if (!server) return;
  try {
    await withMailbox(call, server, async (client) => {
      const folder = await folderFor(client, '\\Sent');
      if (folder === undefined) return;
      const lock = await client.getMailboxLock(folder);
      try {
        if ((await uidsOf(client, [messageId])).length === 0) await client.append(folder, raw, ['\\Seen']);
      } finally {
        lock.release();
      }
    });
  } catch {
    call.warn('The message was sent, but no copy could be stored in the folder of sent mail');
  }
}
