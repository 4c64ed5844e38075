/** Mailboxes of a real mail server: connected by the command line, brought in, kept in step, written to. [contract: Accounts] */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { preview, send } from '../api/sending.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { startTokenServer, type TokenServer } from '../support/token-server.ts';
import { kithJson as ownProcess } from '../cli/kith.ts';
import { kithSecret } from '../support/kith.ts';
import { startAccounts, type Accounts } from './accounts.ts';
import { mailOf } from './mails.ts';

let host: MailHost;
let accounts: Accounts;
let tokens: TokenServer;

beforeAll(async () => {
  if (noMailHost !== undefined) return;
  tokens = await startTokenServer('otto');
  host = await startMailHost({ tokenInfoUrl: tokens.infoUrl });
  accounts = await startAccounts();
});
afterAll(async () => {
  await accounts?.stop();
  await host?.stop();
  await tokens?.stop();
});

const connected = (name: string) => accounts.connected(host.account(name));

const threadWith = async (subject: string) =>
  (await accounts.threads()).find((thread: { subject: string }) => thread.subject === subject);
const messagesOf = async (threadId: string) => (await accounts.admin.get(`/inbox/threads/${threadId}`)).json.messages;

/** The tables, of the organization and of the installation, in which some row has that text as it is. */
async function tablesWith(text: string): Promise<readonly string[]> {
  const { kith, organization } = accounts;
  const rows = async (query: ReturnType<typeof sql>) =>
    (await kith.database.database.run(organization.id, statement(query))).rows;
  const tables = await rows(sql`select table_schema, table_name from information_schema.tables
    where table_schema in (${organization.schema}, 'kith') and table_type = 'BASE TABLE'`);
  expect(tables.length).toBeGreaterThan(40);
  const found: string[] = [];
  for (const [schema = '', table = ''] of tables) {
    const query = sql`select 1 from ${identifier(String(schema), String(table))} x where x::text ilike ${`%${text}%`} limit 1`;
    if ((await rows(query)).length > 0) found.push(String(table));
  }
  return found;
}

