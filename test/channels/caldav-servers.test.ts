/** Calendars of servers that know less than others, of those that take tokens, and beside a mailbox. [contract: Accounts] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noCalendarHost, startCalendarHost, type CalendarHost } from '../support/calendar-host.ts';
import { startDavProxy } from '../support/dav-proxy.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { startTokenServer } from '../support/token-server.ts';
import { startAccounts, type Accounts } from './accounts.ts';
import { calendarOf, invitationOf, meetingOf, momentFromNow, type MeetingParts } from './calendars.ts';

let host: CalendarHost;
let mails: MailHost;
let accounts: Accounts;

beforeAll(async () => {
  if (noCalendarHost !== undefined) return;
  host = await startCalendarHost();
  if (noMailHost === undefined) mails = await startMailHost();
  accounts = await startAccounts();
});
afterAll(async () => {
  await accounts?.stop();
  await mails?.stop();
  await host?.end();
});

const document = (url: string, more: object = { password: 'secret' }, address = 'calendar@acme.test') => ({
  provider: 'imap',
  account_email: address,
  caldav: { url, user: 'ada', ...more },
});
const sync = async (id: string) => (await accounts.sync(id)).json;
const remove = async (id: string) => (await accounts.command(['remove', '--account', id, '--purge'])).json;
const put = (calendar: string, name: string, parts: Partial<MeetingParts>) =>
  host.put(calendar, name, calendarOf([meetingOf({ uid: name, start: momentFromNow(2, '0900').ics, ...parts })]));

interface Meeting {
  readonly title: string;
  readonly status: string;
}
async function meetings(title?: string): Promise<readonly Meeting[]> {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const { json } = await accounts.admin.get('/meetings', { start_date: at(-400), end_date: at(400), limit: '200' });
  return (json.events ?? []).filter((one: Meeting) => title === undefined || one.title === title);
}
const told = async () => (await meetings()).map(({ title, status }) => `${title} ${status}`).toSorted();

describe.skipIf(noCalendarHost !== undefined)('a server of calendars', () => {
  it.each([
    ['that has ctags and etags alone', ['tokens']],
    ['that says that it tells changes, and refuses to', ['reports']],
    ['that has nothing but etags', ['tokens', 'ctags']],
  ] as const)('%s is kept in step: what is the same is not asked for again', async (_, without) => {
    const calendar = without.join('-');
    await host.makeCalendar(calendar);
    const url = `ada/${calendar}/`;
    await put(calendar, 'one', { title: 'One' });
    await put(calendar, 'two', { title: 'Two' });
    const proxy = await startDavProxy(host.port, { without });
    const id = await accounts.connected(document(`${proxy.url}${url}`));
    const path = (name: string) => `/${url}${name}.ics`;
    try {
      expect(await sync(id)).toEqual({ threads: 0, interactions: 0, events: 2, failed: [] });
      expect(proxy.portions().map((paths) => paths.toSorted())).toEqual([[path('one'), path('two')]]);
      expect(await sync(id)).toMatchObject({ events: 0, failed: [] });
      expect(proxy.portions()).toEqual([]);
      await put(calendar, 'one', { title: 'One again' });
      await put(calendar, 'three', { title: 'Three' });
      await host.remove(calendar, 'two');
      expect(await sync(id)).toMatchObject({ events: 1, failed: [] });
      expect(proxy.portions().map((paths) => paths.toSorted())).toEqual([[path('one'), path('three')]]);
      expect(await told()).toEqual(['One again confirmed', 'Three confirmed', 'Two cancelled']);
      await host.removeCalendar(calendar);
      await host.makeCalendar(`${calendar}-2`);
      await accounts.add(document(`${proxy.url}ada/`));
      await sync(id);
      expect(await told()).toEqual(['One again cancelled', 'Three cancelled', 'Two cancelled']);
    } finally {
      await proxy.stop();
      await remove(id);
    }
    expect(await told()).toEqual([]);
  });

  it('takes a token in the place of a password, also one that has ended before its time', async () => {
    const tokens = await startTokenServer('ada');
    const proxy = await startDavProxy(host.port, { tokenInfoUrl: tokens.infoUrl });
    await host.makeCalendar('tokens');
    await put('tokens', 'token', { title: 'By token' });
    const xoauth2 = { client_id: 'kith', refresh_token: 'refresh', token_url: tokens.tokenUrl };
    const url = `${proxy.url}ada/tokens/`;
    try {
      expect(await accounts.add(document(url))).toMatchObject({
        json: { message: /does not accept user and password/ },
      });
      const id = await accounts.connected(document(url, { xoauth2 }));
      expect(await sync(id)).toMatchObject({ events: 1, failed: [] });
      expect(tokens.given()).toBe(1);
      tokens.end();
      expect(await sync(id)).toMatchObject({ events: 0, failed: [] });
      expect(tokens.given()).toBe(2);
      tokens.end();
      tokens.revoke();
      expect(await sync(id)).toMatchObject({ message: /invalid_grant: The token was taken back/ });
      const { accounts: listed } = (await accounts.command(['list'])).json as { accounts: object[] };
      expect(listed).toMatchObject([{ id, status: 'expired', last_error: /invalid_grant/ }]);
      await remove(id);
    } finally {
      await proxy.stop();
      await tokens.stop();
    }
  });
});

describe.skipIf(noCalendarHost !== undefined || noMailHost !== undefined)('a calendar beside a mailbox', () => {
  const people = { organizer: 'bob@globex.test', attendees: ['ada@acme.test'] };
  const invited = (uid: string, parts: Partial<MeetingParts> = {}) =>
    calendarOf([meetingOf({ uid, start: momentFromNow(3, '0900').ics, ...people, ...parts })], 'REQUEST');
  const inFeed = async (contact: string) =>
    (await accounts.admin.get(`/activity/contacts/${contact}`, { channel: 'meeting' })).json.interactions.items.map(
      ({ subject }: { subject: string }) => subject,
    );
  const inInbox = async (subject: string) =>
    (await accounts.threads()).filter((one) => one.channel === 'meeting' && one.subject === subject).length;

  it('has each meeting once, whichever tells of it first, and it outlives the one of the two that is removed', async () => {
    const { json } = await accounts.admin.post('/records/contacts', { first_name: 'Bob', emails: [people.organizer] });
    const bob = json.record.id as string;
    await host.makeCalendar('beside');
    const mailbox = await accounts.connected(mails.account('ada'));
    const calendar = await accounts.connected(document(`${host.url}ada/beside/`));
    await mails.deliver('ada', [
      invitationOf(invited('mail-first', { title: 'Mail first' }), { id: '<i1@globex.test>' }),
    ]);
    await put('beside', 'calendar-first', { title: 'Calendar first', ...people });
    expect(await sync(mailbox)).toMatchObject({ events: 1, failed: [] });
    expect(await sync(calendar)).toMatchObject({ events: 1, failed: [] });
    // Each comes by the other, too: in the calendar as it was accepted there.
    await put('beside', 'mail-first', { start: momentFromNow(3, '0900').ics, title: 'Mail first', ...people });
    await mails.deliver('ada', [
      invitationOf(invited('calendar-first', { title: 'Calendar first' }), { id: '<i2@globex.test>' }),
    ]);
    expect(await sync(calendar)).toMatchObject({ interactions: 0, events: 0, failed: [] });
    // The mail itself is a message of its own.
    expect(await sync(mailbox)).toMatchObject({ threads: 1, interactions: 1, events: 0, failed: [] });
    for (const title of ['Mail first', 'Calendar first']) {
      expect(await meetings(title)).toHaveLength(1);
      expect(await inInbox(title)).toBe(1);
    }
    expect((await inFeed(bob)).toSorted()).toEqual(['Calendar first', 'Mail first']);

    // What the calendar still has stays when all that came by the mailbox goes.
    await remove(mailbox);
    await sync(calendar);
    for (const title of ['Mail first', 'Calendar first']) {
      expect(await meetings(title)).toMatchObject([{ status: 'confirmed' }]);
      expect(await inInbox(title)).toBe(1);
    }
    expect((await inFeed(bob)).toSorted()).toEqual(['Calendar first', 'Mail first']);
    await host.remove('beside', 'mail-first');
    await sync(calendar);
    expect(await meetings('Mail first')).toMatchObject([{ status: 'cancelled' }]);
    await remove(calendar);
    expect(await told()).toEqual([]);
    expect(await inFeed(bob)).toEqual([]);
  });

  it('is one account with it where they have one address, and whoever writes down one of them alone is warned', async () => {
    const both = { ...mails.account('cleo'), ...document(`${host.url}ada/`, undefined, 'cleo@acme.test') };
    const id = await accounts.connected(both);
    const alone = await accounts.add(document(`${host.url}ada/`, undefined, 'cleo@acme.test'));
    expect(alone).toMatchObject({ code: 0, json: { integrationId: id } });
    expect(alone.stderr).toMatch(/had email until now/);
    expect((await accounts.add(both)).stderr).toBe('');
  });
});
