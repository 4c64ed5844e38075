/** Accounts by REST, as far as no server of mail is needed: who sees whose, and what is refused. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/kith.ts';
import { emailOf, ingest, messageLine } from './conversations.ts';
import { expectError } from './records.ts';
import { account } from './sending.ts';
import { admin, kith, organization, useStage } from './stage.ts';

let mia: Client;
let noa: Client;
let addresses: { readonly ada: string; readonly mia: string };

useStage(async () => {
  [mia, noa] = [await organization.user('Member'), await organization.user('Member')];
  addresses = { ada: await emailOf(admin), mia: await emailOf(mia) };
  const lines = [account(addresses.ada, ['email']), account(addresses.mia, ['email', 'meeting'])];
  await ingest(kith, organization, lines);
});

const accountsOf = async (client: Client, query = {}) => (await client.get('/accounts', query)).json.accounts;
const server = { host: '127.0.0.1', port: 1, security: 'none', user: 'mia', password: 'hidden-from-all' };
const mailbox = { provider: 'imap', account_email: 'mia@mail.test', imap: server };

describe('the list', () => {
  it('has everybody’s accounts for an admin, and the own ones for others', async () => {
    const users = async (client: Client, query = {}) =>
      (await accountsOf(client, query)).map(({ user }: { user: string }) => user);
    expect(await users(admin)).toEqual([addresses.ada, addresses.mia]);
    expect(await users(admin, { user: addresses.mia })).toEqual([addresses.mia]);
    expect(await users(mia)).toEqual([addresses.mia]);
    expect(await users(mia, { user: addresses.ada })).toEqual([]);
    expect(await users(noa)).toEqual([]);
    expect(await users(admin, { user: await emailOf(noa) })).toEqual([]);
  });

  it('tells an admin of an address that is nobody’s, and others nothing', async () => {
    const reply = await admin.get('/accounts', { user: `x${addresses.mia}` });
    expectError(reply, 'RECORD_NOT_FOUND');
    expect(reply.json.message).toBe(`There is no user "x${addresses.mia}"`);
    expect(await accountsOf(mia, { user: 'nobody@mail.test' })).toEqual([]);
  });

  it('tells the state, and no setting', async () => {
    const [told] = await accountsOf(mia);
    expect(told).toEqual({
      id: expect.any(String),
      user: addresses.mia,
      provider: 'sandbox',
      account_email: addresses.mia,
      channels: ['email', 'meeting'],
      send_enabled: true,
      status: 'active',
      last_error: null,
      last_sync_at: null,
      next_sync_at: null,
      created_at: expect.any(String),
      remaining: 0,
    });
  });
});

describe('connecting', () => {
  it.each([
    ['a provider that nobody reaches', { provider: 'pigeon' }, /pigeon/],
    ['no provider', { account_email: 'x@x.test' }, /^provider is required: one of imap, /],
    ['a port that is none', { ...mailbox, imap: { ...server, port: 0 } }, /imap\.port must be/],
    ['a key that is none', { ...mailbox, imapp: server }, /imapp/],
    ['a port in here', mailbox, /Port 1 of "127\.0\.0\.1".*KITH_PRIVATE_HOSTS/],
    ['a host in here', { ...mailbox, imap: { ...server, port: 993 } }, /"127\.0\.0\.1".*KITH_PRIVATE_HOSTS/],
    ['a calendar in here', { ...mailbox, imap: undefined, caldav: { ...server, host: undefined } }, /caldav/],
    ['neither mailbox nor calendar', { ...mailbox, imap: undefined }, /imap|caldav/],
  ])('refuses %s, and stores nothing', async (_what, document, words) => {
    const reply = await noa.post('/accounts', document);
    expect(reply.status).toBe(400);
    expect(reply.json.code).toMatch(/^(VALIDATION_ERROR|MISSING_REQUIRED_FIELD)$/);
    expect(reply.json.message).toMatch(words);
    expect(reply.text).not.toContain(server.password);
    expect(await accountsOf(noa)).toEqual([]);
  });

  it('never repeats a secret, however wrong it is', async () => {
    const password = 'secret'.repeat(2_000);
    const reply = await noa.post('/accounts', { ...mailbox, imap: { ...server, password } });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.message).toMatch(/imap\.password/);
    expect(reply.text).not.toContain('secretsecret');
  });

  it('somebody else’s account is for admins', async () => {
    const of = (client: Client, user: string) =>
      client.post(`/accounts?user=${encodeURIComponent(user)}`, { ...mailbox, imap: server });
    const refused = await of(noa, addresses.mia);
    expectError(refused, 'PERMISSION_DENIED');
    const unknown = await of(admin, 'nobody@x.test');
    expect(unknown.json.message).toContain('nobody@x.test');
    // An admin gets as far as the server.
    expect((await of(admin, addresses.mia)).json.message).toMatch(/KITH_PRIVATE_HOSTS/);
  });

  it('is not tried without being done', async () => {
    const [{ id }] = await accountsOf(mia);
    for (const path of ['/accounts', `/accounts/${id}/sync`]) {
      const reply = await mia.post(`${path}?dry_run=true`, path === '/accounts' ? mailbox : undefined);
      expectError(reply, 'VALIDATION_ERROR');
      expect(reply.json.message).toBe(
        'This reaches beyond the workspace, where nothing can be undone: it takes no dry_run',
      );
    }
    expect(await accountsOf(mia)).toHaveLength(1);
  });
});

describe('an account', () => {
  it('that is not one’s own is answered like one that never was', async () => {
    const [{ id }] = await accountsOf(mia);
    const none = '0190f6c1-0000-7000-8000-000000000000';
    const replies = (of: string) =>
      Promise.all([
        noa.delete(`/accounts/${of}`),
        noa.post(`/accounts/${of}/sync`),
        noa.delete(`/accounts/${of}?purge=true`),
      ]);
    const plain = async (of: string) =>
      (await replies(of)).map(({ status, json }) => [status, json.code, json.message.replace(of, 'ID')]);
    expect(await plain(id)).toEqual(await plain(none));
    expect((await plain(id))[0]).toEqual([400, 'RECORD_NOT_FOUND', expect.any(String)]);
    expect((await plain('nonsense'))[0]).toEqual([400, 'RECORD_NOT_FOUND', expect.any(String)]);
  });

  it('that was brought in by a file has nothing to look at', async () => {
    const [{ id }] = await accountsOf(mia);
    expectError(await mia.post(`/accounts/${id}/sync`), 'NOT_SUPPORTED');
  });

  it.each(['', '&purge=true'])(
    'can be tried to be disconnected%s: the answer is the same, and all stays',
    async (more) => {
      const [{ id, user }] = await accountsOf(mia);
      await ingest(kith, organization, [messageLine(user, 'm-1')]);
      const there = async () => [
        await accountsOf(mia),
        (await mia.get('/inbox/threads')).json,
        (await admin.get('/audit', { action: 'account.removed' })).json.total,
      ];
      const before = await there();
      const reply = await mia.delete(`/accounts/${id}?dry_run=true${more}`);
      expect([reply.status, reply.json, reply.headers.get('dry-run')]).toEqual([200, { removed: true }, 'true']);
      expect(await there()).toEqual(before);
      expect(before[1].total).toBeGreaterThan(0);
      expectError(await noa.delete(`/accounts/${id}?dry_run=true${more}`), 'RECORD_NOT_FOUND');
    },
  );

  it('is disconnected by its owner, and by an admin', async () => {
    for (const client of [mia, admin]) {
      const [{ id }] = await accountsOf(client);
      expect((await client.delete(`/accounts/${id}`)).json).toEqual({ removed: true });
    }
    expect(await accountsOf(admin)).toEqual([]);
  });
});
