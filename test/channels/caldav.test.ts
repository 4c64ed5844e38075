/** Calendars of a real server: connected by the command line, brought in, kept in step. [contract: Accounts] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noCalendarHost, startCalendarHost, type CalendarHost } from '../support/calendar-host.ts';
import { startDavProxy } from '../support/dav-proxy.ts';
import { startAccounts, type Accounts } from './accounts.ts';
import { calendarOf, dayFromNow, meetingOf, momentFromNow, type MeetingParts } from './calendars.ts';

let host: CalendarHost;
let accounts: Accounts;

beforeAll(async () => {
  if (noCalendarHost !== undefined) return;
  host = await startCalendarHost();
  await host.makeCalendar('work');
  accounts = await startAccounts();
});
afterAll(async () => {
  await accounts?.stop();
  await host?.end();
});

const add = async (url: string, more: object = {}) => {
  const caldav = { url, user: 'ada', password: 'secret', ...more };
  return (await accounts.add({ provider: 'imap', account_email: 'ada@acme.test', caldav })).json;
};
const sync = async (id: string) => (await accounts.sync(id)).json;

interface Meeting {
  readonly id: string;
  readonly title: string;
  readonly start_time: string;
  readonly status: string;
}
async function events(): Promise<readonly Meeting[]> {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const span = { start_date: at(-400), end_date: at(400), limit: '200' };
  return (await accounts.admin.get('/meetings', span)).json.events ?? [];
}
const told = async () => (await events()).map(({ title, start_time: at, status }) => [title, at, status]);
const put = (name: string, parts: Partial<MeetingParts>, others: readonly string[] = [], calendar = 'work') =>
  host.put(calendar, name, calendarOf([meetingOf({ uid: name, start: '', ...parts }), ...others]));

describe.skipIf(noCalendarHost !== undefined)('calendars', () => {
  it('are not connected where they do not work, and the answer says why', async () => {
    expect(await add(host.url, { password: 'guess' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: /127\.0\.0\.1 does not accept user and password/,
    });
    expect(await add(`${host.url}ada/nowhere/`)).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: /404|no calendar/,
    });
    expect((await accounts.command(['list'])).json['accounts']).toEqual([]);
  });

  it('are found from the address of the server, brought in once, and kept in step: changed, moved, deleted', async () => {
    const [first, second] = [momentFromNow(2, '0900'), momentFromNow(3, '1000')];
    const people = { organizer: 'ada@acme.test', attendees: ['bob@globex.test'] };
    await put('one', { start: first.ics, title: 'One', ...people });
    await put('two', { start: second.ics, title: 'Two' });
    const { integrationId, ...added } = await add(host.url);
    expect(added).toEqual({ provider: 'imap', account_email: 'ada@acme.test', status: 'active' });
    const id = integrationId as string;
    expect(await sync(id)).toEqual({ threads: 1, interactions: 1, events: 2, failed: [] });
    expect(await sync(id)).toEqual({ threads: 0, interactions: 0, events: 0, failed: [] });
    expect(await told()).toEqual([
      ['One', first.iso, 'confirmed'],
      ['Two', second.iso, 'confirmed'],
    ]);
    const [one] = await events();
    const later = momentFromNow(4, '1100');
    await put('one', { start: later.ics, title: 'One again', ...people });
    await host.remove('work', 'two');
    expect(await sync(id)).toEqual({ threads: 0, interactions: 0, events: 0, failed: [] });
    expect(await told()).toEqual([
      ['Two', second.iso, 'cancelled'],
      ['One again', later.iso, 'confirmed'],
    ]);
    expect((await events())[1]!.id).toBe(one!.id);
    const { data } = (await accounts.admin.get('/inbox/threads', { channel: 'meeting' })).json;
    expect(data).toMatchObject([{ subject: 'One again', message_count: 1, last_message_date: later.iso }]);
  });

  it('recur: each occurrence is a meeting of its own, also after the rule has changed', async () => {
    const at = (day: number, time = '0900') => momentFromNow(day, time).ics;
    const series = (rule: string, more: readonly string[] = []) => ({
      start: at(10),
      title: 'Series',
      more: [`RRULE:${rule}`, ...more],
    });
    const changed = meetingOf({
      uid: 'series',
      start: at(12, '1500'),
      title: 'Series',
      more: [`RECURRENCE-ID${at(11)}`],
    });
    await put('series', series('FREQ=DAILY;COUNT=5'), [changed]);
    const { integrationId: id } = await add(host.url);
    await sync(id as string);
    const days = async (status: string) =>
      (await events())
        .filter((one) => one.title === 'Series' && one.status === status)
        .map((one) => one.start_time.slice(0, 10).replaceAll('-', ''));
    expect(await days('confirmed')).toEqual([10, 12, 12, 13, 14].map(dayFromNow));
    await put('series', series('FREQ=DAILY;COUNT=4', [`EXDATE${at(13)}`]), [changed]);
    await sync(id as string);
    expect(await days('confirmed')).toEqual([10, 12, 12].map(dayFromNow));
    expect(await days('cancelled')).toEqual([dayFromNow(13)]);
  });

  it('lose nothing and bring nothing twice where the server goes away, or what it answers breaks off', async () => {
    const { integrationId: id } = await add(host.url);
    await sync(id as string);
    const before = await told();
    await host.stop();
    expect(await sync(id as string)).toMatchObject({ code: 'WRITE_FAILED', message: /takes no connection/ });
    await host.start();
    const many = Array.from({ length: 70 }, (_, at) =>
      meetingOf({ uid: `m${at}`, start: momentFromNow(20, '0900').ics, title: 'Many' }),
    );
    await host.upload('many', calendarOf(many));
    const proxy = await startDavProxy(host.port);
    // The second portion does not come: what the first has brought stays, and the rest comes the next time.
    const broken = await add(proxy.url);
    expect(broken['integrationId']).toBe(id);
    proxy.breakAfter(1);
    expect(await sync(id as string)).toMatchObject({ code: 'WRITE_FAILED' });
    const some = (await events()).filter(({ title }) => title === 'Many').length;
    expect(some).toBe(50);
    proxy.breakAfter(Infinity);
    expect(await sync(id as string)).toMatchObject({ events: 20, failed: [] });
    await proxy.stop();
    await add(host.url);
    expect(await sync(id as string)).toMatchObject({ events: 0, failed: [] });
    expect(await told()).toHaveLength(before.length + 70);
    await host.removeCalendar('many');
    await sync(id as string);
    expect((await events()).filter(({ title }) => title === 'Many').every(({ status }) => status === 'cancelled')).toBe(
      true,
    );
    expect((await accounts.command(['remove', '--account', id as string, '--purge'])).json).toEqual({ removed: true });
    expect(await told()).toEqual([]);
  });
});
