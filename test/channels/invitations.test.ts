/** Meetings that mails bring: told of, changed, called off, answered. [contract: Accounts] */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { startAccounts, type Accounts } from './accounts.ts';
import { calendarOf, dayFromNow, invitationOf, meetingOf, momentFromNow } from './calendars.ts';
import type { MailParts } from './mails.ts';

let host: MailHost;
let accounts: Accounts;
let account: string;

const files = new URL('../../../shared/data/calendar', import.meta.url).pathname;

beforeAll(async () => {
  if (noMailHost !== undefined) return;
  host = await startMailHost();
  accounts = await startAccounts({ timezone: 'Europe/Berlin' });
  account = await accounts.connected(host.account('ada'));
});
afterAll(async () => {
  await accounts?.stop();
  await host?.stop();
});

const sync = async () => (await accounts.sync(account)).json;

let mails = 0;
/** Mails of Bob, unless told, each with a calendar; what they brought. */
async function came(...calendars: (readonly [string, MailParts?])[]) {
  const written = calendars.map(([text, parts]) => invitationOf(text, { id: `<m${++mails}@x.test>`, ...parts }));
  await host.deliver('ada', written);
  return sync();
}

async function events(title: string) {
  const span = { start_date: iso(-400), end_date: iso(400), limit: '200' };
  const all: { title: string; start_time: string; status: string }[] = [];
  for (let cursor: string | undefined; ;) {
    const { json } = await accounts.admin.get('/meetings', { ...span, cursor });
    all.push(...json.events);
    cursor = json.nextCursor;
    if (cursor === undefined) return all.filter((one) => one.title === title);
  }
}
const iso = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const bob = { organizer: 'bob@globex.test', attendees: ['ada@acme.test', 'carl@globex.test'] };

