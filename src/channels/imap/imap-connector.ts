/** Mailboxes and calendars as accounts: what their owners say of them, whether that works, and what they have. [contract: Accounts] */
import { hash } from 'node:crypto';
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { ChannelFailure } from '../channel-failure.ts';
import type { AccountConnector, Rhythm } from '../provider.ts';
import { trySending } from '../smtp/open-sending.ts';
import { foldersOf } from './folders.ts';
import { leaveIdle, takeIdle } from './idle.ts';
import { ImapAccount, type ImapSettings, type MailServerSettings } from './imap-settings.ts';
import { latestOf } from '../mail/credentials.ts';
import { findCalendars } from '../caldav/find-calendars.ts';
import { syncCalendars } from '../caldav/sync-calendars.ts';
import { tellMeetings } from '../calendar/tell-meetings.ts';
import { withMailbox, type Kept } from './open-mailbox.ts';
import { syncMailbox } from './sync.ts';

/** By IMAP, SMTP and CalDAV. */
export const imapConnector: AccountConnector<ImapSettings> = {
  schema: ImapAccount,
  channelsOf,
  tryOut,
  latest,
  async bringIn(call, account, { imap, folders, caldav }, rhythm) {
    // One that does not answer holds up no other; what was brought in is told in any case.
    const failures = [
      imap &&
        (await failureIn(() =>
          syncMailbox(call, account, imap, folders, rhythm && keptFor(account.integrationId, imap, rhythm)),
        )),
      caldav && (await failureIn(() => syncCalendars(call, account, caldav))),
    ];
    await tellMeetings(call, account);
    const [failure] = failures.filter((one) => one !== undefined);
    if (failure) throw failure;
  },
};

function latest(call: Call, settings: ImapSettings): ImapSettings {
  const renewed = (['imap', 'smtp', 'caldav'] as const).flatMap((name) => {
    const server = settings[name];
    const xoauth2 = server?.xoauth2 && latestOf(call, server.xoauth2);
    return xoauth2 === server?.xoauth2 ? [] : [[name, { ...server, xoauth2 }] as const];
  });
  return renewed.length === 0 ? settings : { ...settings, ...Object.fromEntries(renewed) };
}

async function failureIn(work: () => Promise<void>): Promise<ChannelFailure | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof ChannelFailure) return error;
    throw error;
  }
}

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
    ['caldav', caldav],
  ] as const)
    if (server && (server.password === undefined) === (server.xoauth2 === undefined))
      throw errors.validation(`${name} needs one of password and xoauth2`);
  try {
    if (imap) await withMailbox(call, imap, (client) => foldersOf(client, folders));
    if (smtp) await trySending(call, smtp);
    if (caldav) await findCalendars(call, caldav);
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
