/** [spec: Outbound message, crm_send_message, crm_mark_email; contract: Ingest] Messages that go out by the provider without an outside. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { emailOf, ingest, messageLine } from './conversations.ts';
import { apply, expectError, uuid } from './records.ts';
import { account, email, outboxOf, preview, refusedMessages, send, threadOf } from './sending.ts';
import { run } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
/** Has one account for each channel. */
let ada: Client;
let adaEmail: string;
/** Has two accounts for email, and one that is over for linkedin. */
let ben: Client;
let benEmail: string;
/** Has an account that may not send, and a role that may do nothing else. */
let eve: Client;
/** Has an account of a provider that nobody reaches. */
let una: Client;
let stranger: Client;
const threads: Record<string, string> = {};

const noon = Date.parse('2026-10-05T12:00:00Z');

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: noon });
  kith = await startKith();
  organization = await kith.organization();
  ada = organization.admin;
  await apply(ada, { roles: [{ name: 'Nothing', permissions: {} }] });
  [ben, eve, una] = [
    await organization.user('Member'),
    await organization.user('Nothing'),
    await organization.user('Member'),
  ];
  stranger = (await kith.organization()).admin;
  [adaEmail, benEmail] = [await emailOf(ada), await emailOf(ben)];
  const [eveEmail, unaEmail] = [await emailOf(eve), await emailOf(una)];
  const said = await ingest(kith, organization, [
    account(adaEmail, ['email', 'linkedin', 'whatsapp']),
    account(benEmail, ['email']),
    account(benEmail, ['email'], { account_email: 'Sales@Kith.test' }),
    account(benEmail, ['linkedin'], { account_email: 'ben', status: 'expired' }),
    account(eveEmail, ['email'], { send_enabled: false }),
    account(unaEmail, ['email'], { provider: 'elsewhere' }),
    messageLine(adaEmail, 'm-1'),
    messageLine(adaEmail, 'm-2', { external_thread_id: 't-own', subject: 'Other' }),
    messageLine(adaEmail, 'l-1', {
      channel: 'linkedin',
      external_thread_id: 'l-1',
      from: 'bob-globex',
      to: [adaEmail],
    }),
    messageLine(adaEmail, 'w-1', {
      channel: 'whatsapp',
      external_thread_id: 'w-1',
      from: '+1 555 0100',
      to: [adaEmail],
    }),
    messageLine(benEmail, 'm-9', { external_thread_id: 't-9' }),
    messageLine(benEmail, 'l-9', { channel: 'linkedin', external_thread_id: 'l-9', from: 'bob-globex' }),
  ]);
  if (said.failed > 0) throw new Error(JSON.stringify(said.errors));
  for (const client of [ada, ben])
    for (const { external_thread_id: key, id } of (await client.get('/inbox/threads')).json.data) threads[key] = id;
});
afterAll(async () => {
  vi.useRealTimers();
  await kith.stop();
});
/** What was sent is no repetition any more, and tokens are good anew. */
afterEach(() => void vi.setSystemTime(Date.now() + 61_000));

const tokenFor = async (client: Client, message: object): Promise<string> => {
  const reply = await preview(client, message);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.confirm_token;
};
const sent = async (client: Client, message: object): Promise<Reply['json']> => {
  const reply = await send(client, message, await tokenFor(client, message));
  expect(reply.json, reply.text).toMatchObject({ mode: 'sent' });
  return reply.json;
};
const outbox = (...args: string[]) => outboxOf(kith, organization, ...args);
const countOf = async (subject: string) =>
  (await outbox()).sent.filter((message) => message.subject === subject).length;

