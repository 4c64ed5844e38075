/** Accounts of LinkedIn at a provider that has it: what was before and is missed by lists, what is new by the hook, and answers. [contract: Accounts, Hooks] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { preview, send } from '../api/sending.ts';
import { startUnifiedServer, toldMessage, type UnifiedServer } from '../support/unified-server.ts';
import { startMessenger, type Messenger } from './messenger.ts';

let unified: UnifiedServer;
let here: Messenger;
let id: string;

const genuine = { 'unipile-auth': 'hook-secret' };
const tell = (told: object) => here.hook(`linkedin/${id}`, told, genuine);
const sync = async () => (await here.command(['sync', '--account', id])).json;
const texts = async () => (await here.messages('chat-1')).map((message) => message['content_text']);
const reply = async (body: string) => {
  const thread = (await here.threads()).find((one) => one.external_thread_id === 'chat-1')!;
  const message = { channel: 'linkedin', thread_id: thread.id, body };
  const shown = (await preview(here.admin, message)).json;
  return shown.mode === 'preview' ? (await send(here.admin, message, shown.confirm_token)).json : shown;
};

beforeAll(async () => {
  unified = await startUnifiedServer();
  here = await startMessenger();
});
afterAll(async () => {
  await here?.stop();
  await unified?.stop();
});

const message = (name: string, day: string, more: object = {}) => ({
  id: name,
  text: name,
  timestamp: `2026-10-${day}T09:00:00.000Z`,
  sender_attendee_id: 'att-bob',
  ...more,
});

describe('an account of LinkedIn', () => {
  it('IT-03: brings in what was before, and what came since, once', async () => {
    const wrong = await here.add({ ...unified.account, api_key: 'guess' });
    expect(wrong).toMatchObject({ code: 2, json: { code: 'VALIDATION_ERROR', message: /Missing credentials/ } });
    unified.add(
      'chat-1',
      message('First', '01'),
      message('Mine', '01', { is_sender: 1, sender_attendee_id: 'att-self' }),
      message('Plan', '02', { attachments: [{ type: 'file', file_name: 'plan.pdf' }] }),
      message('Joined', '02', { is_event: 1 }),
    );
    unified.add('chat-2', message('Other', '01'));
    unified.add('chat-3', message('Third', '01'));
    id = await here.connected(unified.account);
    expect(await sync()).toEqual({ threads: 3, interactions: 5, events: 0, failed: [] });
    expect(await here.messages('chat-1')).toMatchObject([
      { content_text: '[file: plan.pdf]\nPlan', direction: 'inbound' },
      expect.anything(),
      expect.anything(),
    ]);
    const bob = 'Bob Builder <https://www.linkedin.com/in/bob>';
    const mine = (await here.messages('chat-1')).find((one) => one['content_text'] === 'Mine');
    expect(mine).toMatchObject({ direction: 'outbound', participants: ['ada', bob] });
    const before = unified.lists();
    expect(await sync()).toMatchObject({ threads: 0, interactions: 0 });
    expect(unified.lists()).toBe(before);
    unified.add('chat-2', message('News', '05'));
    expect(await sync()).toMatchObject({ threads: 0, interactions: 1 });
  });

  it('is called in for by its provider alone, whatever the body says to be, and each message comes once', async () => {
    const body = JSON.stringify(toldMessage());
    for (const headers of [{}, { 'unipile-auth': 'guess' }])
      expect(await here.hook(`linkedin/${id}`, body, headers)).toMatchObject({ status: 401 });
    expect(await texts()).not.toContain('By hook');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json'])
      expect(await here.hook(`linkedin/${id}`, body, { ...genuine, 'content-type': type })).toMatchObject({
        status: 200,
      });
    expect((await texts()).filter((text) => text === 'By hook')).toHaveLength(1);
    expect((await here.messages('chat-1'))[0]).toMatchObject({ direction: 'inbound', participants: [/Bob/, 'ada'] });
    await tell(toldMessage({ account_id: 'acc-2', message_id: 'm-other', message: 'Not for you' }));
    expect(await texts()).not.toContain('Not for you');
    unified.add('chat-1', message('m-hook', '03', { id: 'm-hook', text: 'By hook' }));
    expect(await sync()).toMatchObject({ interactions: 0 });
  });

  it('CSM-12: answers into the chat, and knows its answers again when the provider tells of them', async () => {
    const own = { sender: { attendee_provider_id: 'ACoSelf' }, timestamp: new Date().toISOString() };
    const sent = await reply('My answer');
    expect(sent).toMatchObject({ mode: 'sent', channel: 'linkedin', message_id: 'out-1' });
    expect(unified.sent).toEqual([{ chat: 'chat-1', text: 'My answer' }]);
    await tell(toldMessage({ ...own, message_id: 'out-1', message: 'My answer' }));
    expect((await texts()).filter((text) => text === 'My answer')).toHaveLength(1);
    await tell({ ...toldMessage(), event: 'message_read', message_id: 'out-1' });
    expect((await here.messages('chat-1'))[0]).toMatchObject({ content_text: 'My answer', delivery: 'read' });
    unified.breakOnce();
    expect(await reply('Did  it go?')).toMatchObject({ code: 'SEND_UNKNOWN' });
    expect((await here.messages('chat-1'))[0]).toMatchObject({ delivery: 'unknown' });
    await tell(toldMessage({ ...own, message_id: 'out-2', message: 'Did it go?' }));
    expect((await here.messages('chat-1'))[0]).toMatchObject({ content_text: 'Did  it go?', delivery: null });
    expect((await texts()).filter((text) => /Did/.test(String(text)))).toHaveLength(1);
    unified.refuse({ status: 422, type: 'errors/invalid_recipient', title: 'Recipient cannot be reached' });
    expect(await reply('Nothing')).toMatchObject({ code: 'SEND_FAILED', message: /cannot be reached/ });
    unified.refuse(null);
  });

  it('is told as expired where LinkedIn has ended the connection, and where the key is refused', async () => {
    await tell({ AccountStatus: { account_id: 'acc-1', account_type: 'LINKEDIN', message: 'CREDENTIALS' } });
    expect(await here.account(id)).toMatchObject({ status: 'expired', last_error: /connect the account again/ });
    await sync();
    expect(await here.account(id)).toMatchObject({ status: 'active', last_error: null });
    unified.refuse({ status: 401, type: 'errors/disconnected_account', title: 'Disconnected account' });
    await sync();
    expect(await here.account(id)).toMatchObject({ status: 'expired', last_error: /Disconnected account/ });
    expect(await reply('Hello?')).toMatchObject({ code: 'NO_ACCOUNT' });
  });
});
