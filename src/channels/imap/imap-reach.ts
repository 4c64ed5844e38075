/** Mailboxes as accounts: what their owners say of them, whether that works, and what they have. [contract: Accounts] */
import { hash } from 'node:crypto';
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { ChannelFailure } from '../channel-failure.ts';
import type { Reach, Rhythm } from '../driver.ts';
import { trySending } from '../smtp/open-sending.ts';
import { foldersOf } from './folders.ts';
import { leaveIdle, takeIdle } from './idle.ts';
import { ImapAccount, type ImapSettings, type MailServerSettings } from './imap-settings.ts';
import { withMailbox, type Kept } from './open-mailbox.ts';
import { syncMailbox } from './sync.ts';

/** By IMAP and SMTP. */
export const imapReach: Reach<ImapSettings> = {
  schema: ImapAccount,
  channelsOf,
  tryOut,
  async bringIn(call, account, { imap, folders }, rhythm) {
    if (imap) await syncMailbox(call, account, imap, folders, rhythm && keptFor(account.integrationId, imap, rhythm));
  },
};

/** What the account is for, by what its document has. */
function channelsOf({ imap, caldav }: ImapSettings): readonly string[] {
  return [...(imap ? ['email'] : []), ...(caldav ? ['meeting'] : [])];
}

async function tryOut(call: Call, settings: ImapSettings): Promise<void> {
  const { imap, smtp, caldav, send_enabled: sends = false, folders } = settings;
  if (!imap && !caldav) throw errors.validation('The account has neither imap nor caldav: one of them has to be there');
  if (sends && !smtp) throw errors.validation('send_enabled needs smtp: the server that takes what is sent');
  for (const [name, server] of [
    ['imap', imap],
    ['smtp', smtp],
  ] as const)
    if (server && (server.password === undefined) === (server.xoauth2 === undefined))
      throw errors.validation(`${name} needs one of password and xoauth2`);
  if (caldav) throw errors.notSupported('Calendars by caldav are not synchronised yet');
  try {
    if (imap) await withMailbox(call, imap, (client) => foldersOf(client, folders));
    if (smtp) await trySending(call, smtp);
  } catch (error) {
    if (error instanceof ChannelFailure) throw errors.validation(error.message);
    throw error;
  }
}

function keptFor(accountId: string, server: MailServerSettings, { watch, onNews }: Rhythm): Kept {
  const settings = hash('sha256', JSON.stringify(server), 'base64');
  return {
    take: () => takeIdle(watch, accountId, settings),
    leave: (client) => leaveIdle(watch, accountId, settings, client, onNews),
  };
}
