/** Numbers of WhatsApp: what people write comes by a signed hook, answers go out once, and what becomes of them is told. [contract: Accounts, Hooks] */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { preview, send } from '../api/sending.ts';
import { signed, startWhatsappServer, toldOf, type WhatsappServer } from '../support/whatsapp-server.ts';
import { startMessenger, type Messenger } from './messenger.ts';

let whatsapp: WhatsappServer;
let here: Messenger;
let id: string;

const bob = '4915112345678';
const contacts = [{ profile: { name: 'Bob Builder' }, wa_id: bob }];
const text = (wamid: string, body: string, more: object = {}) => ({
  from: bob,
  id: wamid,
  timestamp: '1790000000',
  type: 'text',
  text: { body },
  ...more,
});
const tell = (value: object, field?: string) => {
  const body = toldOf('15550100', value, field);
  return here.hook(`whatsapp/${id}`, body, signed(body));
};
const threadId = async () => (await here.threads()).find((one) => one.external_thread_id === bob)!.id;
const reply = async (body: string, more: object = {}) => {
  const message = { channel: 'whatsapp', thread_id: await threadId(), body, ...more };
  const shown = (await preview(here.admin, message)).json;
  return shown.mode === 'preview' ? (await send(here.admin, message, shown.confirm_token)).json : shown;
};

beforeAll(async () => {
  whatsapp = await startWhatsappServer();
  here = await startMessenger();
  id = await here.connected(whatsapp.account('15550100'));
});
afterAll(async () => {
  await here?.stop();
  await whatsapp?.stop();
});