describe('a preview', () => {
  it('CSM-16: shows what will be sent, and sends nothing', async () => {
    const message = email({
      cc: ['cc@globex.test'],
      bcc: ['bcc@globex.test'],
      body: '<p onclick="x()">Hi</p><script>x</script>',
    });
    const reply = await preview(ada, message);
    expect(reply.json).toEqual({
      mode: 'preview',
      confirm_required: true,
      confirm_token: expect.any(String),
      message: {
        channel: 'email',
        from: adaEmail,
        to: ['Bob <bob@globex.test>'],
        cc: ['cc@globex.test'],
        bcc: ['bcc@globex.test'],
        subject: message.subject,
        body: '<p>Hi</p>',
        reply_to_thread: null,
      },
      note: expect.stringContaining('Nothing was sent'),
    });
    expect(await countOf(message.subject)).toBe(0);
  });

  it.each(refusedMessages(() => ({ threads, benEmail })))(
    'is refused for %s, and so is the send',
    async (_what, given, code) => {
      const message = given();
      expectError(await preview(ada, message), code);
      expectError(await send(ada, message, 'x'), code);
    },
  );

  it('CSM-08, ERRO-20: needs the account where there are several, and names them', async () => {
    const reply = await preview(ben, email());
    expectError(reply, 'AMBIGUOUS_SENDER');
    expect(reply.json.available_values).toEqual([benEmail, 'Sales@Kith.test']);
    const chosen = await preview(ben, email({ from_account_email: 'sales@kith.test' }));
    expect(chosen.json.message.from).toBe('Sales@Kith.test');
  });

  it('CSM-11: needs an account, and one that may send', async () => {
    expectError(await preview(eve, email()), 'SEND_NOT_ENABLED');
    expectError(await preview(una, email()), 'SEND_NOT_ENABLED');
    expectError(await preview(stranger, email()), 'NO_ACCOUNT');
  });

  it('CSM-12, CSM-13: needs a connection that is active', async () => {
    const reply = await preview(ben, { channel: 'linkedin', body: 'Hi', thread_id: threads['l-9'] });
    expectError(reply, 'NO_ACCOUNT');
    expect(reply.json.message).toContain('expired');
  });
});