describe.skipIf(noMailHost !== undefined)('a mailbox', () => {
  it('is not connected where it does not work, and the answer says why', async () => {
    const wrong = host.account('ada') as { imap: object };
    const refused = await accounts.add({ ...wrong, imap: { ...wrong.imap, password: 'guess' } });
    expect(refused).toMatchObject({ code: 2, json: { code: 'VALIDATION_ERROR', message: /password: .*fail/i } });
    const hidden = await accounts.add(wrong, { KITH_PRIVATE_HOSTS: '' });
    expect(hidden).toMatchObject({ code: 2, json: { code: 'VALIDATION_ERROR', message: /KITH_PRIVATE_HOSTS/ } });
    expect((await accounts.command(['list'])).json).toEqual({ accounts: [] });
  });

  it('is brought in once, whatever folders its messages lie in', async () => {
    await host.deliver('ada', [
      mailOf({ id: '<p1@globex.test>', subject: 'Offer' }),
      mailOf({
        id: '<p2@globex.test>',
        subject: 'Re: Offer',
        inReplyTo: '<p1@globex.test>',
        date: '2026-10-02T09:00:00Z',
      }),
      mailOf({ subject: 'No id' }),
    ]);
    await host.deliver('ada', [mailOf({ id: '<p1@globex.test>', subject: 'Offer' })], 'Archive');
    await host.deliver(
      'ada',
      [mailOf({ id: '<s1@acme.test>', from: 'sales@acme.test', to: 'bob@globex.test', subject: 'Sent' })],
      'Sent',
    );
    await host.deliver('ada', [mailOf({ id: '<j1@spam.test>', subject: 'Win' })], 'Junk');
    const id = await connected('ada');
    expect((await accounts.sync(id)).json).toEqual({ threads: 3, interactions: 4, events: 0, failed: [] });
    expect((await accounts.sync(id)).json).toEqual({ threads: 0, interactions: 0, events: 0, failed: [] });
    const offer = await threadWith('Offer');
    expect(offer).toMatchObject({ message_count: 2, external_thread_id: '<p1@globex.test>' });
    expect(await messagesOf(offer.id)).toMatchObject([
      { subject: 'Re: Offer', direction: 'inbound' },
      { subject: 'Offer' },
    ]);
    expect(await messagesOf((await threadWith('Sent')).id)).toMatchObject([{ direction: 'outbound' }]);
    const [listed] = (await accounts.command(['list'])).json['accounts'] as object[];
    expect(listed).toMatchObject({
      id,
      user: accounts.user,
      provider: 'imap',
      account_email: 'ada@acme.test',
      status: 'active',
      last_error: null,
      remaining: 0,
    });
    expect(JSON.stringify(listed)).not.toContain('secret');
  });

  it('puts conversations together: a parent that comes late, two threads that are one, a subject as the last resort', async () => {
    const id = await connected('cleo');
    const came = async (...mails: Parameters<typeof mailOf>[0][]) => {
      await host.deliver('cleo', mails.map(mailOf));
      return (await accounts.sync(id)).json;
    };
    const child = { id: '<c2@x.test>', references: '<c0@x.test> <c1@x.test>', subject: 'Late' };
    expect(await came(child)).toMatchObject({ threads: 1, interactions: 1 });
    expect(await came({ id: '<c0@x.test>', subject: 'Late' })).toMatchObject({ threads: 0, interactions: 1 });
    expect(await threadWith('Late')).toMatchObject({ message_count: 2, external_thread_id: '<c2@x.test>' });

    await came({ id: '<o1@x.test>', subject: 'One' }, { id: '<o2@x.test>', subject: 'Two' });
    const [one, two] = [await threadWith('One'), await threadWith('Two')];
    expect(await came({ id: '<o3@x.test>', references: '<o1@x.test> <o2@x.test>', subject: 'Both' })).toMatchObject({
      threads: 0,
    });
    expect((await accounts.admin.get(`/inbox/threads/${one.id}`)).json).toMatchObject({
      thread: { message_count: 3 },
      messages: { length: 3 },
    });
    expect((await accounts.admin.get(`/inbox/threads/${two.id}`)).json.code).toBe('RECORD_NOT_FOUND');
    expect((await accounts.admin.get('/inbox/threads', { search: 'one two both' })).json.data).toMatchObject([
      { id: one.id },
    ]);

    await came({ id: '<q1@x.test>', to: 'cleo@acme.test', subject: 'Quote', date: '2026-10-01T09:00:00Z' });
    const reply = {
      subject: 'AW: Re: quote',
      from: 'cleo@acme.test',
      to: 'bob@globex.test',
      date: '2026-10-20T09:00:00Z',
    };
    const others = { ...reply, to: 'carl@globex.test' };
    expect(await came(reply, others, { ...reply, date: '2026-12-20T09:00:00Z' })).toMatchObject({ threads: 2 });
    expect(await threadWith('Quote')).toMatchObject({ message_count: 2 });
  });

  it('takes what changes its place, keeps what is deleted, and begins anew where the server counts anew', async () => {
    await host.deliver('dora', [
      mailOf({ id: '<d1@x.test>', subject: 'Moved' }),
      mailOf({ id: '<d2@x.test>', subject: 'Deleted' }),
    ]);
    const id = await connected('dora');
    await accounts.sync(id);
    const other = await host.client('dora');
    await other.mailboxCreate('Work');
    const lock = await other.getMailboxLock('INBOX');
    await other.messageMove('1', 'Work');
    await other.messageDelete('1');
    lock.release();
    expect((await accounts.sync(id)).json).toMatchObject({ threads: 0, interactions: 0 });
    await other.mailboxDelete('Work');
    await other.logout();
    await host.deliver(
      'dora',
      [mailOf({ id: '<d1@x.test>', subject: 'Moved' }), mailOf({ id: '<d3@x.test>', subject: 'New' })],
      'Work',
    );
    expect((await accounts.sync(id)).json).toMatchObject({ threads: 1, interactions: 1 });
    expect(await threadWith('Deleted')).toMatchObject({ message_count: 1 });
  });

  it('sends replies that stay in their thread, once, with a copy among what is sent', async () => {
    await host.deliver('emil', [
      mailOf({ id: '<e1@globex.test>', from: 'fred@acme.test', to: 'emil@acme.test', subject: 'Deal' }),
    ]);
    const id = await connected('emil');
    await accounts.sync(id);
    const { id: threadId } = await threadWith('Deal');
    const message = {
      channel: 'email',
      from_account_email: 'emil@acme.test',
      thread_id: threadId,
      to: ['fred@acme.test'],
      bcc: ['gina@acme.test'],
      subject: 'Re: Deal',
      body: '<p>Dear <b>Fred</b></p>',
    };
    const token = (await preview(accounts.admin, message)).json.confirm_token;
    const sent = (await send(accounts.admin, message, token)).json;
    expect(sent).toMatchObject({ mode: 'sent', thread_id: threadId, message_id: /^<[^<>]+@acme\.test>$/ });
    expect(await messagesOf(threadId)).toMatchObject([{ direction: 'outbound', delivery: null }, { subject: 'Deal' }]);
    const arrived = await arrivedAt('fred', sent.message_id);
    expect(arrived).toMatch(/^In-Reply-To: <e1@globex\.test>\r$/m);
    expect(arrived).toMatch(/^References: <e1@globex\.test>\r$/m);
    expect(arrived).not.toContain('gina');
    expect(await arrivedAt('gina', sent.message_id)).not.toContain('Bcc');
    expect(await arrivedAt('emil', sent.message_id, 'Sent')).toBeDefined();
    expect((await accounts.sync(id)).json).toMatchObject({ threads: 0, interactions: 0 });
  });

  it('says that nothing went out where the server refuses, and the same can be sent again', async () => {
    await connected('hugo');
    const before = await accounts.threads();
    const message = { channel: 'email', from_account_email: 'hugo@acme.test', subject: 'Refused', body: '<p>Hi</p>' };
    const sending = async (to: string) => {
      const given = { ...message, to: [to] };
      return (await send(accounts.admin, given, (await preview(accounts.admin, given)).json.confirm_token)).json;
    };
    expect(await sending('nobody@acme.test')).toMatchObject({ code: 'SEND_FAILED', message: /no such user here/ });
    await host.stopSmtp();
    expect(await sending('ida@acme.test')).toMatchObject({ code: 'SEND_FAILED', message: /takes no connection/ });
    expect(await accounts.threads()).toEqual(before);
    await host.startSmtp();
    expect(await sending('ida@acme.test')).toMatchObject({ mode: 'sent' });
  });

  it('shows marks to every other mail program', async () => {
    await host.deliver('jana', [mailOf({ id: '<k1@x.test>', to: 'jana@acme.test', subject: 'Mark me' })]);
    await accounts.sync(await connected('jana'));
    const { id: threadId } = await threadWith('Mark me');
    const mark = async (action: string) =>
      (await accounts.admin.post(`/inbox/threads/${threadId}/mark`, { action })).json;
    const flags = async () => {
      const other = await host.client('jana');
      const lock = await other.getMailboxLock('INBOX');
      const [found] = await other.fetchAll('1:*', { flags: true });
      lock.release();
      await other.logout();
      return [...found!.flags!].filter((flag) => flag !== '\\Recent').toSorted();
    };
    expect(await flags()).toEqual([]);
    expect(await mark('read')).toMatchObject({ applied: true });
    await mark('favorite');
    expect(await flags()).toEqual(['\\Flagged', '\\Seen']);
    await mark('unread');
    await mark('unfavorite');
    expect(await flags()).toEqual([]);
  });

  it('is told as expired or in error, with the reason, until it works again', async () => {
    const id = await connected('kurt');
    const state = async () =>
      ((await accounts.command(['list'])).json['accounts'] as { id: string }[]).find((account) => account.id === id);
    await host.stopImap();
    for (const status of ['active', 'active', 'error']) {
      expect(await accounts.sync(id)).toMatchObject({ json: { code: 'WRITE_FAILED' } });
      expect(await state()).toMatchObject({ status, last_error: /takes no connection/ });
    }
    await host.startImap();
    await accounts.sync(id);
    expect(await state()).toMatchObject({ status: 'active', last_error: null });
  });

  it('is signed into by OAuth 2.0, with a token that is good for many looks', async () => {
    await host.deliver('otto', [mailOf({ id: '<x1@x.test>', to: 'otto@acme.test', subject: 'By token' })]);
    const { imap } = host.account('otto') as { imap: { password?: string } };
    const { password: _, ...server } = imap;
    const credentials = { client_secret: 'zebra-of-otto', refresh_token: 'refresh' };
    const xoauth2 = { client_id: 'kith', ...credentials, token_url: tokens.tokenUrl };
    const document = { provider: 'imap', account_email: 'otto@acme.test', imap: { ...server, xoauth2 } };
    const { json } = await accounts.add(document);
    expect(await tablesWith('zebra')).toEqual([]);
    expect(await tablesWith('otto@acme.test')).toContain('_integrations');
    expect(await accounts.sync(json['integrationId'] as string)).toMatchObject({ json: { interactions: 1 } });
    expect(tokens.given()).toBe(1);
    tokens.end();
    expect(await accounts.sync(json['integrationId'] as string)).toMatchObject({ json: { failed: [] } });
    expect(tokens.given()).toBe(2);
    tokens.revoke();
    expect(
      await accounts.add({ ...document, imap: { ...server, xoauth2: { ...xoauth2, client_secret: 'x' } } }),
    ).toMatchObject({
      json: { code: 'VALIDATION_ERROR', message: /invalid_grant: The token was taken back/ },
    });
  });

  it('is signed into by the refresh token that its provider gave last', async () => {
    tokens.rotate();
    const { imap } = host.account('otto') as { imap: { password?: string } };
    const { password: _, ...server } = imap;
    const xoauth2 = {
      client_id: 'kith',
      client_secret: 'rotating',
      refresh_token: 'refresh',
      token_url: tokens.tokenUrl,
    };
    const document = { provider: 'imap', account_email: 'otto@rotating.test', imap: { ...server, xoauth2 } };
    const id = await accounts.connected(document);
    const connected = tokens.given();
    await accounts.sync(id);
    expect(tokens.given(), 'the access token is good for the stored settings').toBe(connected);
    const { organization, kith } = accounts;
    const env = { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret, KITH_PRIVATE_HOSTS: '127.0.0.1' };
    for (let round = 0; round < 2; round++) {
      const given = tokens.given();
      tokens.end();
      // A process of its own knows only the token that was kept.
      const synced = await ownProcess(['account', 'sync', '--account', id, '--org', organization.id], env);
      expect(synced).toMatchObject({ code: 0, json: { failed: [] } });
      expect(tokens.given()).toBe(given + 1);
    }
  });

  it('is removed alone, or with all that came by it', async () => {
    await host.deliver('lena', [mailOf({ id: '<l1@x.test>', to: 'lena@acme.test', subject: 'Gone' })]);
    const id = await connected('lena');
    await accounts.sync(id);
    expect((await accounts.command(['remove', '--account', id])).json).toEqual({ removed: true });
    expect(await threadWith('Gone')).toBeDefined();
    const again = await connected('lena');
    expect((await accounts.sync(again)).json).toMatchObject({ interactions: 0 });
    expect((await accounts.command(['remove', '--account', id])).json).toMatchObject({ code: 'RECORD_NOT_FOUND' });
    await host.deliver('lena', [mailOf({ id: '<l2@x.test>', to: 'lena@acme.test', subject: 'Purged' })]);
    await accounts.sync(again);
    expect((await accounts.command(['remove', '--account', again, '--purge'])).json).toEqual({ removed: true });
    expect(await threadWith('Purged')).toBeUndefined();
  });
});

/** The message with that id in the user's mailbox, as it came. */
async function arrivedAt(name: string, messageId: string, folder = 'INBOX'): Promise<string | undefined> {
  const other = await host.client(name);
  try {
    for (let attempt = 0; attempt < 100; attempt++) {
      const lock = await other.getMailboxLock(folder);
      const found = (await other.search({ header: { 'message-id': messageId } })) || [];
      const message = found.length === 1 ? await other.fetchOne(String(found[0]), { source: true }) : undefined;
      lock.release();
      if (message) return message.source?.toString();
      await sleep(50);
      await other.noop();
    }
    return undefined;
  } finally {
    await other.logout();
  }
}
