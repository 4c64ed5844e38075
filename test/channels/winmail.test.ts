/** Mails of Outlook and Exchange that say what they say in `winmail.dat`. [contract: Accounts] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMail } from '../../src/channels/mail/read-mail.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { startAccounts, type Accounts } from './accounts.ts';
import { calendarOf, dayFromNow, invitationOf, meetingOf, momentFromNow } from './calendars.ts';
import {
  binary,
  dword,
  flag,
  moment,
  rtfBytes,
  sets,
  tnefOf,
  unicode,
  whole,
  winmailOf,
  word,
  type TnefParts,
  type TnefProperty,
} from './winmail.ts';

let host: MailHost;
let accounts: Accounts;
let account: string;

beforeAll(async () => {
  if (noMailHost !== undefined) return;
  host = await startMailHost();
  accounts = await startAccounts();
  account = await accounts.connected(host.account('ada'));
});
afterAll(async () => {
  await accounts?.stop();
  await host?.stop();
});

const body = 0x10_00;
const rtf = 0x10_09;
const html = 0x10_13;

/** What the messages say that came with these, by their subjects. */
async function came(mails: Readonly<Record<string, string>>) {
  await host.deliver('ada', Object.values(mails));
  expect((await accounts.sync(account)).json).toMatchObject({ failed: [] });
  const threads = await accounts.threads();
  const said = Object.keys(mails).map(async (subject) => {
    const { id } = threads.find((thread) => thread.channel === 'email' && thread.subject === subject);
    const { messages } = (await accounts.admin.get(`/inbox/threads/${id}`)).json;
    return [subject, messages[0]] as const;
  });
  return Object.fromEntries(await Promise.all(said));
}

interface Meeting {
  readonly title: string;
  readonly start_time: string;
  readonly status: string;
  readonly attendees: readonly { readonly email: string; readonly response: string | null }[];
}
async function meetings(title: string): Promise<readonly Meeting[]> {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const { json } = await accounts.admin.get('/meetings', { start_date: at(-400), end_date: at(400), limit: '200' });
  return (json.events ?? []).filter((one: Meeting) => one.title === title);
}

let mails = 0;
const mail = (subject: string, parts: TnefParts, text?: string) =>
  winmailOf(tnefOf(parts), {
    subject,
    id: `<w${++mails}@globex.test>`,
    ...(text !== undefined && { text }),
  });
/** As a whole in hexadecimal: two samples of the documentation of the format. [MS-OXRTFCP 3.1] */
const samples = {
  hello: '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
  repeated: '1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0',
};