describe('a send', () => {
  it('CSM-17, OM-02: goes out once, and is in a thread of its own at once', async () => {
    const message = email({ bcc: ['bcc@globex.test'] });
    const reply = await sent(ada, message);
    expect(reply).toEqual({
      mode: 'sent',
      channel: 'email',
      message_id: expect.stringMatching(/^<.+@.+>$/),
      thread_id: expect.stringMatching(uuid),
      message: { ...message, from: adaEmail, cc: [], reply_to_thread: null },
    });
    const { sent: entries } = await outbox('--account', adaEmail);
    expect(entries.at(-1)).toEqual({
      channel: 'email',
      from: adaEmail,
      to: ['Bob <bob@globex.test>'],
      cc: [],
      bcc: ['bcc@globex.test'],
      subject: message.subject,
      body: '<p>Dear <b>Bob</b></p>',
      thread_id: reply.thread_id,
      message_id: reply.message_id,
      at: new Date().toISOString(),
    });
    expect((await outbox('--account', 'sales@kith.test')).sent).toEqual([]);
    const { thread, messages } = (await ada.get(`/inbox/threads/${reply.thread_id}`)).json;
    expect(thread).toMatchObject({ subject: message.subject, message_count: 1, external_thread_id: reply.message_id });
    expect(messages).toMatchObject([
      {
        direction: 'outbound',
        content_html: '<p>Dear <b>Bob</b></p>',
        content_text: 'Dear Bob',
        // Whoever sees the message sees these: the blind copy is in the outbox alone.
        participants: [adaEmail, 'Bob <bob@globex.test>'],
      },
    ]);
  });

  it('CSM-04: replies in its thread', async () => {
    const reply = await sent(ada, email({ thread_id: threads['t-1'] }));
    expect(reply).toMatchObject({ thread_id: threads['t-1'], message: { reply_to_thread: threads['t-1'] } });
    const { thread, messages } = (await ada.get(`/inbox/threads/${threads['t-1']}`)).json;
    expect(thread).toMatchObject({ subject: 'Offer', message_count: 2, last_message_date: new Date().toISOString() });
    expect(messages[0]).toMatchObject({ direction: 'outbound', subject: reply.message.subject });
  });

  it('CSM-12, CSM-13: writes to whoever is in the thread or the chat', async () => {
    const linkedin = await sent(ada, { channel: 'linkedin', body: 'Hi <b>Bob</b>', thread_id: threads['l-1'] });
    expect(linkedin.message).toMatchObject({ to: ['bob-globex'], subject: null, body: 'Hi <b>Bob</b>' });
    const whatsapp = await sent(ada, { channel: 'whatsapp', body: 'Hi', chat_id: 'w-1' });
    expect(whatsapp).toMatchObject({
      thread_id: threads['w-1'],
      message: { to: ['+1 555 0100'], reply_to_thread: threads['w-1'] },
    });
    const [message] = (await ada.get(`/inbox/threads/${threads['w-1']}`)).json.messages;
    expect(message).toMatchObject({ content: 'Hi', content_html: null, direction: 'outbound' });
  });

  it('CSM-10, OM-04: needs a token, of this service, for this user, that is not over', async () => {
    const message = email();
    const token = await tokenFor(ada, message);
    expectError(await send(ada, message), 'CONFIRM_REQUIRED');
    expectError(await send(ada, message, 'x'), 'CONFIRM_INVALID');
    expectError(await send(ada, message, `${token.slice(0, -4)}AAAA`), 'CONFIRM_INVALID');
    const twin = email({ from_account_email: benEmail });
    expectError(await send(ben, twin, token), 'CONFIRM_INVALID');
    vi.setSystemTime(Date.now() + 5 * 60_000);
    expectError(await send(ada, message, token), 'CONFIRM_INVALID');
    expect(await countOf(message.subject)).toBe(0);
  });

  it('OM-03, CSM-10: is of exactly what was previewed, and a mismatch does not use the token up', async () => {
    const message = email({ cc: ['c@globex.test'] });
    const token = await tokenFor(ada, message);
    const others: object[] = [
      { to: ['eve@globex.test'] },
      { to: ['Bob <bob@globex.test>', 'eve@globex.test'] },
      { cc: [] },
      { bcc: ['eve@globex.test'] },
      { subject: 'Other' },
      { body: '<p>Dear Bob</p>' },
      { thread_id: threads['t-1'] },
    ];
    for (const other of others) expectError(await send(ada, { ...message, ...other }, token), 'CONFIRM_MISMATCH');
    expect((await send(ada, message, token)).json.mode).toBe('sent');
    vi.setSystemTime(Date.now() + 61_000);
    expectError(await send(ada, message, token), 'CONFIRM_INVALID');
    expect(await countOf(message.subject)).toBe(1);
  });

  it('is bound to the account', async () => {
    const message = email({ from_account_email: benEmail });
    const token = await tokenFor(ben, message);
    expectError(await send(ben, { ...message, from_account_email: 'sales@kith.test' }, token), 'CONFIRM_MISMATCH');
    expect((await send(ben, message, token)).json.mode).toBe('sent');
  });

  it('CSM-18, OM-05: is a repetition within a minute, whatever its token', async () => {
    const message = email();
    const first = await sent(ada, message);
    const tokens = [await tokenFor(ada, message), 'x'];
    for (const token of tokens) {
      const { json } = await send(ada, message, token);
      expect(json).toEqual({ ...first, mode: 'duplicate_suppressed' });
    }
    expect(await countOf(message.subject)).toBe(1);
    vi.setSystemTime(Date.now() + 60_000);
    expect((await send(ada, message, tokens[0])).json.mode).toBe('sent');
    expect(await countOf(message.subject)).toBe(2);
  });

  it('CSM-10: of many at once, with one token or with several, one goes out', async () => {
    const message = email();
    const tokens = [await tokenFor(ada, message), await tokenFor(ada, message)];
    const replies = await Promise.all([...tokens, ...tokens, ...tokens].map((token) => send(ada, message, token)));
    expect(replies.map(({ json }) => String(json.mode)).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'duplicate_suppressed'),
      'sent',
    ]);
    expect(new Set(replies.map(({ json }) => json.message_id)).size).toBe(1);
    expect(await countOf(message.subject)).toBe(1);
  });

  it('goes into one thread from two accounts at once', async () => {
    const messages = Array.from({ length: 6 }, (_, at) =>
      email({ thread_id: threads['t-9'], from_account_email: at % 2 === 0 ? benEmail : 'sales@kith.test' }),
    );
    const tokens = await Promise.all(messages.map((message) => tokenFor(ben, message)));
    const replies = await Promise.all(messages.map((message, at) => send(ben, message, tokens[at])));
    expect(replies.map(({ json }) => json.mode)).toEqual(Array.from({ length: 6 }, () => 'sent'));
    expect((await ben.get(`/inbox/threads/${threads['t-9']}`)).json.thread.message_count).toBe(7);
  });

  it('CSM-15: looks at account and thread again', async () => {
    const reply = email({ thread_id: threads['t-own'] });
    const fresh = email();
    const [token, other] = [await tokenFor(ada, reply), await tokenFor(ada, fresh)];
    const table = (name: string) => identifier(organization.schema, name);
    const give = (to: Client) =>
      run(
        kith,
        organization,
        sql`update ${table('_threads')} set owner_id = ${to.workspaceUserId}::uuid where id = ${threads['t-own'] ?? ''}::uuid`,
      );
    await give(ben);
    expectError(await send(ada, reply, token), 'PERMISSION_DENIED');
    await give(ada);
    await ingest(kith, organization, [account(adaEmail, ['email', 'linkedin', 'whatsapp'], { send_enabled: false })]);
    expectError(await send(ada, fresh, other), 'SEND_NOT_ENABLED');
    await ingest(kith, organization, [account(adaEmail, ['email', 'linkedin', 'whatsapp'])]);
    expect((await send(ada, reply, token)).json.mode).toBe('sent');
    expect((await send(ada, fresh, other)).json.mode).toBe('sent');
  });

  it('takes no dry run, and is answered again by its key', async () => {
    const message = email();
    const body = { ...message, confirm_token: await tokenFor(ada, message) };
    expectError(await ada.post('/messages/send?dry_run=true', body), 'VALIDATION_ERROR');
    const key = { 'idempotency-key': randomUUID() };
    const [first, again] = [await ada.post('/messages/send', body, key), await ada.post('/messages/send', body, key)];
    expect([first.json.mode, again.text]).toEqual(['sent', first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await countOf(message.subject)).toBe(1);
  });

  it('is not sent again where nobody knows whether it went out', async () => {
    const message = email();
    const first = await sent(ada, message);
    const sends = identifier(organization.schema, '_sends');
    // As it is when the process ends between the claim and the end.
    await run(kith, organization, sql`update ${sends} set sent_at = null where message_id = ${first.message_id}`);
    const again = await send(ada, message, await tokenFor(ada, message));
    expect(again.json).toMatchObject({ mode: 'duplicate_suppressed', message_id: first.message_id });
    expect(again.headers.get('warning')).toContain('nobody knows');
  });

  it('leaves no word of what it says in the database', async () => {
    await sent(ada, email({ body: '<p>xylophonic</p>' }));
    for (const name of ['_sandbox', '_sends', '_interaction_contents']) {
      const rows = await run(kith, organization, sql`select t::text from ${identifier(organization.schema, name)} t`);
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain('xylophonic');
    }
  });
});