describe.skipIf(noMailHost !== undefined)('meetings in mails', () => {
  it('are events with their people, and messages of the channel of meetings that contacts show', async () => {
    const { json: contact } = await accounts.admin.post('/records/contacts', {
      first_name: 'Carl',
      emails: ['carl@globex.test'],
    });
    const [start, end] = [momentFromNow(3, '0900'), momentFromNow(3, '0930')];
    const more = ['LOCATION:Room 1', 'DESCRIPTION:See https://acme.zoom.us/j/1?pwd=2 please'];
    const meeting = meetingOf({ uid: 'demo@x', start: start.ics, end: end.ics, title: 'Demo', more, ...bob });
    expect(await came([calendarOf([meeting], 'REQUEST')])).toMatchObject({ interactions: 2, threads: 2, events: 1 });
    const [demo] = await events('Demo');
    expect(demo).toMatchObject({
      start_time: start.iso,
      end_time: end.iso,
      status: 'confirmed',
      organizer: 'bob@globex.test',
      location: 'Room 1',
      meeting_url: 'https://acme.zoom.us/j/1?pwd=2',
      attendees: [
        { email: 'ada@acme.test', response: 'needs-action' },
        { email: 'carl@globex.test', contact_id: contact.record.id },
      ],
      linked_entities: [{ type: 'contacts', id: contact.record.id }],
    });
    const { data } = (await accounts.admin.get('/inbox/threads', { channel: 'meeting' })).json;
    expect(data).toMatchObject([{ id: (demo as { thread_id?: string }).thread_id, subject: 'Demo', message_count: 1 }]);
    expect((await accounts.admin.get('/inbox/threads', { channel: 'meeting', search: 'demo' })).json.data).toEqual(
      data,
    );
    const feed = await accounts.admin.get(`/activity/contacts/${contact.record.id}`, { channel: 'meeting' });
    expect(feed.json.interactions.items).toMatchObject([{ channel: 'meeting', date: start.iso, direction: 'inbound' }]);
  });

  it('change by who organizes them alone, in whatever order their mails come', async () => {
    const at = (time: string) => momentFromNow(5, time);
    const mail = (method: string, time: string, sequence: number, from: string, more: readonly string[] = []) =>
      [
        calendarOf(
          [meetingOf({ uid: 'order@x', title: 'Order', start: at(time).ics, sequence, more, ...bob })],
          method,
        ),
        { from },
      ] as const;
    await came(mail('REQUEST', '1100', 1, 'bob@globex.test'), mail('REQUEST', '1000', 0, 'bob@globex.test'));
    expect(await events('Order')).toMatchObject([{ start_time: at('1100').iso }]);
    const answer = meetingOf({
      ...{
        uid: 'order@x',
        start: at('1100').ics,
        sequence: 1,
        stamp: '20261002T080000Z',
        organizer: 'bob@globex.test',
      },
      more: ['ATTENDEE;PARTSTAT=ACCEPTED:mailto:carl@globex.test'],
    });
    await came(mail('REQUEST', '1200', 7, 'mallory@x.test'), mail('CANCEL', '1100', 7, 'mallory@x.test'), [
      calendarOf([answer], 'REPLY'),
      { from: 'mallory@x.test' },
    ]);
    expect(await events('Order')).toMatchObject([{ start_time: at('1100').iso, status: 'confirmed' }]);
    const responses = async () =>
      (await events('Order')).map(
        (one) => (one as unknown as { attendees: { response: string }[] }).attendees.at(-1)!.response,
      );
    expect(await responses()).toEqual(['needs-action']);
    await came([calendarOf([answer], 'REPLY'), { from: 'carl@globex.test' }]);
    expect(await responses()).toEqual(['accepted']);
    const [{ id } = { id: '' }] = (await events('Order')) as unknown as { id: string }[];
    await came(mail('CANCEL', '1100', 2, 'bob@globex.test', ['STATUS:CANCELLED']));
    expect(await events('Order')).toMatchObject([{ id, start_time: at('1100').iso, status: 'cancelled' }]);
    const { data } = (await accounts.admin.get('/inbox/threads', { channel: 'meeting' })).json;
    expect(data).not.toContainEqual(expect.objectContaining({ subject: 'Order' }));
  });

  it('are seen by others who see a contact that takes part, unless they are private', async () => {
    const other = await accounts.organization.user('Member');
    const titles = async () => {
      const { json } = await other.get('/meetings', { start_date: iso(0), end_date: iso(9), limit: '200' });
      return json.events.map(({ title }: { title: string }) => title);
    };
    const meeting = (sequence: number, more: readonly string[] = []) =>
      meetingOf({ uid: 'private@x', title: 'Private', start: momentFromNow(4, '0900').ics, sequence, more, ...bob });
    await came([calendarOf([meeting(0)], 'REQUEST')]);
    expect(await titles()).toContain('Private');
    await came([calendarOf([meeting(1, ['CLASS:PRIVATE'])], 'REQUEST')]);
    expect(await titles()).not.toContain('Private');
    expect(await titles()).toContain('Demo');
    expect(await events('Private')).toHaveLength(1);
  });

  it('know zones by their own rules, and those that nobody knows as the zone of the organization', async () => {
    const zone = ['BEGIN:VTIMEZONE', 'TZID:Ours', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0545'];
    const rules = [...zone, 'TZOFFSETTO:+0545', 'END:STANDARD', 'END:VTIMEZONE'].join('\r\n');
    const day = dayFromNow(10);
    const at = (name: string) => `;TZID=${name}:${day}T120000`;
    const meetings = ['Ours', 'Nowhere', 'Asia/Tokyo', '/mozilla.org/1/Asia/Tokyo', 'Tokyo Standard Time'].map(
      (name, place) => meetingOf({ uid: `zone${place}@x`, title: `Zone ${place}`, start: at(name) }),
    );
    const allDay = meetingOf({
      uid: 'day@x',
      title: 'Day',
      start: `;VALUE=DATE:${day}`,
      end: `;VALUE=DATE:${dayFromNow(11)}`,
    });
    await came([calendarOf([rules, ...meetings, allDay], 'PUBLISH')]);
    const times = await Promise.all(meetings.map((_, place) => events(`Zone ${place}`)));
    const berlin = new Date(`${momentFromNow(10, '1200').iso.slice(0, 10)}T12:00:00Z`);
    const offset = Number(
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', hourCycle: 'h23' }).format(berlin),
    );
    expect(times.map(([one]) => one!.start_time.slice(11, 16))).toEqual([
      '06:15',
      `${24 - offset}:00`.slice(-5),
      '03:00',
      '03:00',
      '03:00',
    ]);
    const [whole] = (await events('Day')) as unknown as { start_time: string; end_time: string; all_day: boolean }[];
    expect(whole!.all_day).toBe(true);
    expect(Date.parse(whole!.end_time) - Date.parse(whole!.start_time)).toBe(86_400_000);
    expect(Date.parse(whole!.start_time)).toBe(berlin.getTime() - offset * 3_600_000);
  });

  it('harm nothing where they are hostile: what recurs without end or without match is told as what could not be taken', async () => {
    const hostile = (name: string, rule: string, more: readonly string[] = []) =>
      meetingOf({ uid: name, title: 'Hostile', start: momentFromNow(1, '0900').ics, more: [`RRULE:${rule}`, ...more] });
    const laughs = Array.from({ length: 400 }, (_, at) => `ATTENDEE:mailto:a${at}@x.test`);
    const broken = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:broken\r\nDTSTART:x\r\nRRULE:FREQ=';
    const { interactions, failed } = (await came(
      [calendarOf([hostile('often', 'FREQ=SECONDLY', laughs)], 'REQUEST')],
      [calendarOf([hostile('never', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31')], 'REQUEST')],
      [calendarOf([hostile('mixed', 'FREQ=WEEKLY;BYMONTHDAY=13')], 'REQUEST')],
      [broken],
    )) as { interactions: number; failed: { folder: string; uid: string }[] };
    expect(interactions).toBe(4);
    expect(failed.map(({ folder, uid }) => [folder, uid])).toEqual([
      ...['mixed', 'never', 'often'].map((uid) => ['calendar', uid]),
    ]);
    expect(await events('Hostile')).toEqual([]);
    expect(await sync()).toMatchObject({ events: 0, interactions: 0 });
  });

  it.skipIf(readable(files).length === 0)(
    'of many programs come in as they are, and a second time nothing',
    async () => {
      const found = readable(files).map((name) => readFileSync(join(files, name), 'utf8'));
      expect(found.length).toBeGreaterThan(30);
      const { failed, interactions, events: brought } = await came(...found.map((text) => [text] as const));
      expect({ failed: (failed as { uid: string }[]).filter(({ uid }) => uid.length > 6), brought }).toMatchObject({
        failed: [],
      });
      expect(interactions).toBeGreaterThanOrEqual(found.length);
      // Every working day at 9:30 in Canberra, from a calendar that brings its own rules along.
      const standups = (await events('Standup')).map(({ start_time: at }) => at.slice(11, 16));
      expect(new Set(standups)).toEqual(new Set(['22:30', '23:30']));
    },
  );

  it('recur over changes of the clock, with those that are moved, called off and left out, and go on as time passes', async () => {
    const first = dayFromNow(-200);
    const zoned = (day: string, time: string) => `;TZID=W. Europe Standard Time:${day}T${time}00`;
    const [moved, off, out] = [dayFromNow(7 - 200), dayFromNow(14 - 200), dayFromNow(21 - 200)];
    const series = meetingOf({
      ...{ uid: 'weekly@x', title: 'Weekly', start: zoned(first, '0900'), end: zoned(first, '1000'), ...bob },
      more: ['RRULE:FREQ=WEEKLY', `EXDATE${zoned(out, '0900')}`],
    });
    const other = (day: string, time: string, more: readonly string[]) =>
      meetingOf({
        ...{ uid: 'weekly@x', title: 'Weekly', start: zoned(day, time), end: zoned(day, '2300'), ...bob },
        more: [`RECURRENCE-ID${zoned(day, '0900')}`, ...more],
      });
    const changed = [other(moved, '1500', []), other(off, '0900', ['STATUS:CANCELLED'])];
    await came([calendarOf([series, ...changed], 'REQUEST')]);
    const found = await events('Weekly');
    const hours = found.map(({ start_time: at }) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' }).format(new Date(at)),
    );
    expect([...new Set(hours)]).toEqual(['09:00', '15:00']);
    expect(new Set(found.map(({ start_time: at }) => at.slice(11, 13))).size).toBe(3);
    const dayOf = ({ start_time: at }: { start_time: string }) => at.slice(0, 10).replaceAll('-', '');
    expect(found.filter(({ status }) => status === 'cancelled').map(dayOf)).toEqual([off]);
    expect(found.map(dayOf)).not.toContain(out);
    const weeks = Math.floor((200 + 366) / 7);
    expect(found).toHaveLength(weeks);

    const [{ data }, before] = [
      (await accounts.admin.get('/inbox/threads', { channel: 'meeting' })).json,
      found.at(-1)!,
    ];
    const count = data.find((one: { subject: string }) => one.subject === 'Weekly').message_count;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 21 * 86_400_000 });
    try {
      await sync();
      const later = await events('Weekly');
      expect(Date.parse(later.at(-1)!.start_time) - Date.parse(before.start_time)).toBeGreaterThan(20 * 86_400_000);
      const after = (await accounts.admin.get('/inbox/threads', { channel: 'meeting' })).json.data;
      expect(after.find((one: { subject: string }) => one.subject === 'Weekly').message_count).toBe(count + 3);
    } finally {
      vi.useRealTimers();
    }
  });
});

function readable(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.ics'));
  } catch {
    return [];
  }
}