describe('a number of WhatsApp', () => {
  it('is not connected where it does not work, and its hook answers whoever knows the verify_token', async () => {
    const wrong = { ...whatsapp.account('15550100'), access_token: 'guess' };
    expect(await here.add(wrong)).toMatchObject({ code: 2, json: { message: /Session has expired/ } });
    const asked = async (account: string, token: string) => {
      const query = new URLSearchParams({
        'hub.mode': 'subscribe',
        'hub.verify_token': token,
        'hub.challenge': '<1234>',
      });
      const answer = await fetch(`${here.kith.url}/api/hooks/whatsapp/${account}?${query.toString()}`);
      return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() };
    };
    expect(await asked(id, 'verify-me')).toEqual({ status: 200, type: 'text/plain; charset=utf-8', body: '<1234>' });
    const refused = await asked(id, 'guess');
    expect(refused.status).toBe(403);
    expect(await asked(randomUUID(), 'verify-me')).toEqual(refused);
  });

  it('IT-03: brings in what its hook is told, signed with the app_secret, once', async () => {
    const { json: contact } = await here.admin.post('/records/contacts', {
      first_name: 'Bob',
      phones: [{ phone: '+49 151 12345678' }],
    });
    const body = toldOf('15550100', {
      contacts,
      messages: [
        text('wamid.1', 'Hello'),
        { ...text('wamid.2', ''), type: 'document', document: { filename: 'plan.pdf', caption: 'The plan' } },
        { ...text('wamid.3', ''), type: 'reaction', reaction: { emoji: '👍' } },
      ],
    });
    const wrong = [
      await here.hook(`whatsapp/${id}`, body),
      await here.hook(`whatsapp/${id}`, body, signed(body, 'guess')),
      await here.hook(`whatsapp/${id}`, `${body} `, signed(body)),
      await here.hook(`whatsapp/${randomUUID()}`, body, signed(body)),
    ];
    expect(new Set(wrong.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(wrong[0]!.status).toBe(401);
    expect(await here.messages(bob)).toEqual([]);
    for (let time = 0; time < 2; time++)
      expect(await here.hook(`whatsapp/${id}`, body, signed(body))).toMatchObject({ status: 200 });
    const messages = await here.messages(bob);
    expect(new Set(messages.map((message) => message['content_text']))).toEqual(
      new Set(['Hello', '[file: plan.pdf]\nThe plan', '[reaction: 👍]']),
    );
    expect(messages[0]).toMatchObject({
      direction: 'inbound',
      date: '2026-09-21T14:13:20.000Z',
      participants: [`Bob Builder <+${bob}>`, '+15550100'],
    });
    const feed = await here.admin.get(`/activity/contacts/${contact.id}`);
    expect(feed.json.interactions.total).toBe(3);
    // An app has one hook for all of its numbers.
    const other = toldOf('15559999', { contacts, messages: [text('wamid.9', 'Not for you')] });
    expect(await here.hook(`whatsapp/${id}`, other, signed(other))).toMatchObject({ status: 200 });
    expect(await here.messages(bob)).toHaveLength(3);
  });

  it('takes what was written on the telephone, and before the number was connected', async () => {
    await tell(
      { message_echoes: [{ ...text('wamid.e', 'From my telephone'), from: '15550100', to: bob }] },
      'smb_message_echoes',
    );
    const old = { timestamp: '1780000000' };
    const messages = [text('wamid.h1', 'Long ago', old), { ...text('wamid.h2', 'My answer', old), from: '15550100' }];
    await tell({ history: [{ metadata: { phase: 0 }, threads: [{ id: bob, messages }] }] }, 'history');
    const found = (await here.messages(bob)).filter((one) => !String(one['content_text']).includes('['));
    expect(found.map((one) => [one['content_text'], one['direction']])).toEqual(
      expect.arrayContaining([
        ['From my telephone', 'outbound'],
        ['Long ago', 'inbound'],
        ['My answer', 'outbound'],
      ]),
    );
  });

  it('takes megabytes at once, also with halves of characters, and refuses what is no JSON', async () => {
    const long = 'As long as letters were once. '.repeat(20);
    const messages = Array.from({ length: 4_000 }, (_, at) => ({
      ...text(`wamid.long${at}`, `${at} ${long}`),
      from: '4930123',
    }));
    const body = toldOf('15550100', { contacts, messages }).replace('"3999 As', '"3999 \\ud800As');
    expect(body.length).toBeGreaterThan(2_500_000);
    expect(await here.hook(`whatsapp/${id}`, body, signed(body))).toMatchObject({ status: 200 });
    const thread = (await here.threads()).find((one) => one.external_thread_id === '4930123');
    expect(thread).toMatchObject({ message_count: 4_000 });
    const found = (await here.messages('4930123')).map((one) => String(one['content_text']));
    expect(found.every((said) => said.includes('As long as'))).toBe(true);
    const broken = `${body.slice(0, -1)},`;
    expect(await here.hook(`whatsapp/${id}`, broken, signed(broken))).toMatchObject({ status: 400 });
  });

  it('CSM-13: sends answers into the chat, and tells how far each has come', async () => {
    const sent = await reply('On my way', { from_account_email: '+15550100' });
    expect(sent).toMatchObject({
      mode: 'sent',
      channel: 'whatsapp',
      message_id: 'wamid.out1',
      thread_id: await threadId(),
    });
    expect(whatsapp.sent).toMatchObject([{ to: bob, text: { body: 'On my way' } }]);
    const latest = async () => (await here.messages(bob)).find((one) => one['content_text'] === 'On my way');
    expect(await latest()).toMatchObject({ direction: 'outbound', delivery: null });
    const status = (state: string, more: object = {}) =>
      tell({ statuses: [{ id: 'wamid.out1', status: state, timestamp: '1790000001', recipient_id: bob, ...more }] });
    for (const [told, shown] of [
      ['sent', 'sent'],
      ['read', 'read'],
      ['delivered', 'read'],
      ['deleted', 'read'],
    ]) {
      await status(told!);
      expect(await latest()).toMatchObject({ delivery: shown });
    }
    const window = { code: 131_047, title: 'Re-engagement message' };
    await status('failed', { errors: [window] });
    expect(await latest()).toMatchObject({ delivery: 'failed' });
    const { failed } = (await here.command(['sync', '--account', id])).json as { failed: object[] };
    expect(failed).toMatchObject([{ folder: 'whatsapp', uid: 'wamid.out1', reason: /24 hours.*Re-engagement/ }]);
  });

  it('says before anything is sent that the person has not written for a day', async () => {
    const noteOf = async (chat_id: string) => {
      const { json } = await preview(here.admin, { channel: 'whatsapp', chat_id, body: 'Hello again' });
      return json.note as string;
    };
    const heard = async (from: string, at: number) => {
      const message = { ...text(`wamid.${from}`, 'Hello'), from, timestamp: String(Math.floor(at / 1_000)) };
      await tell({ contacts, messages: [message] });
      return noteOf(from);
    };
    const now = Date.now();
    expect(await heard('4930111', now - 23 * 3_600_000)).not.toContain('24 hours');
    const late = now - 25 * 3_600_000;
    const wrote = `wrote last at ${new Date(Math.floor(late / 1_000) * 1_000).toISOString()}`;
    expect(await heard('4930222', late)).toMatch(new RegExp(`Nothing was sent.*24 hours.*${wrote}`));
    const own = { ...text('wamid.own', 'From the telephone'), from: '15550100', to: '4930333' };
    await tell({ contacts, message_echoes: [own] }, 'smb_message_echoes');
    expect(await noteOf('4930333')).toContain('who has not written yet');
  });

  it('says that nothing went out where WhatsApp refuses, and that nobody knows where it breaks off', async () => {
    const before = await here.messages(bob);
    whatsapp.next({ code: 131_047, message: 'Re-engagement message' });
    expect(await reply('Too late')).toMatchObject({ code: 'SEND_FAILED', message: /has not written for 24 hours/ });
    whatsapp.next({ status: 429, code: 130_429, message: 'Rate limit hit' });
    expect(await reply('Too much')).toMatchObject({ code: 'SEND_FAILED', message: /Rate limit hit/ });
    expect(await here.messages(bob)).toEqual(before);
    for (const answer of ['break', 'fail'] as const) {
      whatsapp.next(answer);
      expect(await reply(`Who knows: ${answer}`)).toMatchObject({ code: 'SEND_UNKNOWN' });
      expect((await here.messages(bob))[0]).toMatchObject({
        content_text: `Who knows: ${answer}`,
        delivery: 'unknown',
      });
    }
  });

  it('knows by what it is told later that a message is out of which nobody knew', async () => {
    const sentAs = whatsapp.tried.at(-1)?.biz_opaque_callback_data;
    await tell({ statuses: [{ id: 'wamid.late', status: 'delivered', biz_opaque_callback_data: sentAs }] });
    await tell({ statuses: [{ id: 'wamid.late', status: 'read' }] });
    expect((await here.messages(bob))[0]).toMatchObject({ content_text: 'Who knows: fail', delivery: 'read' });
  });

  it('takes the state of a message whose echo came first, as a message of its own', async () => {
    whatsapp.next('fail');
    expect(await reply('Echoed')).toMatchObject({ code: 'SEND_UNKNOWN' });
    const sentAs = whatsapp.tried.at(-1)?.biz_opaque_callback_data;
    const echo = { ...text('wamid.echoed', 'Echoed, with a signature'), from: '15550100', to: bob };
    await tell({ contacts, message_echoes: [echo] }, 'smb_message_echoes');
    await tell({ statuses: [{ id: 'wamid.echoed', status: 'delivered', biz_opaque_callback_data: sentAs }] });
    const both = (await here.messages(bob)).filter(({ content_text }) => String(content_text).startsWith('Echoed'));
    expect(both.map(({ delivery }) => delivery)).toEqual(['delivered', 'delivered']);
  });

  it('is told as expired as soon as its token is refused, and sends no more until it works again', async () => {
    whatsapp.accept(false);
    expect(await reply('With an old token')).toMatchObject({ code: 'SEND_FAILED', message: /Session has expired/ });
    expect(await here.account(id)).toMatchObject({ status: 'expired', last_error: /Session has expired/ });
    expect(await reply('Again')).toMatchObject({ code: 'NO_ACCOUNT' });
    whatsapp.accept(true);
    await here.command(['sync', '--account', id]);
    expect(await here.account(id)).toMatchObject({ status: 'active', last_error: null });
    const other = await here.connected(whatsapp.account('15550200'));
    expect(await reply('From which?')).toMatchObject({ code: 'AMBIGUOUS_SENDER' });
    expect(await reply('From this', { from_account_email: '+15550200' })).toMatchObject({ mode: 'sent' });
    await here.command(['remove', '--account', other]);
  });
});