describe('a mark', () => {
  const mark = (client: Client, id: string | undefined, action: string) =>
    client.post(`/inbox/threads/${id}/mark`, { action });

  it('CME-01, CME-07, CME-09, CME-10: is applied in the mailbox, one after the other', async () => {
    for (const action of ['read', 'unread', 'favorite', 'unfavorite']) {
      expect((await mark(ada, threads['t-1'], action)).json).toEqual({
        thread_id: threads['t-1'],
        action,
        channel: 'email',
        applied: true,
      });
    }
    const { marks } = await outbox('--account', adaEmail);
    expect(marks).toEqual(
      ['read', 'unread', 'favorite', 'unfavorite'].map((action) => ({
        thread_id: threads['t-1'],
        action,
        at: new Date().toISOString(),
      })),
    );
  });

  it('CME-08: leaves nothing in the thread', async () => {
    const before = (await ada.get(`/inbox/threads/${threads['t-1']}`)).text;
    await mark(ada, threads['t-1'], 'read');
    expect((await ada.get(`/inbox/threads/${threads['t-1']}`)).text).toBe(before);
  });

  it('CME-04, CME-05: is of email alone', async () => {
    expectError(await mark(ada, threads['l-1'], 'read'), 'INVALID_CHANNEL');
    expectError(await mark(ada, threads['w-1'], 'favorite'), 'INVALID_CHANNEL');
  });

  it('CME-02, CME-06: is of own threads alone', async () => {
    expectError(await mark(ada, threads['t-9'], 'read'), 'PERMISSION_DENIED');
    expectError(await mark(ben, threads['l-1'], 'read'), 'PERMISSION_DENIED');
    expectError(await mark(stranger, threads['t-1'], 'read'), 'RECORD_NOT_FOUND');
    expectError(await mark(ada, 't-1', 'read'), 'RECORD_NOT_FOUND');
  });

  it('CME-03: needs an action that there is, and takes no dry run', async () => {
    expectError(await mark(ada, threads['t-1'], 'archive'), 'VALIDATION_ERROR');
    expectError(await ada.post(`/inbox/threads/${threads['t-1']}/mark`, {}), 'MISSING_REQUIRED_FIELD');
    expectError(
      await ada.post(`/inbox/threads/${threads['t-1']}/mark?dry_run=true`, { action: 'read' }),
      'VALIDATION_ERROR',
    );
  });

  it('goes to the mailbox that takes part in the thread', async () => {
    await ingest(kith, organization, [
      messageLine(benEmail, 'm-10', { external_thread_id: 't-10', to: ['sales@kith.test'] }),
    ]);
    const id = await threadOf(ben, 't-10');
    expect((await mark(ben, id, 'read')).json.applied).toBe(true);
    const marks = async () => (await outbox('--account', 'sales@kith.test')).marks;
    expect(await marks()).toMatchObject([{ thread_id: id, action: 'read' }]);
    await ingest(kith, organization, [
      account(benEmail, ['email'], { account_email: 'gone@kith.test', status: 'expired' }),
      messageLine(benEmail, 'm-11', { external_thread_id: 't-11', to: ['gone@kith.test'] }),
    ]);
    expectError(await mark(ben, await threadOf(ben, 't-11'), 'read'), 'NO_ACCOUNT');
    expect(await marks()).toHaveLength(1);
  });
});