describe.skipIf(noMailHost !== undefined)('winmail.dat', () => {
  it('gives the text that the mail itself does not have, in whatever form it is', async () => {
    const encapsulated = String.raw`{\rtf1\ansi\ansicpg1251\fromhtml1 \deff0
{\fonttbl{\f0\fswiss Arial;}{\f1\fmodern\fcharset128 MS Gothic;}}{\colortbl\red0;}
{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Hello {\*\htmltag84 <b>}\htmlrtf {\b \htmlrtf0 \'cc\'e8\'f0{\*\htmltag92 </b>}\htmlrtf }\htmlrtf0
{\f1 \'93\'fa}\u8364?{\*\htmltag84 &nbsp;}\htmlrtf \'a0\htmlrtf0 {\*\htmltag240 <script>alert(1)</script>}{\*\htmltag72 </p>}}`;
    const native = String.raw`{\rtf1\ansi\ansicpg1252{\info{\author Nobody}}{\*\generator Nothing;}\pard Dear Ada,\par\par 5\'80 \{net\}\line Bob\par}`;
    const said = await came({
      Unicode: mail('Unicode', { properties: [unicode(body, 'Grüße, 日本')] }),
      Cyrillic: mail('Cyrillic', { codePage: 1_251, body: Buffer.from('cff0e8e2e5f200', 'hex') }),
      Html: mail('Html', {
        properties: [whole(0x3f_de, 65_001), binary(html, Buffer.from('<p>Für <i>Ada</i></p><script>x</script>'))],
      }),
      Sample: mail('Sample', { properties: [binary(rtf, Buffer.from(samples.hello, 'hex'))] }),
      Repeated: mail('Repeated', { properties: [binary(rtf, Buffer.from(samples.repeated, 'hex'))] }),
      Native: mail('Native', { properties: [binary(rtf, rtfBytes(native, true))] }),
      Encapsulated: mail('Encapsulated', { properties: [binary(rtf, rtfBytes(encapsulated))] }),
      Beside: mail('Beside', { properties: [unicode(body, 'Of Outlook')] }, 'Of the mail'),
    });
    const texts = Object.fromEntries(Object.entries(said).map(([subject, one]) => [subject, one.content_text?.trim()]));
    expect(texts).toMatchObject({
      Unicode: 'Grüße, 日本',
      Cyrillic: 'Привет',
      Sample: 'hello world',
      Repeated: 'WXYZWXYZWXYZWXYZWXYZ',
      Native: 'Dear Ada,\n\n5€ {net}\nBob',
      Beside: 'Of the mail',
    });
    expect(said['Html'].content_html).toBe('<p>Für <i>Ada</i></p>');
    expect(said['Encapsulated'].content_html.replaceAll('\n', '')).toBe('<p>Hello <b>Мир</b>日€\u00A0</p>');
  });

  it('brings meetings: asked for, moved, answered, called off, the same as those of other programs', async () => {
    const [first, later] = [momentFromNow(3, '0900'), momentFromNow(4, '1000')];
    const id = Buffer.concat([
      Buffer.from('040000008200e00074c5b7101a82e008', 'hex'),
      Buffer.alloc(20),
      dword(40),
      Buffer.from('vCal-Uid\u0001\0\0\0demo@globex.test\0', 'latin1'),
    ]);
    const of = (start: string, sequence: number, more: readonly TnefProperty[] = []) => [
      unicode(0x37, 'Demo'),
      unicode(body, 'See you, there; really'),
      unicode([sets.appointment, 0x82_08], 'Room 1'),
      moment([sets.appointment, 0x82_0d], start),
      moment([sets.appointment, 0x82_0e], new Date(Date.parse(start) + 1_800_000).toISOString()),
      whole([sets.appointment, 0x82_01], sequence),
      binary([sets.meeting, 3], id),
      moment([sets.meeting, 0x1a], `2026-10-0${1 + sequence}T00:00:00Z`),
      ...more,
    ];
    await came({ Ask: mail('Ask', { kind: 'IPM.Microsoft Schedule.MtgReq', properties: of(first.iso, 0) }) });
    expect(await meetings('Demo')).toMatchObject([
      {
        start_time: first.iso,
        end_time: first.iso.replace('T09:00', 'T09:30'),
        location: 'Room 1',
        organizer: 'Bob <bob@globex.test>',
        status: 'confirmed',
        attendees: [{ email: 'ada@acme.test', response: 'needs-action' }],
      },
    ]);
    const yes: TnefProperty[] = [...of(first.iso, 0), moment([sets.meeting, 1], '2026-10-02T00:00:00Z')];
    const answer = winmailOf(tnefOf({ kind: 'IPM.Schedule.Meeting.Resp.Pos', properties: yes }), {
      subject: 'Accepted',
      id: '<yes@acme.test>',
      from: 'ada@acme.test',
      to: 'bob@globex.test',
    });
    await came({ Accepted: answer });
    expect(await meetings('Demo')).toMatchObject([{ attendees: [{ response: 'accepted' }] }]);
    await came({ Move: mail('Move', { kind: 'IPM.Schedule.Meeting.Request', properties: of(later.iso, 1) }) });
    expect(await meetings('Demo')).toMatchObject([{ start_time: later.iso }]);
    const same = meetingOf({
      uid: 'demo@globex.test',
      start: first.ics,
      title: 'Demo',
      sequence: 2,
      organizer: 'bob@globex.test',
    });
    const other = invitationOf(calendarOf([same], 'REQUEST'), { subject: 'Again', id: '<again@globex.test>' });
    await came({ Again: other });
    expect(await meetings('Demo')).toMatchObject([{ start_time: first.iso }]);
    await came({ Off: mail('Off', { kind: 'IPM.Schedule.Meeting.Canceled', properties: of(first.iso, 3) }) });
    expect(await meetings('Demo')).toMatchObject([{ status: 'cancelled' }]);
  });

  it('brings meetings that recur, in the zone that they name, without what is left out', async () => {
    const id = Buffer.concat([
      Buffer.from('040000008200e00074c5b7101a82e008', 'hex'),
      Buffer.alloc(20),
      dword(16),
      Buffer.from('00112233445566778899aabbccddeeff', 'hex'),
    ]);
    const minutesOf = (day: string) =>
      (Date.parse(day.replace(/^(....)(..)(..)$/, '$1-$2-$3')) - Date.UTC(1601, 0, 1)) / 60_000;
    const [first, second, third] = [7, 8, 9].map(dayFromNow) as [string, string, string];
    const zone = Buffer.from('W. Europe Standard Time', 'utf16le');
    const pattern = (ending: readonly Buffer[], start: number) =>
      Buffer.concat([
        ...[0x30_04, 0x30_04, 0x20_0a, 0, 0].map(word),
        ...[0, 1_440, 0].map(dword),
        ...ending,
        ...[0, 1, minutesOf(second), 0, minutesOf(first), minutesOf(third)].map(dword),
        ...[0x30_06, 0x30_09, start, start + 30].map(dword),
        word(0),
      ]);
    const properties = (recurrence: Buffer) => [
      unicode(0x37, 'Daily'),
      flag([sets.appointment, 0x82_23], true),
      binary([sets.appointment, 0x82_16], recurrence),
      binary(
        [sets.appointment, 0x82_5e],
        Buffer.concat([Buffer.of(2, 1), word(6 + zone.length), word(2), word(zone.length / 2), zone, word(0)]),
      ),
      moment([sets.appointment, 0x82_0d], momentFromNow(7, '0900').iso),
      binary([sets.meeting, 3], id),
    ];
    const ends = { after: [dword(0x20_22), dword(3)], on: [dword(0x20_21), dword(3)] };
    await came({
      Series: mail('Series', {
        kind: 'IPM.Schedule.Meeting.Request',
        properties: properties(pattern(ends.after, 540)),
      }),
    });
    const inBerlin = ({ start_time: start }: Meeting) =>
      new Date(start).toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' }).replaceAll('-', '');
    expect((await meetings('Daily')).map(inBerlin)).toEqual([`${first} 09:00:00`, `${third} 09:00:00`]);
    await came({
      Later: mail('Later', {
        kind: 'IPM.Schedule.Meeting.Request',
        properties: [...properties(pattern(ends.on, 600)), whole([sets.appointment, 0x82_01], 1)],
      }),
    });
    expect((await meetings('Daily')).map(inBerlin)).toEqual([`${first} 10:00:00`, `${third} 10:00:00`]);
    // One of them is moved: its id has its day.
    const [{ start_time: before }] = (await meetings('Daily')) as [Meeting];
    const moved = Buffer.from(id);
    moved.set(Buffer.of(7, 234, 10, 1), 16);
    const one = [
      unicode(0x37, 'Daily'),
      binary([sets.meeting, 3], moved),
      flag([sets.appointment, 0x82_23], true),
      moment([sets.appointment, 0x82_0d], before.replace(/T.*/, 'T19:00:00Z')),
      moment([sets.appointment, 0x82_28], before),
      whole([sets.appointment, 0x82_01], 1),
    ];
    await came({ One: mail('One', { kind: 'IPM.Schedule.Meeting.Request', properties: one }) });
    expect((await meetings('Daily')).map(({ start_time: start }) => start)).toEqual([
      before.replace(/T.*/, 'T19:00:00.000Z'),
      expect.stringContaining(third.replace(/^(....)(..)(..)$/, '$1-$2-$3')),
    ]);
  });

  it('brings meetings of whole days as such', async () => {
    const zone = Buffer.from('India Standard Time', 'utf16le');
    const definition = [Buffer.of(2, 1), word(6 + zone.length), word(2), word(zone.length / 2), zone, word(0)];
    const properties = [
      unicode(0x37, 'Trip'),
      flag([sets.appointment, 0x82_15], true),
      binary([sets.appointment, 0x82_5e], Buffer.concat(definition)),
      moment([sets.appointment, 0x82_0d], momentFromNow(19, '1830').iso),
      moment([sets.appointment, 0x82_0e], momentFromNow(21, '1830').iso),
      binary([sets.meeting, 3], Buffer.concat([Buffer.alloc(16, 1), Buffer.alloc(20), dword(4), dword(7)])),
    ];
    await came({ Days: mail('Days', { kind: 'IPM.Schedule.Meeting.Request', properties }) });
    expect(await meetings('Trip')).toMatchObject([
      { all_day: true, start_time: momentFromNow(20, '0000').iso, end_time: momentFromNow(22, '0000').iso },
    ]);
  });

  it('harms nothing where it is hostile: cut off anywhere, of lengths that are not there, of groups without end', async () => {
    const good = tnefOf({
      kind: 'IPM.Schedule.Meeting.Request',
      body: Buffer.from('Body'),
      properties: [
        binary(rtf, rtfBytes(String.raw`{\rtf1\ansi Hello}`, true)),
        binary([sets.meeting, 3], Buffer.alloc(60)),
        flag([sets.appointment, 0x82_23], true),
        binary([sets.appointment, 0x82_16], Buffer.alloc(80, 0xff)),
        unicode([sets.appointment, 'Named'], 'x'),
      ],
    });
    const read = (bytes: Buffer) => readMail(Buffer.from(winmailOf(bytes, { id: '<h@x.test>' })));
    for (let length = 0; length < good.length; length++) await read(good.subarray(0, length));
    for (let at = 6; at < good.length; at++) {
      const broken = Buffer.from(good);
      broken[at] = 0xff;
      await read(broken);
    }
    const hostile = [
      `{${String.raw`\rtf1\fromhtml1`}${'{'.repeat(1_500_000)}`,
      `{${String.raw`\rtf1 `}${String.raw`\'`.repeat(700_000)}`,
      `{${String.raw`\rtf1`}${String.raw`{\f1\fcharset204 }`.repeat(80_000)}`,
      `{${String.raw`\rtf1\bin2147483647 x`}`,
    ].map((text) => tnefOf({ properties: [binary(rtf, rtfBytes(text))] }));
    // References that repeat what they repeat: as much as there can be of it.
    const bomb = Buffer.concat([
      dword(0),
      dword(0xff_ff_ff_ff),
      Buffer.from('LZFu'),
      dword(0),
      ...Array.from({ length: 150_000 }, () => Buffer.from(`ff${'000f'.repeat(8)}`, 'hex')),
    ]);
    const many = Buffer.concat([
      dword(0xff_ff_ff_ff),
      ...Array.from({ length: 400_000 }, () => Buffer.from('0110001000ff', 'hex')),
    ]);
    const since = performance.now();
    for (const bytes of [...hostile, tnefOf({ properties: [binary(rtf, bomb)] })]) await read(bytes);
    await read(Buffer.concat([good.subarray(0, 6), Buffer.of(1), dword(0x6_90_03), dword(many.length), many]));
    expect(performance.now() - since).toBeLessThan(8_000);
  });
});
