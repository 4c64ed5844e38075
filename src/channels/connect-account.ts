/** Connecting an account: its servers are tried first, and nothing is stored that does not work. [contract: Accounts] */
import type { Call } from '../access/call.ts';
import { errors } from '../errors.ts';
import type { ImapSettings } from './account-settings.ts';
import { ChannelFailure } from './channel-failure.ts';
import { foldersOf } from './imap/folders.ts';
import { withMailbox } from './imap/open-mailbox.ts';
import { trySending } from './smtp/open-sending.ts';

/** What the account is for, by what its document has. */
export function channelsOf({ imap, caldav }: ImapSettings): readonly string[] {
  return [...(imap ? ['email'] : []), ...(caldav ? ['meeting'] : [])];
}

/** Throws VALIDATION_ERROR for a document that says too little, and with the server's words where the account does not work. */
export async function tryAccount(call: Call, settings: ImapSettings): Promise<void> {
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
