/** Connects and syncs mailboxes and calendars. [contract: Accounts] */
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
import { publishMeetings } from '../calendar/publish-meetings.ts';
import { withMailbox, type IdleConnections } from './open-mailbox.ts';
import { syncMailbox } from './sync.ts';

/** The connector for IMAP, SMTP and CalDAV. */
export const imapConnector: AccountConnector<ImapSettings> = {
  schema: ImapAccount,
  channelsOf,
  tryOut,
  latest,
  async bringIn(call, account, { imap, folders, caldav }, rhythm) {
    // A failing mailbox does not stop the calendar; meetings are published in any case.
    const failures = [
      imap &&
        (await failureIn(() =>
          syncMailbox(call, account, imap, folders, rhythm && idleConnections(account.integrationId, imap, rhythm)),
        )),
      caldav && (await failureIn(() => syncCalendars(call, account, caldav))),
    ];
    await publishMeetings(call, account);
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

/** The channels of the servers in the settings. */
function channelsOf({ imap, caldav }: ImapSettings): readonly string[] {
  return [...(imap ? ['email'] : []), ...(caldav ? ['meeting'] : [])];
}

async function tryOut(call: Call, settings: ImapSettings): Promise<void> {
  const { imap, smtp, caldav, send_enabled: sends = false, folders } = settings;
  if (!imap && !caldav) throw errors.validation('The account needs imap, caldav or both');
  if (sends && !smtp) throw errors.validation('send_enabled needs smtp, the server for outgoing mail');
  for (const [name, server] of [
    ['imap', imap],
    ['smtp', smtp],
    ['caldav', caldav],
  ] as const)
    if (server && (server.password === undefined) === (server.xoauth2 === undefined))
      throw errors.validation(`${name} needs either password or xoauth2`);
  try {
    if (imap) await withMailbox(call, imap, (client) => foldersOf(client, folders));
    if (smtp) await trySending(call, smtp);
    if (caldav) await findCalendars(call, caldav);
  } catch (error) {
    if (error instanceof ChannelFailure) throw errors.validation(error.message);
    throw error;
  }
}

function idleConnections(accountId: string, server: MailServerSettings, { watch, onNews }: Rhythm): IdleConnections {
  const settings = hash('sha256', JSON.stringify(server), 'base64');
  return {
    take: () => takeIdle(watch, accountId, settings),
    leave: (client) => leaveIdle(watch, accountId, settings, client, onNews),
  };
}
